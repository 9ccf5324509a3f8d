/** Things in order. Those at the front that have stopped waiting are never asked again. */
export class Queue<T> {
  readonly list: T[] = [];
  private start = 0;
  private readonly waits: (each: T) => boolean;

  constructor(waits: (each: T) => boolean) {
    this.waits = waits;
  }

  /** The first that still waits. */
  first(): T | undefined {
    for (let each = this.list[this.start]; each !== undefined; each = this.list[this.start]) {
      if (this.waits(each)) return each;
      this.start += 1;
    }
    return undefined;
  }
}
