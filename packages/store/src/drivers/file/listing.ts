import { join } from 'node:path';

import { isListed, type ListQuery, type SessionInfo } from '../../driver.ts';
import { StoreError } from '../../store-error.ts';
import { failure } from '../system-failure.ts';
import { newInfo, noteInfo, tellInfo, unknownAbout } from './list-entry.ts';
import type { Journals } from './journal-file.ts';
import { isSessionName, nameOf, type Place, requireFolder, sessionsOf } from './layout.ts';
import { type Line, seedOf } from './line.ts';
import { firstLine, isCurrent, logName, logPath, requireSession } from './log-file.ts';
import { asError, judgeTail } from './recover.ts';
import { type InfoNote, readInfoNote } from './side-file.ts';
import { readIfThere } from './byte-source.ts';
import { openView } from './log-view.ts';
import type { Writer } from './writer.ts';
import { turnOfLoop } from '../waiting.ts';

/** The session id of a folder: part of its name, or stored in its files. */
export function nameToSession(place: Place, name: string): string | undefined {
  if (name.startsWith('s-')) return name.slice(2);
  const folder = join(sessionsOf(place), name);
  const lineIn = (file: string): Line | undefined => readIfThere(place.files, join(folder, file), firstLine);
  const note = lineIn('info.json');
  const header = note ?? lineIn(logName);
  const id = (note?.meta?.['note'] as InfoNote | undefined)?.info.id ?? header?.meta?.['session'];
  if (header === undefined || typeof id !== 'string' || header.link !== seedOf(id) || nameOf(id) !== name)
    return undefined;
  return id;
}

/** The list entry of a session: the note if it matches the log's length, else the note plus the lines since. */
export function tellSession(place: Place, journals: Journals, session: string): SessionInfo {
  requireSession(place, session);
  const note = readInfoNote(place, session);
  if (note !== undefined && place.files.look(logPath(place, session))?.size === note.offset) return note.info;
  try {
    const view = openView(place, journals, { session, writer: undefined });
    try {
      const { source, header, head } = view;
      const told = tellInfo({ session, header, note }, source);
      const tail = judgeTail(source, { end: told.tip, reached: told.tip, patches: [] }, head);
      if (tail !== undefined && tail.kind !== 'torn-tail') {
        return { ...told.info, damaged: asError(session, logPath(place, session), tail).message };
      }
      const isTrue = (): boolean => isCurrent(place, session, header.tip.crc);
      if (tail === undefined) noteInfo(place, header.tip.crc, { ...told, isTrue });
      return told.info;
    } finally {
      view.close();
    }
  } catch (error) {
    if (error instanceof StoreError && error.code === 'missing') throw error;
    const about = note?.info ?? newInfo(session, unknownAbout);
    return { ...about, damaged: failure(error, 'the session cannot be read').message };
  }
}

type Writers = { current(session: string): Writer | undefined };

/** The folder name after which a list continues. An unreadable session was listed under its folder name. */
function placeOf(place: Place, after: string): string {
  const name = nameOf(after);
  const isThere = place.files.look(join(sessionsOf(place), name)) !== undefined;
  return !isThere && isSessionName(after) ? after : name;
}

/** Lists sessions in the order of their folder names. */
export async function* listSessions(
  place: Place,
  from: { readonly journals: Journals; readonly writers: Writers; readonly query: ListQuery },
): AsyncGenerator<SessionInfo> {
  const { journals, writers, query } = from;
  const { after, limit = Infinity } = query;
  const last = after === undefined ? '' : placeOf(place, after);
  let left = limit;
  let count = 0;
  for (const name of place.files.names(sessionsOf(place)).sort()) {
    if (left <= 0) return;
    if (!isSessionName(name) || name <= last) continue;
    count += 1;
    if (count % 64 === 0) await turnOfLoop();
    const info = tellName(place, { journals, writers }, name);
    if (info === undefined || !isListed(info, query)) continue;
    left -= 1;
    yield info;
  }
}

function tellName(
  place: Place,
  { journals, writers }: { readonly journals: Journals; readonly writers: Writers },
  name: string,
): SessionInfo | undefined {
  try {
    const session = nameToSession(place, name);
    if (session === undefined) {
      requireFolder(place.files, join(sessionsOf(place), name));
      return { ...newInfo(name, unknownAbout), damaged: 'no file in it names its session' };
    }
    return writers.current(session)?.info ?? tellSession(place, journals, session);
  } catch (error) {
    // The session was erased after the names were read.
    if (error instanceof StoreError && error.code === 'missing') return undefined;
    return { ...newInfo(name, unknownAbout), damaged: failure(error, 'the session cannot be read').message };
  }
}
