import type { ItemKind } from '../model/codec.ts';
import { indexAt } from '../model/index-at.ts';
import type { Role } from '../model/part.ts';

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
