import { join } from 'node:path';

import { blobsName, sweepPool } from './blobs.ts';
import type { Files } from './files.ts';
import { errorCode, ifThere } from '../system-failure.ts';

import { discard, folderOf, nameOf, type Place, sessionsOf } from './layout.ts';
import { newestIn } from './lease-file.ts';

/** Removes a folder and its contents without following links. Another process may do the same at once. */
export function removeTree(files: Files, path: string): void {
  ifThere(() => {
    for (const name of files.names(path)) {
      const inside = join(path, name);
      if (files.look(inside)?.kind === 'folder') removeTree(files, inside);
      else discard(files, inside);
    }
    files.removeFolder(path);
  });
}

const namesOf = (files: Files, path: string): string[] => ifThere(() => files.names(path)) ?? [];

const leaving = '.leaving-';

/** The name of a session folder while an erasure looks for forks. */
export const leavingPath = (place: Place, session: string): string =>
  join(sessionsOf(place), `${leaving}${nameOf(session)}`);

/** Restores the folder name of a session that is not erased after all; false if the folder is gone. */
function comeBack(files: Files, aside: string, folder: string): boolean {
  if (files.look(folder) !== undefined || files.look(aside)?.kind !== 'folder') return false;
  try {
    files.rename(aside, folder);
    return true;
  } catch (error) {
    // Another process restored it first.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    return false;
  }
}

/** Whether the erasing process is still looking for forks, rather than dead. */
function isLeaving(place: Place, aside: string): boolean {
  const { environment } = place;
  const eraser = newestIn(place, aside);
  if (eraser === undefined) return false;
  return environment.alive(eraser.owner) ?? eraser.expires > environment.now();
}

/**
 * Renames the session folder while its forks are searched. Earlier forks are found by the search, and later ones find
 * no source.
 */
export function leave(place: Place, session: string): { readonly aside: string; readonly comeBack: () => boolean } {
  const { files } = place;
  const folder = folderOf(place, session);
  const aside = leavingPath(place, session);
  files.rename(folder, aside);
  return { aside, comeBack: () => comeBack(files, aside, folder) };
}

/** Renames the folder durably, then deletes it. Long strings leave the pool when no other session links to them. */
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

/** Completes interrupted work: erasures, and session folders that never got their name. */
export function finishErasures(place: Place): void {
  const { files, environment } = place;
  const folder = sessionsOf(place);
  for (const name of files.names(folder)) {
    const path = join(folder, name);
    if (name.startsWith(leaving)) finishLeaving(place, path, join(folder, name.slice(leaving.length)));
    if (!/^\.(?:new|erased)-/.test(name)) continue;
    const state = files.look(path);
    // Only folders are ours.
    if (state?.kind !== 'folder') continue;
    if (!name.startsWith('.erased-') && environment.now() - state.changedMs <= staleMs) continue;
    const hashes = namesOf(files, join(path, blobsName));
    removeTree(files, path);
    sweepPool(place, hashes);
  }
}

function finishLeaving(place: Place, aside: string, folder: string): void {
  // Another process may restore or remove it at this moment.
  ifThere(() => {
    if (!isLeaving(place, aside)) comeBack(place.files, aside, folder);
  });
}
