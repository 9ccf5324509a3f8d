/** The ids of the calls in one step, so that one that comes again is known. */
export class StepIds {
  readonly #known = new Map<string, { copies: number; closed: boolean }>();

  clear(): void {
    this.#known.clear();
  }

  /**
   * Adds a call; says how many of its id came before it. Two open calls are left to where calls are paired, so they
   * count as none; a `closed` one has its result with it.
   */
  add(id: string, closed: boolean): number {
    const before = this.#known.get(id);
    if (before === undefined) {
      this.#known.set(id, { copies: 1, closed });
      return 0;
    }
    const { copies } = before;
    before.copies += 1;
    before.closed ||= closed;
    return before.closed ? copies : 0;
  }
}
