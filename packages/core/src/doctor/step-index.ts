import { IdSketch } from './id-sketch.ts';

/** Some messages in a row: the first, and the one behind the last. */
export type Span = { readonly from: number; readonly to: number };

/**
 * Knows which steps of a list call under which ids, in tables that are kept and used again, so that a walk allocates
 * nothing. Ids that look alike count as one.
 */
export class StepIndex {
  readonly #ids = new IdSketch();
  /** By call: the one before it under the same id, or -1, and the step it belongs to. */
  #before = new Int32Array(2048);
  #stepOf = new Int32Array(2048);
  #calls = 0;
  /** By step: its first message. */
  #starts = new Int32Array(1024);
  #steps = 0;

  /** How often it has begun anew. */
  round = 0;

  /** Forgets everything, and begins with what stands before all steps. */
  begin(): number {
    this.#ids.begin();
    this.#calls = 0;
    this.#steps = 0;
    this.newStep(0);
    this.round += 1;
    return this.round;
  }

  newStep(message: number): void {
    if (this.#steps === this.#starts.length) this.#starts = doubled(this.#starts);
    this.#starts[this.#steps] = message;
    this.#steps += 1;
  }

  /** The number of the step that began last. */
  get step(): number {
    return this.#steps - 1;
  }

  call(id: string): void {
    const call = this.#calls;
    if (call === this.#before.length) {
      this.#before = doubled(this.#before);
      this.#stepOf = doubled(this.#stepOf);
    }
    this.#before[call] = this.#ids.swap(id, call);
    this.#stepOf[call] = this.step;
    this.#calls += 1;
  }

  /** Adds the steps that call under one of these ids. */
  addCalling(ids: Iterable<string>, steps: Set<number>): void {
    for (const id of ids) {
      // Calls whose ids look alike hang together, so they are gone through once and then let go.
      let call = this.#ids.swap(id, -1);
      for (; call >= 0; call = Number(this.#before[call])) steps.add(Number(this.#stepOf[call]));
    }
  }

  /** The messages of a step, in a list that ends before the message given. */
  span(step: number, end: number): Span {
    const next = step + 1;
    return { from: Number(this.#starts[step]), to: next < this.#steps ? Number(this.#starts[next]) : end };
  }
}

function doubled(list: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(list.length * 2);
  more.set(list);
  return more;
}
