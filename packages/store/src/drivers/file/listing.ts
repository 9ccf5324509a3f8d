import { join } from 'node:path';

import { isListed, type ListQuery, type SessionInfo } from '../../driver.ts';
import { StoreError } from '../../store-error.ts';
import { failure } from '../system-failure.ts';
import { newInfo, noteInfo, tellInfo, unknownAbout } from './info.ts';
import type { Journals } from './journal-file.ts';
import { isSessionName, nameOf, type Place, requireFolder, sessionsOf } from './layout.ts';
import { type Line, seedOf } from './line.ts';
import { firstLine, isCurrent, logName, logPath, requireSession } from './log-file.ts';
import { asError, judgeTail } from './recover.ts';
import { type InfoNote, readInfoNote } from './side-file.ts';
import { readIfThere } from './source.ts';
import { openView } from './view.ts';
import type { Writer } from './writer.ts';

/** The id behind a folder's name: part of it, or told by a file in it. */
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

/** What `list` answers, from the note if the log is as long as the note says, else from what was appended since. */
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
    return { ...about, damaged: failure(error, 'it cannot be read').message };
  }
}

type Writers = { current(session: string): Writer | undefined };

/** The name that a list goes on behind: a session that could not be told was listed by the name of its folder. */
function placeOf(place: Place, after: string): string {
  const name = nameOf(after);
  const isThere = place.files.look(join(sessionsOf(place), name)) !== undefined;
  return !isThere && isSessionName(after) ? after : name;
}

/** Every session, in the order of the folders' names. */
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
    if (count % 64 === 0) await new Promise((resolve) => void setImmediate(resolve));
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
      return { ...newInfo(name, unknownAbout), damaged: 'nothing in it says which session it is' };
    }
    return writers.current(session)?.info ?? tellSession(place, journals, session);
  } catch (error) {
    // Erased since the names were read.
    if (error instanceof StoreError && error.code === 'missing') return undefined;
    return { ...newInfo(name, unknownAbout), damaged: failure(error, 'it cannot be read').message };
  }
}
