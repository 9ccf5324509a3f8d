import { doubled, tailOf } from './id-sketch.ts';

/** Some messages in a row: the first, and the one behind the last. */
export type Span = { readonly from: number; readonly to: number };

/** A power of two: so many places tell nearly all other ids from the ones that are looked for. */
const PLACES = 8192;

/** More calls of one step are not compared one by one here. */
const FEW = 16;

/**
 * Knows which steps of a list call under which ids, in tables that are kept and used again, so that a walk allocates
 * nothing. Ids that end alike count as one.
 */
export class StepIndex {
  /** By call: how its id ends. */
  #tails = new Int32Array(2048);
  #calls = 0;
  /** By step: its first message and its first call. */
  #starts = new Int32Array(1024);
  #firstCalls = new Int32Array(1024);
  #steps = 0;
  /** By the place that the end of an id decides: 1 for the ids that are looked for. */
  readonly #wanted = new Uint8Array(PLACES);

  /** How often it has begun anew. */
  round = 0;

  /** Forgets everything, and begins with what stands before all steps. */
  begin(): number {
    this.#calls = 0;
    this.#steps = 0;
    this.newStep(0);
    this.round += 1;
    return this.round;
  }

  newStep(message: number): void {
    const step = this.#steps;
    if (step === this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#firstCalls = doubled(this.#firstCalls);
    }
    this.#starts[step] = message;
    this.#firstCalls[step] = this.#calls;
    this.#steps = step + 1;
  }

  /** The number of the step that began last. */
  get step(): number {
    return this.#steps - 1;
  }

  /** Adds a call; false where no other of the same step can have its id. */
  call(id: string): boolean {
    const call = this.#calls;
    if (call === this.#tails.length) this.#tails = doubled(this.#tails);
    const tails = this.#tails;
    const tail = tailOf(id);
    tails[call] = tail;
    this.#calls = call + 1;
    const first = Number(this.#firstCalls[this.#steps - 1]);
    if (call - first > FEW) return true;
    for (let other = first; other < call; other += 1) if (tails[other] === tail) return true;
    return false;
  }

  /** Adds the steps that call under one of these ids. */
  addCalling(ids: Iterable<string>, steps: Set<number>): void {
    const sought = new Set<number>();
    for (const id of ids) sought.add(tailOf(id));
    const wanted = this.#wanted;
    for (const tail of sought) wanted[placeOf(tail)] = 1;
    const tails = this.#tails;
    const end = this.#calls;
    let step = 0;
    for (let call = 0; call < end; call += 1) {
      const tail = Number(tails[call]);
      if (wanted[placeOf(tail)] !== 1 || !sought.has(tail)) continue;
      while (step + 1 < this.#steps && Number(this.#firstCalls[step + 1]) <= call) step += 1;
      steps.add(step);
    }
    for (const tail of sought) wanted[placeOf(tail)] = 0;
  }

  /** The messages of a step, in a list that ends before the message given. */
  span(step: number, end: number): Span {
    const next = step + 1;
    return { from: Number(this.#starts[step]), to: next < this.#steps ? Number(this.#starts[next]) : end };
  }
}

function placeOf(tail: number): number {
  return (tail ^ (tail >>> 11) ^ (tail >>> 19)) & (PLACES - 1);
}
