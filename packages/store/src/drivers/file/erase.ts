import { join } from 'node:path';

import { blobsName, sweepPool } from './blobs.ts';
import type { Files } from './files.ts';
import { errorCode } from '../system-failure.ts';

import { discard, folderOf, nameOf, type Place, sessionsOf } from './layout.ts';
import { newestIn } from './lease-file.ts';

/** Removes a folder with all that is in it, and follows no link. Another process may be at it, too. */
export function removeTree(files: Files, path: string): void {
  try {
    for (const name of files.names(path)) {
      const inside = join(path, name);
      if (files.look(inside)?.kind === 'folder') removeTree(files, inside);
      else discard(files, inside);
    }
    files.removeFolder(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** What is in a folder that may have gone. */
function namesOf(files: Files, path: string): string[] {
  try {
    return files.names(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

const leaving = '.leaving-';

/** Where a session is while it is looked for forks. */
export const leavingPath = (place: Place, session: string): string =>
  join(sessionsOf(place), `${leaving}${nameOf(session)}`);

/** Gives a session its name back that was on its way out and may be shared; false when it is not there any more. */
function comeBack(files: Files, aside: string, folder: string): boolean {
  if (files.look(folder) !== undefined || files.look(aside)?.kind !== 'folder') return false;
  try {
    files.rename(aside, folder);
    return true;
  } catch (error) {
    // Another process was faster.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    return false;
  }
}

/** Whether somebody is still looking for the forks of a session on its way out, or was cut off. */
function isLeaving(place: Place, aside: string): boolean {
  const { environment } = place;
  const eraser = newestIn(place, aside);
  if (eraser === undefined) return false;
  return environment.alive(eraser.owner) ?? eraser.expires > environment.now();
}

/**
 * Takes the name of a session away for as long as it is looked for forks. A fork that was made before is found then,
 * and one that is made later finds its source gone.
 */
export function leave(place: Place, session: string): { readonly aside: string; readonly comeBack: () => boolean } {
  const { files } = place;
  const folder = folderOf(place, session);
  const aside = leavingPath(place, session);
  files.rename(folder, aside);
  return { aside, comeBack: () => comeBack(files, aside, folder) };
}

/** First the name goes, durably, then the bytes. Long texts go from the pool when no other session has them. */
export function eraseFolder(place: Place, folder: string): void {
  const { files, environment } = place;
  const hashes = namesOf(files, join(folder, blobsName));
  const erased = join(sessionsOf(place), `.erased-${environment.id()}`);
  files.rename(folder, erased);
  files.syncFolder(sessionsOf(place));
  removeTree(files, erased);
  sweepPool(place, hashes);
  files.syncFolder(sessionsOf(place));
}

const staleMs = 3_600_000;

/** Finishes what a crash interrupted: sessions that were being erased, and ones that never got their name. */
export function finishErasures(place: Place): void {
  const { files, environment } = place;
  const folder = sessionsOf(place);
  for (const name of files.names(folder)) {
    const path = join(folder, name);
    if (name.startsWith(leaving)) finishLeaving(place, path, join(folder, name.slice(leaving.length)));
    if (!/^\.(?:new|erased)-/.test(name)) continue;
    const state = files.look(path);
    // What is no folder was put there by somebody else.
    if (state?.kind !== 'folder') continue;
    if (!name.startsWith('.erased-') && environment.now() - state.changedMs <= staleMs) continue;
    const hashes = namesOf(files, join(path, blobsName));
    removeTree(files, path);
    sweepPool(place, hashes);
  }
}

function finishLeaving(place: Place, aside: string, folder: string): void {
  try {
    if (!isLeaving(place, aside)) comeBack(place.files, aside, folder);
  } catch (error) {
    // It came back, or went, at this moment.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
