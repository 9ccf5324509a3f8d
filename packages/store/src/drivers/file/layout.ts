import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';

import type { Durability } from '../../driver.ts';
import type { Environment } from '../../environment.ts';
import { StoreError } from '../../store-error.ts';
import { attempt, errorCode, ifThere } from '../system-failure.ts';
import type { Files } from './files.ts';

export type Place = {
  readonly root: string;
  readonly files: Files;
  readonly environment: Environment;
  readonly durability: Exclude<Durability, 'none'>;
  /** The id of this opening; its journals carry it. */
  readonly instance: string;
};

const markerName = 'rethread-store.json';
const marker = '{"format":"rethread-file-store","v":1}\n';

export const sessionsOf = ({ root }: Pick<Place, 'root'>): string => join(root, 'sessions');
export const journalsOf = ({ root }: Pick<Place, 'root'>): string => join(root, 'journal');
export const blobsOf = ({ root }: Pick<Place, 'root'>): string => join(root, 'blobs');

const plainId = /^[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?$/;

/**
 * The folder name of a session. Short lower-case ids stay readable; all others become a digest. So no id can leave the
 * directory, and none collide on file systems that ignore case or accents.
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

/** Refuses anything but a real folder under this name. */
export function requireFolder(files: Files, path: string): void {
  const state = files.look(path);
  if (state?.kind === 'folder') return;
  if (state === undefined) throw new StoreError('missing', `${path} does not exist`, { path });
  throw notAFolder(path);
}

/** Writes all bytes, even if the system takes only some at a time. */
export function writeFully(files: Files, file: number, part: { bytes: Uint8Array; at?: number }): void {
  const { bytes, at } = part;
  for (let done = 0; done < bytes.length;) {
    const count = files.write(file, bytes.subarray(done), at === undefined ? undefined : at + done);
    if (count <= 0) throw new StoreError('io', 'the system wrote nothing and reported no error; check the disk');
    done += count;
  }
}

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

/** Runs an action whose failure has no consequence. */
export function quietly(action: () => void): void {
  try {
    action();
  } catch {
    return;
  }
}

/** Deletes a file that may already be gone. */
export function discard(files: Files, path: string): void {
  ifThere(() => files.unlink(path));
}

/** Creates a folder unless it exists; true if it was created. */
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

/** Creates every missing parent folder. */
function makeFolders(files: Files, path: string): void {
  if (ifThere(() => files.look(path)) !== undefined) return;
  const parent = join(path, '..');
  if (parent !== path) makeFolders(files, parent);
  if (ensureFolder(files, path)) files.syncFolder(parent);
}

/** Prepares the directory; refuses one with other contents. */
export function preparePlace(place: Place): void {
  const { root, files } = place;
  attempt(`cannot open ${root}`, () => {
    makeFolders(files, root);
    requireFolder(files, root);
    const names = files.names(root);
    if (!names.includes(markerName)) {
      const foreign = names.find((name) => !['sessions', 'journal', 'blobs'].includes(name));
      if (foreign !== undefined) {
        throw new StoreError(
          'not-ours',
          `${root} is not a directory of sessions: it contains ${JSON.stringify(foreign)}; choose an empty one`,
          {
            path: root,
          },
        );
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
    else if (files.look(path)?.kind !== 'file')
      throw new StoreError('unsafe', `${path} is not a plain file; nothing was read from it or written to it`, {
        path,
      });
  });
}

/**
 * Syncs the directory's own name before the first lease, because its creator may have died before doing so. A foreign
 * parent folder may not be readable.
 */
export function syncPlace({ files, root }: Place): void {
  files.syncFolder(root);
  try {
    files.syncFolder(join(root, '..'));
  } catch (error) {
    if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EPERM') throw error;
  }
}

/** Two processes may create the directory at once; the second finds the marker. */
function placeMarker(place: Place, path: string): void {
  try {
    writeNew(place, path, Buffer.from(marker));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
