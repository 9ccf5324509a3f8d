import { closeSync, constants, fsyncSync, lstatSync, openSync, readFileSync, readlinkSync, statfsSync } from 'node:fs';
import { hostname } from 'node:os';

import type { Owner } from './owner.ts';

// All differences between operating systems are in this file.

/** Additional open flags. Windows has neither, so they are 0 there. */
export const openFlags: { readonly noFollow: number; readonly noWait: number } = {
  noFollow: constants.O_NOFOLLOW ?? 0,
  noWait: constants.O_NONBLOCK ?? 0,
};

/** Whether opening the path would follow a link. On systems with O_NOFOLLOW nobody needs to look. */
export function wouldFollow(path: string): boolean {
  return openFlags.noFollow === 0 && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Makes the names in a folder durable. Windows does this by itself and cannot open a folder. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, constants.O_RDONLY | openFlags.noFollow);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Makes SQLite use the full sync of macOS, which Node uses for its own syncs. Other systems ignore these settings. */
export const fullSyncSettings = 'pragma fullfsync = on; pragma checkpoint_fullfsync = on;';

/** File systems whose locks and appends hold only within one machine, by their Linux type numbers. */
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

/** The name of a file system that other machines may write to. With FUSE this is unknown. */
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

/** The state of a process and its start tick; undefined if the system does not provide them. */
function statOf(pid: number): { readonly state: string; readonly tick: string } | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The program name in parentheses may contain any character; the fields after it are plain.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, tick] = [fields?.[0], fields?.[19]];
  return state === undefined || tick === undefined ? undefined : { state, tick };
}

/** Boot id and start tick, which no later process with the same pid shares; elsewhere the start time. */
function startOfThis(): string {
  const boot = orUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const stat = statOf(process.pid);
  if (boot !== undefined && stat !== undefined) return `${boot}.${stat.tick}`;
  return new Date(performance.timeOrigin).toISOString();
}

/** The host name and the pid namespace, because pids are unique only within a namespace. */
function hostOfThis(): string {
  const space = orUndefined(() => readlinkSync('/proc/self/ns/pid'));
  return space === undefined ? hostname() : `${hostname()} ${space}`;
}

/** Identifies this process among all others. */
export const thisProcess = (): Omit<Owner, 'id'> => ({
  host: hostOfThis(),
  pid: process.pid,
  started: startOfThis(),
});

/**
 * Returns false only with proof: same machine and boot, and no such process, or a dead or different one. Only Linux
 * provides start times, so elsewhere a pid in use proves nothing.
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
