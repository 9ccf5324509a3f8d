/** Heights of many rows. Finding a row by its offset, and changing a height, take a logarithm of their number. */
export class Heights {
  readonly count: number;
  readonly #heights: Float32Array;
  readonly #sums: Float64Array;
  readonly #measured: Uint8Array;
  #total = 0;

  constructor(count: number, estimate: (index: number) => number) {
    this.count = count;
    this.#heights = new Float32Array(count);
    this.#sums = new Float64Array(count + 1);
    this.#measured = new Uint8Array(count);
    for (let index = 0; index < count; index += 1) {
      const height = estimate(index);
      this.#heights[index] = height;
      this.#total += height;
      this.#sums[index + 1] = (this.#sums[index + 1] ?? 0) + height;
      const parent = index + 1 + ((index + 1) & -(index + 1));
      if (parent <= count) this.#sums[parent] = (this.#sums[parent] ?? 0) + (this.#sums[index + 1] ?? 0);
    }
  }

  get total(): number {
    return this.#total;
  }

  of(index: number): number {
    return this.#heights[index] ?? 0;
  }

  isMeasured(index: number): boolean {
    return this.#measured[index] === 1;
  }

  /** Notes what a row measures, and gives by how much it differs from what was believed. */
  measure(index: number, height: number): number {
    const change = Math.round(height) - this.of(index);
    this.#measured[index] = 1;
    if (change === 0) return 0;
    this.#heights[index] = Math.round(height);
    this.#total += change;
    for (let at = index + 1; at <= this.count; at += at & -at) this.#sums[at] = (this.#sums[at] ?? 0) + change;
    return change;
  }

  /** Where a row begins. */
  top(index: number): number {
    let sum = 0;
    for (let at = Math.min(index, this.count); at > 0; at -= at & -at) sum += this.#sums[at] ?? 0;
    return sum;
  }

  /** The row at an offset. */
  find(offset: number): number {
    let at = 0;
    let left = offset;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.count))); step > 0; step /= 2) {
      const sum = this.#sums[at + step];
      if (at + step <= this.count && sum !== undefined && sum <= left) {
        at += step;
        left -= sum;
      }
    }
    return Math.max(0, Math.min(at, this.count - 1));
  }
}
