/** Characters at the end of an id that are looked at; what providers give differs there. */
const SAMPLE = 8;

/** By slot: the round in which it was filled, two halves of what the id looks like, and the number. */
const WIDTH = 4;

const LOW = 2654435761;
const HIGH = 1597334677;

/**
 * Remembers a number for each id, which it knows by a sample of its characters, in a table that is kept and used again,
 * so that a walk allocates nothing. Enough to be sure that no id came twice, not to be sure that one did.
 */
export class IdSketch {
  #table = new Int32Array(4096 * WIDTH);
  #round = 0;
  #count = 0;
  readonly #lastRound: number;

  constructor(lastRound: number = 2 ** 30) {
    this.#lastRound = lastRound;
  }

  /** Forgets everything: slots of earlier rounds are empty. */
  begin(): void {
    this.#count = 0;
    this.#round += 1;
    if (this.#round <= this.#lastRound) return;
    this.#table.fill(0);
    this.#round = 1;
  }

  /** Puts a number under an id; what was under one like it before, or -1. */
  swap(id: string, number: number): number {
    const end = id.length;
    const i = end - SAMPLE;
    if (i < 0) return this.#put(ofShort(id, LOW), ofShort(id, HIGH), number);
    // Two halves side by side, so that neither product waits for the other, and no loop: most ids go this way.
    let low = Math.imul(end ^ id.charCodeAt(i), LOW);
    let high = Math.imul(id.charCodeAt(end >> 1) ^ id.charCodeAt(i + 1), HIGH);
    low = Math.imul(low ^ id.charCodeAt(i + 2), LOW);
    high = Math.imul(high ^ id.charCodeAt(i + 3), HIGH);
    low = Math.imul(low ^ id.charCodeAt(i + 4), LOW);
    high = Math.imul(high ^ id.charCodeAt(i + 5), HIGH);
    low = Math.imul(low ^ id.charCodeAt(i + 6), LOW);
    high = Math.imul(high ^ id.charCodeAt(i + 7), HIGH);
    return this.#put(low ^ (high >>> 15), high, number);
  }

  #put(low: number, high: number, number: number): number {
    const table = this.#table;
    const round = this.#round;
    const last = table.length - 1;
    let slot = Math.imul(low, WIDTH) & last;
    while (table[slot] === round) {
      if (table[slot + 1] === low && table[slot + 2] === high) {
        const before = Number(table[slot + 3]);
        table[slot + 3] = number;
        return before;
      }
      slot = (slot + WIDTH) & last;
    }
    table[slot] = round;
    table[slot + 1] = low;
    table[slot + 2] = high;
    table[slot + 3] = number;
    this.#count += 1;
    if (this.#count * 2 * WIDTH > table.length) this.#grow();
    return -1;
  }

  #grow(): void {
    const old = this.#table;
    this.#table = new Int32Array(old.length * 2);
    this.#count = 0;
    for (let slot = 0; slot < old.length; slot += WIDTH) {
      if (old[slot] !== this.#round) continue;
      this.#put(Number(old[slot + 1]), Number(old[slot + 2]), Number(old[slot + 3]));
    }
  }
}

/** One half of what an id of few characters looks like. */
function ofShort(id: string, factor: number): number {
  let half = id.length;
  for (let i = 0; i < id.length; i += 1) half = Math.imul(half ^ id.charCodeAt(i), factor);
  return half ^ (half >>> 15);
}
