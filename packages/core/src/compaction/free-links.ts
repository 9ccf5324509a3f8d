import type { ItemKind } from '../model/codec.ts';
import { Links } from './links.ts';

/** Links where a provider takes any result under the id of a call for its answer, wherever it stands. */
export class FreeLinks extends Links {
  /** By family and id: the message of the newest call. */
  private readonly calls = new Map<string, number>();
  /** The same of calls that have no result yet. */
  private readonly open = new Map<string, number>();
  /** By family and id: the message of the newest result. */
  private readonly results = new Map<string, number>();
  private familyName = '';
  /** The first message that stands for others which only the provider knows. */
  private reference = -1;

  override message(at: number): void {
    super.message(at);
    this.familyName = '';
  }

  override family(name: string): void {
    this.familyName = name;
  }

  call(id: string | undefined): void {
    this.caller = this.at;
    const key = this.keyOf(id);
    // One result is going to answer both of them.
    this.reach(this.open.get(key));
    this.calls.set(key, this.at);
    this.open.set(key, this.at);
  }

  result(id: string | undefined): void {
    const key = this.keyOf(id);
    this.open.delete(key);
    this.results.set(key, this.at);
    const call = this.calls.get(key);
    if (call !== undefined) return this.reach(call);
    // A result that names no call of the list answers the step before it, or something that is only referred to.
    this.reach(this.caller);
    this.reach(this.reference);
  }

  /** What a program gave belongs with the program. */
  override item(kind: ItemKind, program: string | undefined): void {
    if (kind === 'reference' && this.reference < 0) this.reference = this.at;
    if (program === undefined) return;
    const key = `program\n${program}`;
    if (kind === 'program-output') this.reach(this.calls.get(key) ?? this.reference);
    else this.calls.set(key, this.at);
  }

  protected unanswered(): number[] {
    const calls: number[] = [];
    for (const [key, call] of this.open) {
      const earlier = this.results.get(key);
      // The result of an earlier call with this id does for this one too.
      if (earlier === undefined) calls.push(call);
      else this.extend(earlier, call);
    }
    return calls;
  }

  /** Without an id a result is matched with the newest call that has none either. */
  private keyOf(id = ''): string {
    return this.familyName === '' ? id : `${this.familyName}\n${id}`;
  }
}
