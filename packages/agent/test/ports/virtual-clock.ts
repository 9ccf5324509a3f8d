import { setTimeout as pause } from 'node:timers/promises';

import type { Clock } from '../../src/clock.ts';

type Timer = { readonly at: number; readonly ms: number; readonly callback: () => void };

/** A clock that moves only on demand and knows its waiters. */
export class VirtualClock implements Clock {
  #now = 1_800_000_000_000;
  readonly #timers = new Set<Timer>();
  /** Counts every timer set or cancelled. */
  changes = 0;

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, ms, callback };
    this.#timers.add(timer);
    this.changes += 1;
    return () => {
      this.changes += 1;
      this.#timers.delete(timer);
    };
  }

  /** The lengths of the pending timers. */
  get waiting(): number[] {
    return [...this.#timers].map(({ ms }) => ms).sort((a, b) => a - b);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.callback();
    }
  }

  /** Waits, in real time, until a timer of this length is set. */
  async reached(ms: number): Promise<void> {
    for (let tries = 0; !this.waiting.includes(ms); tries += 1) {
      if (tries > 2_000) throw new Error(`nobody waits for ${ms} ms, only for ${this.waiting.join(', ')}`);
      await pause(2);
    }
  }

  /** Lets that much time pass repeatedly until there is an effect. */
  async passes<T>(ms: number, outcome: Promise<T>): Promise<T> {
    const state = { over: false };
    const ended = outcome.finally(() => {
      state.over = true;
    });
    for (let tries = 0; !state.over && tries < 50; tries += 1) {
      await this.still();
      this.advance(ms);
      await pause(0);
    }
    if (!state.over) throw new Error(`nothing ends it; there are timers of ${this.waiting.join(', ')} ms`);
    return ended;
  }

  /** Waits until no timer has changed for a while. */
  async still(): Promise<void> {
    for (let before = -1; before !== this.changes;) {
      before = this.changes;
      await pause(60);
    }
  }
}
