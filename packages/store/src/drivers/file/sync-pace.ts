import type { Place } from './layout.ts';

/** A sync that takes this long is a pause that others notice. */
const slowMs = 3;
/** So many are looked at: on a busy machine one may take long although the disk is fast, and the shortest tells. */
const window = 3;

/**
 * Syncs in this thread while the disk answers at once, which is nearly twice as fast, and in another one as soon as it
 * does not, so that the event loop never waits for a slow disk. Both are measured all the time.
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
