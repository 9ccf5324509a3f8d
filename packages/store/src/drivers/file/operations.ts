/** Operations are remembered for so many of the newest records. */
export const rememberedRecords = 20_000;

/** Operations and the heads that they made. What is older than anybody may ask for is dropped, now and then. */
export class Operations {
  readonly #heads = new Map<string, number>();

  get size(): number {
    return this.#heads.size;
  }

  get(op: string): number | undefined {
    return this.#heads.get(op);
  }

  add(op: string, head: number): void {
    this.#heads.set(op, head);
    if (this.#heads.size > 2 * rememberedRecords) this.#dropBefore(head - rememberedRecords);
  }

  delete(op: string): void {
    this.#heads.delete(op);
  }

  /** At most every record has an operation of its own, so that this comes as rarely as there is much to drop. */
  #dropBefore(head: number): void {
    for (const [op, made] of this.#heads) if (made <= head) this.#heads.delete(op);
  }
}
