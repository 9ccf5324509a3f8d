/** Yields all values from the first one to every reader, even a late one. */
export class EventFeed<T> {
  readonly #values: T[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #onLeave: () => void;
  #end: { readonly error?: Error } | undefined;

  /** Called when a reader stops early. */
  constructor(onLeave: () => void) {
    this.#onLeave = onLeave;
  }

  push(value: T): void {
    this.#values.push(value);
    this.#wake();
  }

  close(error?: Error): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
  }

  async *read(): AsyncGenerator<T, void, void> {
    let over = false;
    try {
      for (let index = 0; ; index += 1) {
        while (index >= this.#values.length && this.#end === undefined) await this.#more();
        if (index >= this.#values.length) break;
        yield this.#values[index] as T;
      }
      over = true;
    } finally {
      if (!over && this.#end === undefined) this.#onLeave();
    }
    if (this.#end?.error !== undefined) throw this.#end.error;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.add(resolve));
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const each of waiting) each();
  }
}
