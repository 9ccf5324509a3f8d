/** Characters at the end of an id that are looked at; what providers give differs there. */
const SAMPLE = 12;

/**
 * Remembers ids by a sample of their characters, in a table that is kept and used again, so that a walk allocates
 * nothing. Enough to be sure that no id came twice, not to be sure that one did.
 */
export class IdSketch {
  #room = 4096;
  #low = new Int32Array(4096);
  #high = new Int32Array(4096);
  /** The round in which a slot was filled; slots of earlier rounds are empty. */
  #rounds = new Float64Array(4096);
  #round = 0;
  #count = 0;

  /** Forgets everything. */
  begin(): void {
    this.#round += 1;
    this.#count = 0;
  }

  /** Adds an id; true when one like it was there. */
  add(id: string): boolean {
    const end = id.length;
    let low = end;
    let high = id.charCodeAt(0) + id.charCodeAt(end >> 1);
    for (let i = end > SAMPLE ? end - SAMPLE : 0; i < end; i += 1) {
      const unit = id.charCodeAt(i);
      low = Math.imul(low ^ unit, 2654435761);
      high = Math.imul(high ^ unit, 1597334677);
    }
    low ^= low >>> 15;
    if (this.#put(low, high)) return true;
    this.#count += 1;
    if (this.#count * 2 > this.#room) this.#grow();
    return false;
  }

  #put(low: number, high: number): boolean {
    const last = this.#room - 1;
    let slot = low & last;
    while (this.#rounds[slot] === this.#round) {
      if (this.#low[slot] === low && this.#high[slot] === high) return true;
      slot = (slot + 1) & last;
    }
    this.#rounds[slot] = this.#round;
    this.#low[slot] = low;
    this.#high[slot] = high;
    return false;
  }

  #grow(): void {
    const [lows, highs, rounds] = [this.#low, this.#high, this.#rounds];
    this.#room *= 2;
    this.#low = new Int32Array(this.#room);
    this.#high = new Int32Array(this.#room);
    this.#rounds = new Float64Array(this.#room);
    for (const [slot, low] of lows.entries()) {
      if (rounds[slot] === this.#round) this.#put(low, Number(highs[slot]));
    }
  }
}
