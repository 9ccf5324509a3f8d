/** Beyond this many calls a search through the ids for each of them would be slow. */
const FEW = 16;

/** The ids of the calls in one step, so that one that comes again is known. Reused, so that it allocates nothing. */
export class StepIds {
  readonly #ids: string[] = [];
  readonly #closed: boolean[] = [];
  #count = 0;
  #index: Map<string, { copies: number; closed: boolean }> | undefined;

  clear(): void {
    this.#count = 0;
    this.#index = undefined;
  }

  /**
   * Adds a call; says how many of its id came before it. Two open calls are left to where calls are paired, so they
   * count as none; a `closed` one has its result with it.
   */
  add(id: string, closed: boolean): number {
    const known = this.#find(id);
    this.#ids[this.#count] = id;
    this.#closed[this.#count] = closed;
    this.#count += 1;
    if (this.#index !== undefined) {
      this.#index.set(id, { copies: known.copies + 1, closed: known.closed || closed });
    } else if (this.#count > FEW) {
      this.#index = new Map();
      for (let i = 0; i < this.#count; i += 1) this.#note(this.#index, i);
    }
    return closed || known.closed ? known.copies : 0;
  }

  #note(index: Map<string, { copies: number; closed: boolean }>, at: number): void {
    const id = this.#ids[at] ?? '';
    const before = index.get(id) ?? NONE;
    index.set(id, { copies: before.copies + 1, closed: before.closed || this.#closed[at] === true });
  }

  #find(id: string): { copies: number; closed: boolean } {
    if (this.#index !== undefined) return this.#index.get(id) ?? NONE;
    let copies = 0;
    let closed = false;
    for (let i = 0; i < this.#count; i += 1) {
      if (this.#ids[i] !== id) continue;
      copies += 1;
      closed ||= this.#closed[i] === true;
    }
    return copies === 0 ? NONE : { copies, closed };
  }
}

const NONE = { copies: 0, closed: false };
