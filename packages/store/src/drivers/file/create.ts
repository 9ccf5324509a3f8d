import { errorCode } from '../system-failure.ts';
import { join } from 'node:path';

import type { NewSession } from '../../driver.ts';
import { exists, missing } from '../../refusals.ts';
import { StoreError } from '../../store-error.ts';
import { eraseFolder, leavingPath, removeTree } from './erase.ts';

import { newInfo, noteInfo } from './list-entry.ts';
import { folderOf, type Place, quietly, sessionsOf, writeNew } from './layout.ts';
import { encodeHeader, isCurrent, logName } from './log-file.ts';

const taken = new Set(['EEXIST', 'ENOTEMPTY', 'EISDIR']);

/** Creates the session folder under a temporary name and renames it last, so that it appears whole or not at all. */
export function createSession(place: Place, session: string, about: NewSession): void {
  const { files, environment, durability } = place;
  const source = about.fork?.from;
  if (source !== undefined && !isThere(place, source)) throw missing(source);
  const folder = folderOf(place, session);
  const there = files.look(folder);
  if (there?.kind === 'folder') throw exists(session);
  if (there !== undefined) throw new StoreError('unsafe', `${folder} is not a folder`, { session, path: folder });
  // The session is being erased. If it turns out to have forks, it returns.
  if (files.look(leavingPath(place, session)) !== undefined) throw exists(session);
  const aside = join(sessionsOf(place), `.new-${environment.id()}`);
  const header = encodeHeader(session, about, { log: environment.id(), mended: 0 });
  files.makeFolder(aside);
  try {
    writeNew(place, join(aside, logName), header.bytes);
    if (durability !== 'os') files.syncFolder(aside);
    files.rename(aside, folder);
  } catch (error) {
    // The next opening of the directory removes what is left.
    quietly(() => removeTree(files, aside));
    throw taken.has(errorCode(error) ?? '') ? exists(session) : error;
  }
  if (durability !== 'os') files.syncFolder(sessionsOf(place));
  const tip = { offset: header.bytes.length, seq: about.base, crc: header.crc };
  const isTrue = (): boolean => isCurrent(place, session, tip.crc);
  noteInfo(place, tip.crc, { info: newInfo(session, about), tip, isTrue });
  // The eraser of the source first renames its folder, then looks for forks. So either it finds this fork, or this
  // check finds the source gone.
  if (source === undefined || isThere(place, source)) return;
  eraseFolder(place, folder);
  throw missing(source);
}

const isThere = (place: Place, session: string): boolean => place.files.look(folderOf(place, session)) !== undefined;
