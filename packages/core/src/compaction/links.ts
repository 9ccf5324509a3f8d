import type { ItemKind } from '../model/codec.ts';
import { indexAt } from '../model/index-at.ts';

/** Notes for every message with calls how far the results of these calls reach. */
export abstract class Links {
  protected at = -1;
  /** The newest message with calls in it. */
  protected caller = -1;
  /** The newest message with a result whose call is not among what has been read; -1 where there is none. */
  stray = -1;
  private readonly reaches: number[];

  constructor(reaches: number[]) {
    this.reaches = reaches;
  }

  message(at: number): void {
    this.at = at;
  }

  abstract call(id: string | undefined, server: boolean): void;

  abstract result(id: string | undefined, server: boolean): void;

  /** The next call or result belongs to tools whose ids are their own. */
  family(_name: string): void {
    // Only some dialects have families.
  }

  /** An entry that the provider may keep under an id of its own. */
  item(_kind: ItemKind, _program: string | undefined): void {
    // Only some dialects have entries.
  }

  /** Messages with calls that wait for a result: those after the place where a person last spoke. */
  finish(spoke: number): number[] {
    const waiting = [...new Set(this.unanswered().filter((call) => call > spoke))];
    for (const call of waiting) this.extend(call, this.reaches.length);
    return waiting;
  }

  /** The message read last belongs with the one behind it. */
  reachesNext(): void {
    this.extend(this.at, this.at + 1);
  }

  /** The messages of calls that have no result. */
  protected abstract unanswered(): number[];

  /** What stands at a place belongs with the message read last. */
  protected reach(from = -1): void {
    if (from >= 0) this.extend(from, this.at);
  }

  protected extend(from: number, to: number): void {
    this.reaches[from] = Math.max(indexAt(this.reaches, from), to);
  }
}
