import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

import { chance } from './crypto.ts';
import type { Owner } from './owner.ts';

/** Something that happened on the way and that nobody asked for: a quarantined tail, a stolen lease, a slow disk. */
export type Notice = {
  /** One or two words joined by a hyphen: `torn-tail`, `lease-stolen`, … */
  readonly kind: string;
  readonly sentence: string;
  readonly session?: string;
};

/** All of the outside world that is no storage: the clock, chance, timers and the other processes. */
export type Environment = {
  /** Milliseconds since 1970. */
  now(): number;
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

/** Asking the system for chance costs more than all else about an id, so it is asked for much at a time. */
const pool = { bytes: new Uint8Array(), used: 0 };

/** Sixteen digits of chance behind nine of time: unguessable enough, and sorted by age. */
function timedId(now: number): string {
  if (pool.used + 16 > pool.bytes.length) Object.assign(pool, { bytes: chance(4096), used: 0 });
  let id = now.toString(36).padStart(9, '0');
  for (const end = pool.used + 16; pool.used < end; pool.used += 1) id += digits[(pool.bytes[pool.used] ?? 0) & 31];
  return id;
}

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();

const orUndefined = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** The state of a process and the tick it started at; undefined where the system does not tell. */
function statOf(pid: number): { readonly state: string; readonly tick: string } | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The name of the program stands in parentheses and may hold any character; the fields behind it are plain.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, tick] = [fields?.[0], fields?.[19]];
  return state === undefined || tick === undefined ? undefined : { state, tick };
}

/** The boot and the tick that this process started at, which no later process with its pid shares. */
function startOfThis(): string {
  const [boot, stat] = [orUndefined(bootId), statOf(process.pid)];
  if (boot !== undefined && stat !== undefined) return `${boot}.${stat.tick}`;
  return new Date(performance.timeOrigin).toISOString();
}

/** The machine and, because pids mean nothing outside of it, the pid namespace. */
function hostOfThis(): string {
  const space = orUndefined(() => readlinkSync('/proc/self/ns/pid'));
  return space === undefined ? hostname() : `${hostname()} ${space}`;
}

/** Says false only with proof: on this machine, since this boot, no process by that pid, or a dead or another one. */
function aliveBeside(self: Pick<Owner, 'host' | 'started'>, owner: Owner): boolean | undefined {
  if (owner.host !== self.host) return undefined;
  const boot = self.started.split('.')[0];
  if (process.platform === 'linux' && owner.started.split('.')[0] !== boot) return undefined;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  const stat = statOf(owner.pid);
  if (stat === undefined) return undefined;
  return stat.state !== 'Z' && stat.state !== 'X' && `${boot}.${stat.tick}` === owner.started;
}

/** The real world. `overrides` replaces parts of it, in tests. */
export function createEnvironment(overrides: Partial<Environment> = {}): Environment {
  const self = { host: hostOfThis(), pid: process.pid, started: startOfThis() };
  return {
    now: () => Date.now(),
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
