import type { Codec, ItemKind, Sink } from '../model/codec.ts';
import type { Detail, Fact } from '../model/fact.ts';
import type { PartKind, Role } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import { CallSeals } from './call-seals.ts';
import { FreeLinks } from './free-links.ts';
import type { Links } from './links.ts';
import { StepLinks } from './step-links.ts';
import { hear, type Heard, type Voice } from './voices.ts';

/** What one walk notes of a list: who speaks, and how far what begins in a message reaches. */
export type Outline = {
  readonly length: number;
  readonly roles: readonly Role[];
  readonly voices: readonly Voice[];
  /** Messages that hold a summary, by itself or with something said to it. */
  readonly summaries: readonly number[];
  /** By message: the last one that belongs with it; itself where nothing does. A call that waits reaches the end. */
  readonly reaches: readonly number[];
  /** By message: it carries results of calls made before it. */
  readonly answers: readonly boolean[];
  /** By message: it holds calls. */
  readonly calls: readonly boolean[];
  /** Messages that hold calls of the last turn which have no result. */
  readonly open: readonly number[];
};

/** Walks a list once and notes what a cut has to know of it. */
export function outline(list: readonly unknown[], codec: Codec, profile: Profile): Outline {
  const walk = new OutlineWalk(profile, list.length);
  for (let i = 0; i < list.length; i += 1) {
    const wire = list[i];
    // What throws when it is read is nobody's speech; what it may have begun stays noted, which forbids a cut at most.
    if (!scanSafely(codec, wire, walk)) walk.closeHostile(i);
    else if (walk.mayBePerson) walk.close(hear(wire, i, codec));
  }
  return walk.finish();
}

function scanSafely(codec: Codec, wire: unknown, walk: OutlineWalk): boolean {
  try {
    codec.scan(wire, walk);
    return true;
  } catch {
    return false;
  }
}

class OutlineWalk implements Sink {
  readonly deep = false;
  total = 0;
  readonly request = undefined;
  readonly profile: Profile;
  private readonly roles: Role[];
  private readonly voices: Voice[];
  private readonly summaries: number[] = [];
  private readonly reaches: number[];
  private readonly answers: boolean[];
  private readonly calls: boolean[];
  private readonly links: Links;
  private readonly seals: CallSeals | undefined;
  private at = -1;
  private role: Role = 'unreadable';
  private speaks = false;
  private carries = false;
  private hollow = false;
  private decides = false;
  /** Where a person last spoke. */
  private spoke = -1;

  constructor(profile: Profile, length: number) {
    this.profile = profile;
    // Most messages are what stands here already, and then nothing has to be noted.
    this.roles = new Array<Role>(length).fill('unreadable');
    this.voices = new Array<Voice>(length).fill('other');
    this.reaches = Array.from({ length }, (_, index) => index);
    this.answers = new Array<boolean>(length).fill(false);
    this.calls = new Array<boolean>(length).fill(false);
    this.links = profile.pairs === 'anywhere' ? new FreeLinks(this.reaches) : new StepLinks(this.reaches);
    if (profile.callSeals === true) this.seals = new CallSeals(this.reaches);
  }

  /** The message read last is in the name of the user and says something. */
  get mayBePerson(): boolean {
    return this.role === 'user' && this.speaks && !this.carries;
  }

  message(role: Role): void {
    // A message of results that holds none, or a decision to let a call run, means something else at the end of a list.
    if (this.decides || (this.hollow && this.role === 'tool')) this.links.reachesNext();
    this.at += 1;
    this.role = role;
    this.speaks = false;
    this.carries = false;
    this.hollow = true;
    this.decides = false;
    this.roles[this.at] = role;
    this.links.message(this.at);
    this.seals?.message(this.at, role);
  }

  part(kind: PartKind, id: string | undefined, server: boolean): void {
    this.hollow = false;
    if (kind === 'call') {
      this.carries = true;
      this.calls[this.at] = true;
      this.seals?.call();
      this.links.call(id, server);
    } else if (kind === 'result') {
      this.carries = true;
      // Where a result stands with its call, every pair looks like one of the provider's own.
      if (!server || this.profile.carrier === 'call') this.answers[this.at] = true;
      this.links.result(id, server);
    } else {
      if (kind === 'text' || kind === 'media') this.speaks = true;
      if (this.role === 'user') this.seals?.userSpeaks();
    }
  }

  fact(fact: Fact, detail?: Detail): void {
    if (fact === 'tool-family') this.links.family(String(detail));
    else if (fact === 'call-unsigned') this.seals?.unsigned();
    else if (fact === 'approval') this.decides = true;
  }

  item(_id: string | undefined, kind: ItemKind, program?: string): void {
    this.links.item(kind, program);
  }

  /** Somebody is heard in the message read last. */
  close({ voice, summary }: Heard): void {
    this.voices[this.at] = voice;
    if (summary) this.summaries.push(this.at);
    if (voice === 'user') this.spoke = this.at;
  }

  /** A message that threw half way, or before it began. */
  closeHostile(index: number): void {
    if (this.at < index) this.message('unreadable');
  }

  finish(): Outline {
    const { roles, voices, summaries, reaches, answers, calls } = this;
    const open = this.links.finish(this.spoke);
    return { length: roles.length, roles, voices, summaries, reaches, answers, calls, open };
  }
}
