import type { DatabaseSync } from 'node:sqlite';

import type { Environment } from '../../environment.ts';
import { StoreError } from '../../store-error.ts';
import { keepAlive, turnOfLoop } from '../waiting.ts';
import { closed } from '../../refusals.ts';
import { failure, isBusy, isIo } from './failure.ts';

/** How long to wait for another process's lock. */
const patienceMs = 10_000;

type Job = { readonly run: () => void; readonly settle: () => void; readonly reject: (error: StoreError) => void };

type Setting = {
  readonly database: DatabaseSync;
  readonly environment: Environment;
  readonly path: string;
  readonly committed: () => void;
};

/** Runs writes in transactions. Writes of one event-loop tick share a transaction and a sync. */
export class Jobs {
  readonly #setting: Setting;
  #queue: Job[] = [];
  #running: Promise<void> | undefined;
  #poison: StoreError | undefined;
  #closed = false;
  #commits = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  get commits(): number {
    return this.#commits;
  }

  /** Waits for accepted writes and refuses new ones. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#running !== undefined) await this.#running;
  }

  /** `work` runs inside the transaction. It throws a StoreError before it writes, or not at all. */
  add<T>(work: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(closed(`sqlite:${this.#setting.path}`));
    if (this.#poison !== undefined) return Promise.reject(this.#poison);
    return new Promise((resolve, reject) => {
      let settle = (): void => undefined;
      const run = (): void => {
        try {
          const value = work();
          settle = () => resolve(value);
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          settle = () => reject(error);
        }
      };
      this.#queue.push({ run, settle: () => settle(), reject });
      this.#running ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await turnOfLoop();
      const jobs = this.#queue;
      this.#queue = [];
      await this.#runTogether(jobs);
    }
    this.#running = undefined;
  }

  /** If the transaction fails, each write is tried alone, so that one bad write does not fail the others. */
  async #runTogether(jobs: readonly Job[]): Promise<void> {
    const error = await this.#transact(jobs);
    if (error === undefined) return;
    if (jobs.length > 1 && this.#poison === undefined) for (const job of jobs) await this.#runTogether([job]);
    else for (const { reject } of jobs) reject(error);
  }

  async #transact(jobs: readonly Job[]): Promise<StoreError | undefined> {
    const { database, path, committed } = this.#setting;
    if (this.#poison !== undefined) return this.#poison;
    let ending = false;
    try {
      await this.#begin();
      for (const { run } of jobs) run();
      ending = true;
      database.exec('commit');
    } catch (error) {
      return this.#fail(error, ending);
    }
    this.#commits += 1;
    for (const { settle } of jobs) settle();
    try {
      committed();
    } catch (error) {
      return this.#fail(failure(error, path), false);
    }
    return undefined;
  }

  #fail(cause: unknown, ending: boolean): StoreError {
    const { database, path } = this.#setting;
    const error = failure(cause, path);
    try {
      if (database.isTransaction) database.exec('rollback');
    } catch {
      // SQLite may have rolled back by itself; the first error is reported.
    }
    if (!isIo(cause) || !ending) return error;
    // After a failed sync, the system may have dropped pages, so a successful second sync proves nothing.
    this.#poison = new StoreError(
      'poisoned',
      `${error.message}; this store writes nothing more until it is opened again`,
      {
        ...error.details,
        cause,
      },
    );
    return this.#poison;
  }

  /** Waits for the lock without blocking the event loop. */
  async #begin(): Promise<void> {
    const { database, environment } = this.#setting;
    const until = environment.elapsed() + patienceMs;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
      try {
        database.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || environment.elapsed() >= until) throw error;
      }
      await keepAlive(new Promise<void>((resolve) => void environment.after(pauseMs, resolve)));
    }
  }
}
