import type { Codec, ItemKind } from '../model/codec.ts';
import type { Detail, Fact } from '../model/fact.ts';
import type { PartKind, Role } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import { CallSeals } from './call-seals.ts';
import { FreeLinks } from './free-links.ts';
import type { Links } from './links.ts';
import { SpeechWalk } from './speech-walk.ts';
import { StepLinks } from './step-links.ts';
import { hear, isThrownIn, type Heard, type Voice } from './voices.ts';

/** What one walk notes of a list: who speaks, and how far what begins in a message reaches. */
export type Outline = {
  readonly length: number;
  /** The first message that was walked; what stands before it is nobody's and belongs with nothing. */
  readonly from: number;
  /** The last message that may belong with what was not walked; -1 where everything was. */
  readonly torn: number;
  readonly roles: readonly Role[];
  readonly voices: readonly Voice[];
  /** The last message in which a person says something beside results; -1 where nobody does. */
  readonly thrownIn: number;
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
  const walk = new OutlineWalk(profile, list.length, 0);
  walk.through(list, list.length, codec);
  return walk.finish();
}

/**
 * The same of the end of a list, with who speaks at the beginning, up to the first words of a person. Undefined where
 * what belongs together cannot be known without having read everything, and where no person speaks at that end.
 */
export function outlineEnd(
  list: readonly unknown[],
  from: number,
  { codec, profile }: { readonly codec: Codec; readonly profile: Profile },
): Outline | undefined {
  if (profile.pairs === 'anywhere' || profile.callSeals === true) return undefined;
  const walk = new OutlineWalk(profile, list.length, from);
  walk.through(list, list.length, codec);
  if (!walk.hasSpoken) return undefined;
  const head = new OutlineWalk(profile, 0, 0);
  for (let to = 1; to <= from && !head.hasSpoken; to += 1) head.through(list, to, codec);
  return walk.finish(head);
}

export function scanSafely(codec: Codec, wire: unknown, walk: SpeechWalk): boolean {
  try {
    codec.scan(wire, walk);
    return true;
  } catch {
    return false;
  }
}

class OutlineWalk extends SpeechWalk {
  private readonly from: number;
  private readonly roles: Role[];
  private readonly voices: Voice[];
  private readonly summaries: number[] = [];
  private readonly reaches: number[];
  private readonly answers: boolean[];
  private readonly calls: boolean[];
  private readonly links: Links;
  private readonly seals: CallSeals | undefined;
  private at: number;
  private hollow = false;
  private decides = false;
  /** Where a person last spoke. */
  private spoke = -1;
  private thrownIn = -1;

  constructor(profile: Profile, length: number, from: number) {
    super(profile);
    this.from = from;
    this.at = from - 1;
    // Most messages are what stands here already, and then nothing has to be noted.
    this.roles = new Array<Role>(length).fill('unreadable');
    this.voices = new Array<Voice>(length).fill('other');
    this.reaches = new Array<number>(length).fill(0);
    for (let i = 0; i < length; i += 1) this.reaches[i] = i;
    this.answers = new Array<boolean>(length).fill(false);
    this.calls = new Array<boolean>(length).fill(false);
    this.links = profile.pairs === 'anywhere' ? new FreeLinks(this.reaches) : new StepLinks(this.reaches);
    if (profile.callSeals === true) this.seals = new CallSeals(this.reaches);
  }

  get hasSpoken(): boolean {
    return this.spoke >= 0;
  }

  /** Goes on with what comes next, up to and excluding a place. */
  through(list: readonly unknown[], to: number, codec: Codec): void {
    for (let i = this.at + 1; i < to; i += 1) {
      const wire = list[i];
      // What throws when it is read is nobody's speech; what it may have begun stays noted, and forbids a cut at most.
      if (!scanSafely(codec, wire, this)) this.closeHostile(i);
      else if (this.mayBePerson) this.close(hear(wire, i, codec));
      else if (this.mayBeThrownIn && isThrownIn(wire, i, codec)) this.thrownIn = i;
    }
  }

  override message(role: Role): void {
    // A message of results that holds none, or a decision to let a call run, means something else at the end of a list.
    if (this.decides || (this.hollow && this.role === 'tool')) this.links.reachesNext();
    this.at += 1;
    super.message(role);
    this.hollow = true;
    this.decides = false;
    this.roles[this.at] = role;
    this.links.message(this.at);
    this.seals?.message(this.at, role);
  }

  override part(kind: PartKind, id: string | undefined, server: boolean): void {
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

  override fact(fact: Fact, detail?: Detail): void {
    if (fact === 'tool-family') this.links.family(String(detail));
    else if (fact === 'call-unsigned') this.seals?.unsigned();
    else if (fact === 'approval') this.decides = true;
  }

  item(_id: string | undefined, kind: ItemKind, program?: string): void {
    this.links.item(kind, program);
  }

  /** Somebody is heard in the message read last. */
  private close({ voice, summary }: Heard): void {
    this.voices[this.at] = voice;
    if (summary) this.summaries.push(this.at);
    if (voice === 'user') this.spoke = this.at;
  }

  /** A message that threw half way, or before it began. */
  private closeHostile(index: number): void {
    if (this.at < index) this.message('unreadable');
  }

  /** What was noted, with what another walk has noted of the beginning. */
  finish(head?: OutlineWalk): Outline {
    const { from, roles, voices, thrownIn, summaries, reaches, answers, calls } = this;
    head?.roles.forEach((role, i) => (roles[i] = role));
    head?.voices.forEach((voice, i) => (voices[i] = voice));
    const open = this.links.finish(this.spoke);
    const torn = from === 0 ? -1 : Math.max(from, this.links.stray);
    return { length: roles.length, from, torn, roles, voices, thrownIn, summaries, reaches, answers, calls, open };
  }
}
