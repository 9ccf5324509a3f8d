/** Names of tools that were looked at and found legal; a session calls a few tools thousands of times. */
export class MetNames {
  /** As many as a session has tools, by a place that their letters decide; the name in an empty place is legal too. */
  readonly #names: string[];

  constructor(legal = 'name') {
    this.#names = Array.from({ length: 32 }, () => legal);
  }

  has(name: string): boolean {
    return this.#names[placeOf(name)] === name;
  }

  add(name: string): void {
    this.#names[placeOf(name)] = name;
  }
}

function placeOf(name: string): number {
  return (name.length ^ name.charCodeAt(0) ^ name.charCodeAt(name.length - 1)) & 31;
}
