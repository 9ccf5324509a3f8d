import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';

import type { Durability } from '../../driver.ts';
import type { Environment } from '../../environment.ts';
import { StoreError } from '../../store-error.ts';
import { errorCode, attempt } from '../system-failure.ts';
import type { Files } from './files.ts';

/** An opened directory of sessions, and what is needed to work in it. */
export type Place = {
  readonly root: string;
  readonly files: Files;
  readonly environment: Environment;
  readonly durability: Exclude<Durability, 'none'>;
  /** Names this opening of the directory; its journals carry it. */
  readonly instance: string;
};

const markerName = 'rethread-store.json';
const marker = '{"format":"rethread-file-store","v":1}\n';

export const sessionsOf = ({ root }: Pick<Place, 'root'>): string => join(root, 'sessions');
export const journalsOf = ({ root }: Pick<Place, 'root'>): string => join(root, 'journal');
export const blobsOf = ({ root }: Pick<Place, 'root'>): string => join(root, 'blobs');

const plainId = /^[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?$/;

/**
 * The name of a session's folder. Short ids of small letters, digits and hyphens are readable in it; every other one is
 * a digest, so that no id can leave the directory and no two meet where case or accents do not count.
 */
export function nameOf(session: string): string {
  if (plainId.test(session)) return `s-${session}`;
  return `h-${createHash('sha256').update(JSON.stringify(session)).digest('hex')}`;
}

export const isSessionName = (name: string): boolean => /^(?:s-[a-z0-9-]{1,62}|h-[0-9a-f]{64})$/.test(name);

export const folderOf = (place: Pick<Place, 'root'>, session: string): string =>
  join(sessionsOf(place), nameOf(session));

export const notAFolder = (path: string): StoreError =>
  new StoreError('unsafe', `${path} is not a folder; nothing in it was read or written`, { path });

/** What stands under a name must be a folder of its own, and nothing that leads elsewhere. */
export function requireFolder(files: Files, path: string): void {
  const state = files.look(path);
  if (state?.kind === 'folder') return;
  if (state === undefined) throw new StoreError('missing', `${path} is not there`, { path });
  throw notAFolder(path);
}

/** Writes all bytes, however few the system takes at a time. */
export function writeFully(files: Files, file: number, part: { bytes: Uint8Array; at?: number }): void {
  const { bytes, at } = part;
  for (let done = 0; done < bytes.length;) {
    const count = files.write(file, bytes.subarray(done), at === undefined ? undefined : at + done);
    if (count <= 0) throw new StoreError('io', 'the system wrote nothing, without an error');
    done += count;
  }
}

/** Makes a file with these bytes, which nothing had the name of. */
export function writeNew(place: Pick<Place, 'files' | 'durability'>, path: string, bytes: Uint8Array): void {
  const { files, durability } = place;
  const file = files.open(path, 'create');
  try {
    writeFully(files, file, { bytes, at: 0 });
    if (durability !== 'os') files.sync(file);
  } finally {
    files.close(file);
  }
}

/** Does something that may fail without any consequence. */
export function quietly(action: () => void): void {
  try {
    action();
  } catch {
    return;
  }
}

/** Removes what may be gone already. */
export function discard(files: Files, path: string): void {
  try {
    files.unlink(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Makes a folder that may be there already; true when it was not. */
export function ensureFolder(files: Files, path: string): boolean {
  try {
    files.makeFolder(path);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  requireFolder(files, path);
  return false;
}

/** Every folder from the root of the file system down that is not there yet. */
function makeFolders(files: Files, path: string): void {
  try {
    if (files.look(path) !== undefined) return;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const parent = join(path, '..');
  if (parent !== path) makeFolders(files, parent);
  if (ensureFolder(files, path)) files.syncFolder(parent);
}

/** Makes the directory ready, or refuses one that holds something else. */
export function preparePlace(place: Place): void {
  const { root, files } = place;
  attempt(`cannot open ${root}`, () => {
    makeFolders(files, root);
    requireFolder(files, root);
    const names = files.names(root);
    if (!names.includes(markerName)) {
      const foreign = names.find((name) => !['sessions', 'journal', 'blobs'].includes(name));
      if (foreign !== undefined) {
        throw new StoreError('not-ours', `${root} holds ${JSON.stringify(foreign)} and is no directory of sessions`, {
          path: root,
        });
      }
    }
    const why = files.misfit(root);
    if (why !== undefined) {
      throw new StoreError('unsupported', `${root} cannot hold sessions: ${why}`, { path: root });
    }
    for (const folder of [sessionsOf(place), journalsOf(place), blobsOf(place)]) {
      if (names.includes(basename(folder))) requireFolder(files, folder);
      else ensureFolder(files, folder);
    }
    const path = join(root, markerName);
    if (!names.includes(markerName)) placeMarker(place, path);
    else if (files.look(path)?.kind !== 'file') throw new StoreError('unsafe', `${path} is not a plain file`, { path });
  });
}

/**
 * Makes the names of the directory durable, before the first lease in it: whoever made it may have ended before it did.
 * A parent that is not ours may not be opened.
 */
export function syncPlace({ files, root }: Place): void {
  files.syncFolder(root);
  try {
    files.syncFolder(join(root, '..'));
  } catch (error) {
    if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EPERM') throw error;
  }
}

/** Two processes may open a new directory at the same time; the second finds the marker there. */
function placeMarker(place: Place, path: string): void {
  try {
    writeNew(place, path, Buffer.from(marker));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
