import type { Clock } from '../src/clock.ts';

type Timer = { readonly at: number; readonly callback: () => void };

/** Time that passes only on demand. */
export class VirtualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Timers that were not cancelled. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets time pass timer by timer, with all effects of each before the next. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await quiet();
      const next = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
    await quiet();
  }
}

/** Resolves when nothing is left to do without time passing. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}
