import type { DatabaseSync } from 'node:sqlite';

import type { Environment } from '../../environment.ts';
import { keepAlive } from '../waiting.ts';
import { failure } from './failure.ts';
import type { Jobs } from './jobs.ts';

/** How long an erasure waits for readers. */
const patienceMs = 1_000;
/** The retry interval after that. */
const againMs = 1_000;

/**
 * Removes erased bytes from the files. They stay in the write-ahead log until it is emptied, which a reader can delay.
 * So an erasure sets a mark in its transaction. This process or the next one clears it after emptying the log.
 */
export type Forgetting = {
  /** Tries for a while; returns a sentence about what is left and continues in the background. */
  readonly finish: () => Promise<string | undefined>;
  /** Continues the unfinished work of any process. */
  readonly resume: () => void;
  readonly close: () => void;
};

type Setting = {
  readonly database: DatabaseSync;
  readonly environment: Environment;
  readonly path: string;
  readonly jobs: Jobs;
};

export function createForgetting({ database, environment, path, jobs }: Setting): Forgetting {
  const pending = database.prepare('select pending from erased');
  const settle = database.prepare('update erased set pending = 0 where pending = ?');
  const empty = database.prepare('pragma wal_checkpoint(truncate)');
  let waiting: (() => void) | undefined;
  let why = '';

  /** One attempt; true if nothing is left. */
  const attempt = async (): Promise<boolean> => {
    if (!database.isOpen) return false;
    try {
      const { pending: marks = 0 } = (pending.get() ?? {}) as { pending?: number };
      if (marks === 0) return true;
      const { busy } = empty.get() as { busy: number };
      why = 'somebody is reading it';
      if (busy !== 0) return false;
      // A later erasure has its own mark, which stays.
      await jobs.add(() => void settle.run(marks));
      return true;
    } catch (error) {
      why = failure(error, path).message;
      return false;
    }
  };

  const later = (): void => {
    waiting ??= environment.after(againMs, () => {
      waiting = undefined;
      void attempt().then((done) => {
        if (!done && database.isOpen) later();
        return done;
      });
    });
  };

  return {
    finish: async () => {
      const until = environment.elapsed() + patienceMs;
      for (let pauseMs = 1; !(await attempt()); pauseMs = Math.min(pauseMs * 2, 50)) {
        if (environment.elapsed() < until) {
          await keepAlive(new Promise<void>((resolve) => void environment.after(pauseMs, resolve)));
          continue;
        }
        later();
        const log = JSON.stringify(`${path}-wal`);
        return `${log} could not be emptied yet (${why}); the store retries every second and when it is opened`;
      }
      return undefined;
    },
    resume: () => {
      const { pending: marks = 0 } = (pending.get() ?? {}) as { pending?: number };
      if (marks > 0) later();
    },
    close: () => {
      waiting?.();
      waiting = undefined;
    },
  };
}
