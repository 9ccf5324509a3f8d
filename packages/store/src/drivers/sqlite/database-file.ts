import { chmodSync, closeSync, constants, fchmodSync, fsyncSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Environment } from '../../environment.ts';
import { openFlags, sharedSystemAt, syncFolder } from '../../platform.ts';
import { StoreError } from '../../store-error.ts';
import { attempt as attemptAt, errorCode, failure } from '../system-failure.ts';

const attempt = <T>(path: string, work: () => T): T =>
  attemptAt(`${JSON.stringify(path)} cannot be used`, work, { path });

const kindAt = (path: string): 'absent' | 'file' | 'other' => {
  const stat = attempt(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) return 'absent';
  return stat.isFile() ? 'file' : 'other';
};

/** A link, a pipe or a directory where a file of ours belongs was put there by somebody else. */
function refusePlanted(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    const place = `${path}${suffix}`;
    if (kindAt(place) !== 'other') continue;
    throw new StoreError('unsafe', `${JSON.stringify(place)} is no ordinary file, and links are not followed`, {
      path: place,
    });
  }
}

/** The write-ahead log needs memory shared by all who use the file, which machines on a network do not have. */
function refuseRemote(path: string, environment: Environment): void {
  const shared = attempt(path, () => sharedSystemAt(dirname(path)));
  if (shared === undefined) return;
  if (shared.certain) {
    const sentence = `${JSON.stringify(path)} is on ${shared.name}, where SQLite may lose records`;
    throw new StoreError('unsafe', sentence, { path });
  }
  const system = `a ${shared.name} file system; if other machines share it, records may be lost`;
  environment.tell({ kind: 'shared-file-system', sentence: `${JSON.stringify(path)} is on ${system}` });
}

/** Directories that were made are durable only when the ones that name them are. */
function makeDirectory(directory: string): void {
  const first = mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let at = directory; ; at = dirname(at)) {
    syncFolder(dirname(at));
    if (at === first) return;
  }
}

const create = (path: string): void => {
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | openFlags.noFollow;
  const handle = openSync(path, flags, 0o600);
  try {
    // The umask may have taken more than it should, and never gives.
    fchmodSync(handle, 0o600);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolder(dirname(path));
};

/** Makes sure that the file exists, is a plain file on a disk of this machine, and that nobody else may read it. */
export function prepareFile(path: string, environment: Environment): void {
  attempt(path, () => makeDirectory(dirname(path)));
  refusePlanted(path);
  refuseRemote(path, environment);
  if (kindAt(path) === 'file') return;
  try {
    create(path);
  } catch (error) {
    // Another process was faster, and its file is as good.
    if (errorCode(error) !== 'EEXIST') throw failure(error, `${JSON.stringify(path)} cannot be used`, { path });
    refusePlanted(path);
  }
}

/** Closes a file that an older umask left open to others; the files beside it take their mode from it. */
export function closeToOthers(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    const stat = lstatSync(`${path}${suffix}`, { throwIfNoEntry: false });
    if (stat?.isFile() === true && (stat.mode & 0o077) !== 0) attempt(path, () => chmodSync(`${path}${suffix}`, 0o600));
  }
}
