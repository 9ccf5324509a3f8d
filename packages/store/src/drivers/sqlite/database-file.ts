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

/** Refuses links, pipes and folders: somebody else put them there. */
function refusePlanted(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    const place = `${path}${suffix}`;
    if (kindAt(place) !== 'other') continue;
    throw new StoreError('unsafe', `${JSON.stringify(place)} is not a plain file, and links are not followed`, {
      path: place,
    });
  }
}

/** The write-ahead log needs shared memory, which a network file system does not have. */
function refuseRemote(path: string, environment: Environment): void {
  const shared = attempt(path, () => sharedSystemAt(dirname(path)));
  if (shared === undefined) return;
  if (shared.certain) {
    const sentence = `${JSON.stringify(path)} is on ${shared.name}, where SQLite may lose records; use a local disk`;
    throw new StoreError('unsafe', sentence, { path });
  }
  const system = `a ${shared.name} file system; if other machines share it, records may be lost`;
  environment.tell({ kind: 'shared-file-system', sentence: `${JSON.stringify(path)} is on ${system}` });
}

/** Creates the folder durably: each parent is synced. */
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
    // The umask may have removed permissions, but never adds any.
    fchmodSync(handle, 0o600);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolder(dirname(path));
};

/** Ensures that the file exists, is a plain file on a local disk, and is private. */
export function prepareFile(path: string, environment: Environment): void {
  attempt(path, () => makeDirectory(dirname(path)));
  refusePlanted(path);
  refuseRemote(path, environment);
  if (kindAt(path) === 'file') return;
  try {
    create(path);
  } catch (error) {
    // Another process created it first.
    if (errorCode(error) !== 'EEXIST') throw failure(error, `${JSON.stringify(path)} cannot be used`, { path });
    refusePlanted(path);
  }
}

/** Makes an existing database private; the files beside it take over its mode. */
export function closeToOthers(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    const stat = lstatSync(`${path}${suffix}`, { throwIfNoEntry: false });
    if (stat?.isFile() === true && (stat.mode & 0o077) !== 0) attempt(path, () => chmodSync(`${path}${suffix}`, 0o600));
  }
}
