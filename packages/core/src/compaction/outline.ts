import type { Codec, ItemKind, Sink } from '../model/codec.ts';
import type { Detail, Fact } from '../model/fact.ts';
import type { PartKind, Role } from '../model/part.ts';
import { ScanMemory } from '../model/scan-memory.ts';
import type { Profile } from '../model/profile.ts';
import { mayBegin } from '../model/turn-start.ts';
import { addsToResults, authorOf, mayHoldSummary, type Author, type Authorship } from './author.ts';
import { CallResultLinks, CallSeals } from './message-reaches.ts';

/** What one walk notes of a list: who speaks, and how far what begins in a message reaches. */
export type Outline = {
  readonly length: number;
  readonly roles: readonly Role[];
  readonly authors: readonly Author[];
  /** Messages of the system at the beginning. */
  readonly leading: number;
  /** The last message in which a person says something beside results; -1 if nobody does. */
  readonly besideResults: number;
  /** Messages that hold a summary, by itself or with something said to it. */
  readonly summaries: readonly number[];
  /** By message: the last one that belongs with it; itself where nothing does. A call that waits reaches the end. */
  readonly reaches: readonly number[];
  /** By message: it carries results of calls made before it. */
  readonly answers: readonly boolean[];
  /** Messages that hold calls of the last turn which have no result. */
  readonly open: readonly number[];
};

type Reading = { readonly codec: Codec; readonly profile: Profile };

/**
 * Walks a list once and notes what a cut has to know of it. To save time, what stands between the first words of a
 * person and `from` may be left unread, but for summaries. There may be fewer cuts behind `from` then, but no others.
 */
export function outline(list: readonly unknown[], { codec, profile }: Reading, from = 0): Outline {
  return new OutlineWalk(profile, list.length).read(list, { codec, from });
}

class OutlineWalk implements Sink {
  readonly deep = false;
  total = 0;
  readonly memory: ScanMemory = new ScanMemory();
  readonly request = undefined;
  readonly profile: Profile;
  private readonly roles: Role[];
  private readonly authors: Author[];
  private readonly summaries: number[] = [];
  private readonly reaches: number[];
  private readonly answers: boolean[];
  private readonly links: CallResultLinks;
  private readonly seals: CallSeals | undefined;
  /** The message read last: its place, its role, and whether it has words, calls or results, and anything at all. */
  private at = -1;
  private role: Role = 'unreadable';
  private speaks = false;
  private carries = false;
  private hollow = false;
  private decides = false;
  /** Where a person last spoke. */
  private spoke = -1;
  private besideResults = -1;

  constructor(profile: Profile, length: number) {
    this.profile = profile;
    // Most messages are what stands here already, and then nothing has to be noted.
    this.roles = new Array<Role>(length).fill('unreadable');
    this.authors = new Array<Author>(length).fill('other');
    this.reaches = Array.from({ length }, (_, index) => index);
    this.answers = new Array<boolean>(length).fill(false);
    this.links = new CallResultLinks(this.reaches, profile.pairs === 'anywhere');
    if (profile.callSeals === true) this.seals = new CallSeals(this.reaches);
  }

  read(list: readonly unknown[], { codec, from }: { readonly codec: Codec; readonly from: number }): Outline {
    const { roles, authors, summaries, reaches, answers } = this;
    for (let i = 0; i < list.length; i += 1) {
      if (i < from && this.spoke >= 0 && !mayHoldSummary(list[i])) {
        this.at = i;
        this.links.leaveUnread(i);
      } else this.readMessage(list[i], i, codec);
    }
    const open = this.links.finish(this.spoke);
    const first = roles.findIndex((role) => role !== 'system');
    const leading = first < 0 ? roles.length : first;
    const { besideResults } = this;
    return { length: list.length, roles, authors, leading, besideResults, summaries, reaches, answers, open };
  }

  private readMessage(wire: unknown, index: number, codec: Codec): void {
    try {
      codec.scan(wire, this);
    } catch {
      // What throws when it is read is nobody's speech; what it may have begun stays noted, and forbids a cut at most.
      if (this.at < index) this.message('unreadable');
      return;
    }
    if (!this.speaks) return;
    if (mayBegin(this.role, this.carries)) this.note(authorOf(wire, index, codec));
    else if (this.role === 'user' && addsToResults(wire, index, codec)) this.besideResults = index;
  }

  message(role: Role): void {
    // A message of results that holds none, or a decision to let a call run, means something else at the end of a list.
    if (this.decides || (this.hollow && this.role === 'tool')) this.links.reachNext();
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
    if (fact === 'tool-family') this.links.startFamily(String(detail));
    else if (fact === 'call-unsigned') this.seals?.unsigned();
    else if (fact === 'approval') this.decides = true;
  }

  item(_id: string | undefined, kind: ItemKind, program?: string): void {
    this.links.item(kind, program);
  }

  private note({ author, summary }: Authorship): void {
    this.authors[this.at] = author;
    if (summary) this.summaries.push(this.at);
    if (author === 'user') this.spoke = this.at;
  }
}
