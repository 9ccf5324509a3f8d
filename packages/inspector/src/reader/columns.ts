/** A growing list of whole numbers that takes no more memory than its numbers. */
export class Column<T extends Uint8Array | Uint32Array | Float64Array> {
  #data: T;
  length = 0;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.#data = make(1024);
  }

  push(value: number): void {
    if (this.length === this.#data.length) {
      const wider = this.#make(this.length * 2);
      wider.set(this.#data);
      this.#data = wider;
    }
    this.#data[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.#data[index] ?? 0;
  }

  set(index: number, value: number): void {
    if (index < this.length) this.#data[index] = value;
  }

  /** The last index whose value is at most the one given, in a list that only grows. */
  findLastAtMost(value: number): number {
    let [low, high] = [0, this.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.at(middle) <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  view(): T {
    return this.#data.subarray(0, this.length) as T;
  }
}

export const bytesColumn = (): Column<Uint8Array> => new Column((length) => new Uint8Array(length));
export const countsColumn = (): Column<Uint32Array> => new Column((length) => new Uint32Array(length));
export const placesColumn = (): Column<Float64Array> => new Column((length) => new Float64Array(length));
