/** What a codec works out about a list or an object, once for each of them. It lives as long as its run. */
export class CodecMemory {
  readonly #made = new Map<unknown, WeakMap<object, unknown>>();

  once<Of extends object, Made>(of: Of, make: (of: Of) => Made): Made {
    const known = this.#made.get(make) ?? new WeakMap<object, unknown>();
    this.#made.set(make, known);
    if (!known.has(of)) known.set(of, make(of));
    return known.get(of) as Made;
  }
}
