import { errorCode } from '../system-failure.ts';
import type { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { ensureFolder, folderOf, type Place, writeNew } from './layout.ts';
import { fileSource, readBytes } from './byte-source.ts';

export const quarantineOf = (place: Place, session: string): string => join(folderOf(place, session), 'quarantine');

/** Creates the quarantine folder durably, before anything is moved into it. */
export function ensureQuarantine(place: Place, session: string): string {
  const folder = quarantineOf(place, session);
  if (ensureFolder(place.files, folder)) place.files.syncFolder(folderOf(place, session));
  return folder;
}

/** Stores bytes from behind an offset of the log in a file of their own; returns its name. */
export function setAside(place: Place, session: string, { offset, bytes }: Aside): string {
  const folder = ensureQuarantine(place, session);
  const usual = `${offset}-${crc32(bytes).toString(16)}.bin`;
  let name = usual;
  // An interrupted process may have left part of such a file, which is not overwritten.
  for (let tries = 2; !keep(place, join(folder, name), bytes); tries += 1) name = `${tries}-${usual}`;
  place.files.syncFolder(folder);
  return name;
}

type Aside = { readonly offset: number; readonly bytes: Buffer };

/** Quarantines unreadable bytes and sends a notice. */
export function quarantine(place: Place, session: string, torn: Aside): void {
  const { offset, bytes } = torn;
  const name = setAside(place, session, torn);
  const sentence = `${bytes.length} bytes behind byte ${offset} were never acknowledged; they are now in ${name}`;
  place.environment.tell({ kind: 'torn-tail', session, sentence });
}

/** Creates the file durably; false if it exists with other contents. */
function keep(place: Place, path: string, bytes: Buffer): boolean {
  const { files, durability } = place;
  try {
    writeNew(place, path, bytes);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const file = files.open(path, 'write');
  try {
    const source = fileSource(files, file);
    if (!readBytes(source, 0, source.size).equals(bytes)) return false;
    if (durability !== 'os') files.sync(file);
    return true;
  } finally {
    files.close(file);
  }
}
