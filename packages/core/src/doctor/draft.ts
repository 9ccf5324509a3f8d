import type { Codec } from '../model/codec.ts';
import type { Message } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { sameJson } from '../model/value.ts';
import { indexAt } from '../model/index-at.ts';
import type { Counted } from './walk.ts';

/** What a round of edits makes of a draft. */
export type Advance = {
  readonly wire: readonly unknown[];
  readonly sources: readonly number[];
  readonly edited: Map<number, Message>;
  /** Messages that it has made, and those that rounds before it have made since the last walk. */
  readonly fresh: ReadonlySet<number>;
};

/** A history under repair: the wire as it stands now, and where each message came from. */
export class Draft {
  readonly codec: Codec;
  /** The messages as they would be sent. Replaced, never changed in place: it may be the caller's own list. */
  wire: readonly unknown[];
  /** The messages as they were given. */
  readonly given: readonly unknown[];
  body: Readonly<Record<string, unknown>> | undefined;
  /** System messages taken out of a bare list, as wire. */
  readonly lifted: unknown[] = [];
  /** Characters of the input's content that are gone. */
  lost = 0;
  /** The first place in the input whose bytes are not as they were; undefined while there is none. */
  firstChange: { readonly message: number; readonly part: number } | undefined = undefined;
  /** What was worked out about this state of the draft, by name. */
  readonly notes: Map<string, unknown> = new Map();
  /** How often the list was walked. */
  walks = 0;
  /** How many messages were read again because a walk without a ledger could not tell what belongs together. */
  readAgain = 0;
  /** They have been counted as a walk. */
  doubted = false;
  /** What was counted when all messages were read in depth. */
  counted: Counted = { markers: 0, images: 0 };
  /** There are about as many of these as may be, so that each walk has to count all of them again. */
  crowded = false;
  /** Messages that no walk has read in depth; undefined means all of them. */
  fresh: ReadonlySet<number> | undefined = undefined;
  /** Messages that rounds of edits have made since the last walk, as far as they are known one by one. */
  made: ReadonlySet<number> = new Set();
  private edits = new Map<number, Message>();
  private readonly read = new Map<number, Message>();
  private sources: readonly number[] | undefined = undefined;
  private nearest: readonly number[] | undefined = undefined;

  constructor(codec: Codec, wire: readonly unknown[], body: Readonly<Record<string, unknown>> | undefined) {
    this.codec = codec;
    this.wire = wire;
    this.given = wire;
    this.body = body;
  }

  /** The message at an index of the draft, with places in the input. */
  message(index: number): Message {
    let message = this.edits.get(index) ?? this.read.get(index);
    if (message === undefined) {
      message = readSafely(this.codec, this.wire[index], this.source(index));
      this.read.set(index, message);
    }
    return message;
  }

  /** An edited message, if the one at this index was edited in an earlier round. */
  edited(index: number): Message | undefined {
    return this.edits.get(index);
  }

  /** Where messages stand that were edited in earlier rounds. */
  editedIndexes(): Iterable<number> {
    return this.edits.keys();
  }

  /** The index in the input of a message of the draft; -1 if we invented it. */
  source(index: number): number {
    return this.sources === undefined ? index : indexAt(this.sources, index);
  }

  /** The index in the input of the last message at or before this one that came from it; -1 if none did. */
  sourceBefore(index: number): number {
    const own = this.source(index);
    if (own >= 0 || index < 0) return own;
    this.nearest ??= this.findNearest();
    return indexAt(this.nearest, index);
  }

  private findNearest(): number[] {
    let last = -1;
    return this.wire.map((_, index) => {
      last = Math.max(this.source(index), last);
      return last;
    });
  }

  /** Puts back the caller's own object wherever edits have led back to what it says. */
  restoreSame(input: readonly unknown[]): void {
    let wire: unknown[] | undefined;
    for (const [index, message] of this.edits) {
      const sources = new Set([message.at, ...message.parts.map((part) => part.at?.message ?? -1)]);
      const source = [...sources].find((at) => at >= 0 && isSame(this.wire[index], input[at]));
      if (source === undefined) continue;
      const original = input[source];
      wire ??= [...this.wire];
      wire[index] = original;
    }
    if (wire === undefined) return;
    const whole = wire.length === input.length && wire.every((message, index) => message === input[index]);
    this.wire = whole ? input : wire;
  }

  /** Notes that the input was changed from this place on. */
  changedAt(message: number, part: number): void {
    const first = this.firstChange;
    const earlier = first === undefined || message < first.message || (message === first.message && part < first.part);
    if (earlier) this.firstChange = { message, part };
  }

  /** Lets go of everything worked out so far, because the list has changed or grown. */
  forget(): void {
    this.read.clear();
    this.nearest = undefined;
    this.notes.clear();
  }

  advance(next: Advance): void {
    this.forget();
    this.wire = next.wire;
    this.sources = next.sources;
    this.edits = next.edited;
    this.made = next.fresh;
    this.fresh = this.crowded || this.fresh === undefined ? undefined : next.fresh;
  }
}

/** The same bytes of the same class: what an object inherits is not sent, but it is read. */
function isSame(made: unknown, original: unknown): boolean {
  if (!sameJson(made, original)) return false;
  return Object.getPrototypeOf(Object(made)) === Object.getPrototypeOf(Object(original));
}
