import type { Place } from './layout.ts';

/** A sync of this length is a noticeable pause. */
const slowMs = 3;
/** The shortest of this many syncs decides, because a busy machine may delay one on a fast disk. */
const window = 3;

/**
 * Syncs on this thread while the disk is fast, which nearly doubles the rate. Syncs on another thread when it is slow,
 * so that the event loop never waits. Both are measured continuously.
 */
export class SyncPace {
  readonly #place: Place;
  #last: number[] = [];
  #elsewhere = true;

  constructor(place: Place) {
    this.#place = place;
  }

  sync(file: number): Promise<void> | undefined {
    const { files, environment } = this.#place;
    const started = environment.elapsed();
    if (this.#elsewhere) return this.#syncElsewhere(file, started);
    files.sync(file);
    this.#measure(environment.elapsed() - started);
    return undefined;
  }

  async #syncElsewhere(file: number, started: number): Promise<void> {
    const { files, environment } = this.#place;
    await files.syncLater(file);
    this.#measure(environment.elapsed() - started);
  }

  #measure(ms: number): void {
    this.#last = [...this.#last.slice(1 - window), ms];
    this.#elsewhere = Math.min(...this.#last) >= slowMs;
  }
}
