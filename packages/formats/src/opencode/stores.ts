import { basename, dirname, join } from 'node:path';

import { createFaultLog, type FaultLog } from '../fault.ts';
import { findFiles } from '../files/find-files.ts';
import { readRecords } from '../files/log-file.ts';
import { readDocument } from '../files/read-document.ts';
import { isObject, isTooDeep, listAt, numberAt, objectAt, parseJson, textAt, type JsonObject } from '../json.ts';
import { wholeFile, type Place } from '../place.ts';
import type { Database } from '../sqlite/database.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { reportDamage } from '../sqlite/report-damage.ts';
import type { Source } from '../tool.ts';
import { isExport, isMessage, isStoredSession } from './records.ts';

/** A part of a message, and where it stands. */
export type Part = { readonly value: JsonObject; readonly place: Place };

/** A message with its parts, as every form of the store has it. */
export type Message = { readonly info: JsonObject; readonly place: Place; readonly parts: readonly Part[] };

/** A session in one of the forms that it had. */
export type Store = {
  readonly session: JsonObject;
  /** Its messages, in the order in which they are sent, one at a time. */
  readonly messages: (faults: FaultLog) => AsyncIterable<Message>;
};

/** Finds out how a session is stored. The newest one of a database is taken when none is named. */
export async function openStore(source: Source): Promise<Store> {
  const { path, sample } = source;
  if (sample.database !== undefined) {
    reportDamage(sample.database, sample.bytes, source.faults);
    return databaseStore(sample.database, source);
  }
  const document = sample.document();
  if (isStoredSession(document)) return folderStore(path, document);
  if (isExport(document)) return exportStore(path, document);
  return logStore(path);
}

/** The columns of a row, and the JSON in its `data`, as one object. */
function unpack(row: JsonObject, place: Place, faults: FaultLog): JsonObject | undefined {
  const data = parseJson(textAt(row, 'data') ?? '');
  if (isObject(data) && !isTooDeep(data)) return { ...data, ...idsOf(row) };
  faults.add('not-json', place, 'The data of this row is no JSON object. opencode fails on the whole session.');
  return undefined;
}

const idsOf = ({ id, session_id, message_id }: JsonObject): JsonObject => ({
  id,
  sessionID: session_id,
  ...(message_id === undefined ? {} : { messageID: message_id }),
});

function databaseStore(database: Database, { path, session: wanted, faults }: Source): Store {
  const [row] =
    wanted === undefined
      ? database.rows('SELECT * FROM session ORDER BY time_updated DESC LIMIT 1')
      : database.rows('SELECT * FROM session WHERE id = ?', wanted);
  if (row === undefined) {
    faults.add(
      'missing-head',
      wholeFile(path),
      `There is no session${wanted === undefined ? '' : ` ${wanted}`} in here.`,
    );
    return { session: {}, messages: nothing };
  }
  const id = textAt(row, 'id') ?? '';
  const session = {
    id,
    title: row['title'],
    directory: row['directory'],
    version: row['version'],
    parentID: row['parent_id'] ?? undefined,
    revert: parseJson(textAt(row, 'revert') ?? ''),
    time: { created: row['time_created'], updated: row['time_updated'] },
  };
  async function* messages(faults: FaultLog): AsyncGenerator<Message> {
    const opened = await openDatabase(path, faults);
    if (opened === undefined) return;
    try {
      yield* databaseMessages(opened, id, faults);
    } finally {
      opened.close();
    }
  }
  return { session, messages };
}

function* databaseMessages(database: Database, session: string, faults: FaultLog): Generator<Message> {
  const place = (table: string, { id }: JsonObject): Place => ({
    kind: 'row',
    database: database.path,
    table,
    row: String(id),
  });
  const rows = database.rows('SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id', session);
  for (const row of rows) {
    const at = place('message', row);
    const info = unpack(row, at, faults);
    if (info === undefined) continue;
    const parts: Part[] = [];
    for (const held of database.rows('SELECT * FROM part WHERE message_id = ? ORDER BY id', String(row['id']))) {
      const value = unpack(held, place('part', held), faults);
      if (value !== undefined) parts.push({ value, place: place('part', held) });
    }
    yield { info, place: at, parts };
  }
}

async function* nothing(): AsyncGenerator<never> {
  // There are no messages without a session.
}

function exportStore(path: string, document: JsonObject): Store {
  async function* messages(faults: FaultLog): AsyncGenerator<Message> {
    for (const [index, value] of listAt(document, 'messages').entries()) {
      const place: Place = { kind: 'value', file: path, pointer: `/messages/${index}` };
      if (isObject(value) && isMessage(value)) yield await Promise.resolve(messageOf(value, place));
      else faults.add('bad-record', place, 'This is no message.');
    }
  }
  return { session: objectAt(document, 'info') ?? {}, messages };
}

function messageOf(value: JsonObject, place: Place): Message {
  const pointer = (index: number): Place =>
    place.kind === 'value' ? { ...place, pointer: `${place.pointer}/parts/${index}` } : place;
  const parts = listAt(value, 'parts').flatMap((part, index) =>
    isObject(part) ? [{ value: part, place: pointer(index) }] : [],
  );
  return { info: objectAt(value, 'info') ?? {}, place, parts };
}

/** Other programs keep exports with one message a line. */
async function logStore(path: string): Promise<Store> {
  async function* messages(faults: FaultLog): AsyncGenerator<Message> {
    for await (const { value, place } of readRecords({ file: path, isRecord: isMessage, faults })) {
      if (isMessage(value)) yield messageOf(value, place);
      else faults.add('unknown-record', place, 'This is no message.');
    }
  }
  for await (const { info } of messages(createFaultLog())) return { session: { id: info['sessionID'] }, messages };
  return { session: {}, messages };
}

/** Until 2026 every session, message and part was a file of its own below `storage`. */
function folderStore(path: string, session: JsonObject): Store {
  const storage = dirname(dirname(dirname(path)));
  async function* messages(faults: FaultLog): AsyncGenerator<Message> {
    const infos = await filesOf(join(storage, 'message', basename(path, '.json')), faults);
    for (const { value: info, place } of infos.sort(byTime)) {
      const id = textAt(info, 'id') ?? '';
      const parts = /^[\w-]+$/.test(id) ? await filesOf(join(storage, 'part', id), faults) : [];
      yield { info, place, parts };
    }
  }
  return { session, messages };
}

const createdAt = ({ value }: Part): number => numberAt(objectAt(value, 'time'), 'created') ?? 0;

const byTime = (one: Part, other: Part): number =>
  createdAt(one) - createdAt(other) || (String(one.value['id']) < String(other.value['id']) ? -1 : 1);

async function filesOf(folder: string, faults: FaultLog): Promise<Part[]> {
  const files = await findFiles({ folder, files: '*.json' });
  const found: Part[] = [];
  for (const { path } of files.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const value = await readDocument(path, faults);
    if (isObject(value)) found.push({ value, place: wholeFile(path) });
    else if (value !== undefined)
      faults.add('bad-record', wholeFile(path), 'This file is no message, and no part of one.');
  }
  return found;
}
