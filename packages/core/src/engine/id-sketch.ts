/**
 * Remembers a number for each id, which it knows by its mark, in tables that are kept and used again, so that a walk
 * allocates nothing. Enough to be sure that no id came twice, not to be sure that one did. Ids are
 * compared at the end and in one go: one by one, each would have to wait for its own place in the memory.
 */
export class IdSketch {
  /** By id, in their order: what it looks like, and its number. */
  #marks = new Int32Array(1024);
  #numbers = new Int32Array(1024);
  #count = 0;
  /** By the place that a mark decides: one more than the index of the id, or 0. */
  #places = new Int32Array(4096);

  /** Forgets everything. */
  begin(): void {
    this.#count = 0;
  }

  add(mark: number, number: number): void {
    const index = this.#count;
    if (index === this.#marks.length) {
      this.#marks = doubled(this.#marks);
      this.#numbers = doubled(this.#numbers);
      this.#places = new Int32Array(index * 8);
    }
    this.#marks[index] = mark;
    this.#numbers[index] = number;
    this.#count = index + 1;
  }

  /** The numbers of ids that look like another one; undefined where none does. */
  alike(): Set<number> | undefined {
    const marks = this.#marks;
    const places = this.#places;
    const count = this.#count;
    // A power of two, of which at most half is taken, and no more of the table than that.
    const size = 1 << (32 - Math.clz32(count * 2));
    const last = size - 1;
    let alike: Set<number> | undefined;
    places.fill(0, 0, size);
    for (let index = 0; index < count; index += 1) {
      const mark = Number(marks[index]);
      let place = (mark ^ (mark >>> 15)) & last;
      let other = Number(places[place]);
      while (other !== 0 && marks[other - 1] !== mark) {
        place = (place + 1) & last;
        other = Number(places[place]);
      }
      if (other === 0) places[place] = index + 1;
      else (alike ??= new Set()).add(Number(this.#numbers[other - 1])).add(Number(this.#numbers[index]));
    }
    return alike;
  }
}

/** Twice as much room, with what was there. */
function doubled(list: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(list.length * 2);
  more.set(list);
  return more;
}
