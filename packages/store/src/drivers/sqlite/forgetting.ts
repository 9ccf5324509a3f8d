import type { DatabaseSync } from 'node:sqlite';

import type { Environment } from '../../environment.ts';
import { keepAlive } from '../sql/keep-alive.ts';
import { failure } from './failure.ts';
import type { Jobs } from './jobs.ts';

/** How long an erasure waits for readers before it says that something is left. */
const patienceMs = 1_000;
/** How often it is tried again after that. */
const againMs = 1_000;

/**
 * Takes what was erased out of the files. Deleted bytes stay in the write-ahead log until it is emptied, which a reader
 * can stand in the way of for as long as it likes. So an erasure leaves a mark in the same transaction, and the mark
 * goes when the log was emptied: by this process, or by the next that opens the file.
 */
export type Forgetting = {
  /** Tries for a while; gives a sentence about what is left, which is then removed as soon as it can be. */
  readonly finish: () => Promise<string | undefined>;
  /** Goes on with what another process, or this one, could not finish. */
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

  /** One attempt; true when nothing is left. */
  const attempt = async (): Promise<boolean> => {
    if (!database.isOpen) return false;
    try {
      const { pending: marks = 0 } = (pending.get() ?? {}) as { pending?: number };
      if (marks === 0) return true;
      const { busy } = empty.get() as { busy: number };
      why = 'somebody is reading it';
      if (busy !== 0) return false;
      // An erasure that came since has left another mark, and stays marked.
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
        return `${log} could not be emptied yet (${why}); it is tried again every second, and when the store is opened`;
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
