import { randomBytes } from 'node:crypto';

import type { Owner } from './owner.ts';
import { aliveBeside, thisProcess } from './platform.ts';

/** An event nobody asked for: a quarantined tail, a stolen lease, a slow disk. */
export type Notice = {
  /** A short hyphenated name: `torn-tail`, `lease-stolen`, … */
  readonly kind: string;
  readonly sentence: string;
  readonly session?: string;
};

/** Everything outside the process except storage: clock, randomness, timers, other processes. */
export type Environment = {
  /** Milliseconds since 1970, for stored times only: somebody may set the clock. */
  now(): number;
  /** Monotonic milliseconds, for measuring waits. */
  elapsed(): number;
  /** A new unique id. Ids of one process sort by age. */
  id(): string;
  /** Calls back once, without keeping the process alive. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** This process as the owner of a lease, with a new id on every call. */
  owner(): Owner;
  /** Whether the owner's process runs. False is proof that it ended; undefined means unknown. */
  alive(owner: Owner): boolean | undefined;
  tell(notice: Notice): void;
};

const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/** Nine digits of time, then sixteen random digits: sorted by age and unguessable. */
const timedId = (now: number): string =>
  now.toString(36).padStart(9, '0') + Array.from(randomBytes(16), (byte) => digits[byte & 31]).join('');

/** The real environment. Tests replace parts of it with `overrides`. */
export function createEnvironment(overrides: Partial<Environment> = {}): Environment {
  const self = thisProcess();
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    id: () => timedId(Date.now()),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
    owner: () => ({ id: timedId(Date.now()), ...self }),
    alive: (owner) => aliveBeside(self, owner),
    tell: () => undefined,
    ...overrides,
  };
}
