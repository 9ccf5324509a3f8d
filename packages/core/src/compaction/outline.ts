import type { Codec, ItemKind, Sink } from '../model/codec.ts';
import type { Detail, Fact } from '../model/fact.ts';
import { indexAt } from '../model/index-at.ts';
import type { PartKind, Role } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import { ScanMemory } from '../model/scan-memory.ts';
import { mayBegin } from '../model/turn-start.ts';
import { addsToResults, authorOf, mayHoldSummary, type Author, type Authorship } from './author.ts';

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

type Call = { readonly at: number; readonly key: string; readonly server: boolean };

/** Notes for every message with calls how far the results of these calls reach. */
export class CallResultLinks {
  private readonly reaches: number[];
  /** Any result under the id of a call answers it, wherever it stands; otherwise one of the same step. */
  private readonly anywhere: boolean;
  private at = -1;
  /** The newest message with calls in it. */
  private caller = -1;
  /** The newest call of each id: of the open step or, where results may stand anywhere, of the whole list. */
  private readonly calls = new Map<string, Call>();
  /** Calls without a result. */
  private readonly open = new Set<Call>();
  /** The message of the newest result of each id. */
  private readonly results = new Map<string, number>();
  private family = '';
  /** A message with calls that are not known: it was left unread, or stands for others which the provider keeps. */
  private unknown = -1;

  constructor(reaches: number[], anywhere: boolean) {
    this.reaches = reaches;
    this.anywhere = anywhere;
  }

  message(at: number): void {
    this.at = at;
    this.family = '';
  }

  leaveUnread(at: number): void {
    this.unknown = at;
  }

  /** The next call or result belongs to tools whose ids are their own. */
  startFamily(name: string): void {
    this.family = `${name}\n`;
  }

  call(id: string | undefined, server: boolean): void {
    this.caller = this.at;
    if (!this.anywhere && this.open.size === 0) this.calls.clear();
    const key = this.keyOf(id, server);
    const before = this.calls.get(key);
    // One result is going to answer both of them.
    if (this.anywhere && before !== undefined && this.open.delete(before)) this.reach(before.at);
    // Calls of one message that share an id are answered together.
    if (!this.anywhere && before?.at === this.at) return;
    const call = { at: this.at, key, server };
    this.calls.set(key, call);
    this.open.add(call);
  }

  result(id: string | undefined, server: boolean): void {
    const key = this.keyOf(id, server);
    const call = this.calls.get(key);
    if (this.anywhere) this.results.set(key, this.at);
    if (call !== undefined) {
      this.open.delete(call);
      return this.reach(call.at);
    }
    // A result that names no call answers the step before it, or a call that is not known.
    this.reach(this.caller);
    this.reach(this.unknown);
  }

  /** An entry that the provider may keep under an id of its own: what a program gave belongs with the program. */
  item(kind: ItemKind, program: string | undefined): void {
    if (kind === 'reference' && this.unknown < 0) this.unknown = this.at;
    if (program === undefined) return;
    const key = `program\n${program}`;
    if (kind === 'program-output') this.reach(this.calls.get(key)?.at ?? this.unknown);
    else this.calls.set(key, { at: this.at, key, server: false });
  }

  /** The message read last belongs with the one behind it. */
  reachNext(): void {
    this.extend(this.at, this.at + 1);
  }

  /** Messages with calls that wait for a result: those after the place where a person last spoke. */
  finish(spoke: number): number[] {
    const waiting = new Set<number>();
    for (const { at, key, server } of this.open) {
      const earlier = this.results.get(key);
      // The result of an earlier call with this id does for this one too.
      if (earlier !== undefined) this.extend(earlier, at);
      else if (at > spoke && (this.anywhere || !server)) waiting.add(at);
    }
    for (const at of waiting) this.extend(at, this.reaches.length);
    return [...waiting];
  }

  /** Without an id a result is matched with the newest call that has none either. */
  private keyOf(id = '', server: boolean): string {
    if (this.anywhere) return this.family + id;
    return server ? `server\n${id}` : id;
  }

  /** What stands at a place belongs with the message read last. */
  private reach(from: number): void {
    if (from >= 0) this.extend(from, this.at);
  }

  private extend(from: number, to: number): void {
    this.reaches[from] = Math.max(indexAt(this.reaches, from), to);
  }
}

/**
 * Where a provider signs the first call of a step, it asks for the signature until the user speaks again. A step that
 * has lost it must therefore not be made the last one of a list.
 */
export class CallSeals {
  private readonly reaches: number[];
  private at = -1;
  private role: Role | undefined = undefined;
  /** Calls in the step so far, and in the message read last. */
  private calls = 0;
  private own = 0;
  /** The first call since the user spoke that opens a step and is not signed. */
  private missing = -1;
  private answered = true;

  constructor(reaches: number[]) {
    this.reaches = reaches;
  }

  message(at: number, role: Role): void {
    // An answer without a call ends the turn, so the list may end there.
    this.answered = this.role === 'assistant' && this.own === 0;
    if (role === 'assistant' && this.role !== 'assistant') this.calls = 0;
    this.at = at;
    this.role = role;
    this.own = 0;
  }

  call(): void {
    this.calls += 1;
    this.own += 1;
  }

  /** The call read last is not signed. */
  unsigned(): void {
    if (this.calls === 1 && this.missing < 0) this.missing = this.at;
  }

  userSpeaks(): void {
    if (this.missing >= 0 && !this.answered) {
      this.reaches[this.missing] = Math.max(indexAt(this.reaches, this.missing), this.at);
    }
    this.missing = -1;
  }
}
