import { closeSync, constants, fsyncSync, lstatSync, openSync, readFileSync, readlinkSync, statfsSync } from 'node:fs';
import { hostname } from 'node:os';

import type { Owner } from './owner.ts';

// Everything in which operating systems differ stands in this file; the rest of the package asks it.

/** Flags that an opening may add. Windows knows neither and gives 0, which adds nothing. */
export const openFlags: { readonly noFollow: number; readonly noWait: number } = {
  noFollow: constants.O_NOFOLLOW ?? 0,
  noWait: constants.O_NONBLOCK ?? 0,
};

/** Whether a path is a link that the opening itself would follow; where the system refuses links nobody has to look. */
export function wouldFollow(path: string): boolean {
  return openFlags.noFollow === 0 && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Makes the names in a folder durable. Windows keeps them by itself, and opens no folder. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, constants.O_RDONLY | openFlags.noFollow);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * What SQLite is told so that a sync reaches the disk. macOS has a call of its own for that, which Node makes for its
 * own syncs and SQLite only when it is asked; elsewhere these settings change nothing.
 */
export const fullSyncSettings = 'pragma fullfsync = on; pragma checkpoint_fullfsync = on;';

/** File systems whose locks and appends hold only within one machine, by the numbers that Linux gives them. */
const sharedSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
]);
const fuse = 0x65735546;

/** The name of the file system if other machines may write to it too; FUSE may or may not be one of these. */
export function sharedSystemAt(path: string): { readonly name: string; readonly certain: boolean } | undefined {
  if (process.platform !== 'linux') return undefined;
  const { type } = statfsSync(path);
  if (type === fuse) return { name: 'FUSE', certain: false };
  const name = sharedSystems.get(type);
  return name === undefined ? undefined : { name, certain: true };
}

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

/** The boot and the tick that this process started at, which no later process with its pid shares; else the time. */
function startOfThis(): string {
  const boot = orUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const stat = statOf(process.pid);
  if (boot !== undefined && stat !== undefined) return `${boot}.${stat.tick}`;
  return new Date(performance.timeOrigin).toISOString();
}

/** The machine and, because pids mean nothing outside of it, the pid namespace. */
function hostOfThis(): string {
  const space = orUndefined(() => readlinkSync('/proc/self/ns/pid'));
  return space === undefined ? hostname() : `${hostname()} ${space}`;
}

/** This process as others can tell it from every other one. */
export const thisProcess = (): Omit<Owner, 'id'> => ({
  host: hostOfThis(),
  pid: process.pid,
  started: startOfThis(),
});

/**
 * Says false only with proof: on this machine, since this boot, no process by that pid, or a dead or another one. Only
 * Linux tells when another process started, so elsewhere a pid that is in use proves nothing.
 */
export function aliveBeside(self: Omit<Owner, 'id'>, owner: Owner): boolean | undefined {
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
