import { join } from 'node:path';

import { blobsName, sweepPool } from './blobs.ts';
import { errorCode, type Files } from './files.ts';
import { folderOf, nameOf, type Place, sessionsOf } from './layout.ts';

/** Removes a folder with all that is in it, and follows no link. */
export function removeTree(files: Files, path: string): void {
  for (const name of files.names(path)) {
    const inside = join(path, name);
    if (files.look(inside)?.kind === 'folder') removeTree(files, inside);
    else files.unlink(inside);
  }
  files.removeFolder(path);
}

const namesOf = (files: Files, path: string): string[] => (files.look(path) === undefined ? [] : files.names(path));

const leaving = '.leaving-';

/** A session that was on its way out and may be shared: its erasing was cut off before that was known. */
function comeBack(files: Files, aside: string, folder: string): void {
  if (files.look(folder) === undefined && files.look(aside)?.kind === 'folder') files.rename(aside, folder);
}

/**
 * Takes the name of a session away for as long as it is looked for forks. A fork that was made before is found then,
 * and one that is made later finds its source gone.
 */
export function leave(place: Place, session: string): { readonly aside: string; readonly comeBack: () => void } {
  const { files } = place;
  const folder = folderOf(place, session);
  const aside = join(sessionsOf(place), `${leaving}${nameOf(session)}`);
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
    if (name.startsWith(leaving)) comeBack(files, path, join(folder, name.slice(leaving.length)));
    if (!/^\.(?:new|erased)-/.test(name)) continue;
    const state = files.look(path);
    // What is no folder was put there by somebody else.
    if (state?.kind !== 'folder') continue;
    if (!name.startsWith('.erased-') && environment.now() - state.changedMs <= staleMs) continue;
    try {
      const hashes = namesOf(files, join(path, blobsName));
      removeTree(files, path);
      sweepPool(place, hashes);
    } catch (error) {
      // Another process is at it.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}
