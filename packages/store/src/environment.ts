import { randomBytes } from 'node:crypto';

import type { Owner } from './owner.ts';
import { aliveBeside, thisProcess } from './platform.ts';

/** Something that happened on the way and that nobody asked for: a quarantined tail, a stolen lease, a slow disk. */
export type Notice = {
  /** One or two words joined by a hyphen: `torn-tail`, `lease-stolen`, … */
  readonly kind: string;
  readonly sentence: string;
  readonly session?: string;
};

/** All of the outside world that is no storage: the clock, chance, timers and the other processes. */
export type Environment = {
  /** Milliseconds since 1970. Clocks are set, so this is for what is written down, and for nothing that waits. */
  now(): number;
  /** Milliseconds since some moment; it only rises, whatever happens to the clock, so that waits are measured by it. */
  elapsed(): number;
  /** An id that nobody has had; later ones sort behind earlier ones of the same process. */
  id(): string;
  /** Calls back once, without keeping the process alive; gives the way to call it off. */
  after(ms: number, callback: () => void): () => void;
  /** This process as the owner of a lease; the id is made anew at every call. */
  owner(): Owner;
  /** Whether that process still runs: false is a proof that it does not, undefined that it cannot be known. */
  alive(owner: Owner): boolean | undefined;
  tell(notice: Notice): void;
};

const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/** Sixteen digits of chance behind nine of time: unguessable enough, and sorted by age. */
const timedId = (now: number): string =>
  now.toString(36).padStart(9, '0') + Array.from(randomBytes(16), (byte) => digits[byte & 31]).join('');

/** The real world. `overrides` replaces parts of it, in tests. */
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
