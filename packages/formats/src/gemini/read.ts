import type { FaultLog } from '../fault.ts';
import { logEntries, readRecords } from '../files/log-file.ts';
import { isObject, listAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import type { Entry, Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { activeOf, activeOfCheckpoint } from './active.ts';
import { parentOf, titleOf } from './detect.ts';
import { createHistory, type History } from './history.ts';
import { isCheckpoint, isHeader, isRecord, isSplitByNode, unsentReason } from './records.ts';

/** What the walk over a session collects. */
type Walk = {
  readonly history: History;
  readonly models: Set<string>;
  header: JsonObject | undefined;
  title: string | undefined;
  updated: string | undefined;
};

export async function read(source: Source): Promise<Reading> {
  const { path, sample, faults } = source;
  const document = sample.document();
  if (isCheckpoint(document)) return readCheckpoint(path, document);
  const walk = newWalk();
  if (isHeader(document)) noteDocument(walk, document, path);
  else await walkOver(source, walk);
  const { header, history, models } = walk;
  return {
    ...optional('id', textAt(header, 'sessionId')),
    ...optional('title', textAt(header, 'summary') ?? walk.title),
    ...parentOf(path, header),
    times: {
      ...optional('created', textAt(header, 'startTime')),
      ...optional('updated', walk.updated ?? textAt(header, 'lastUpdated')),
    },
    models: [...models],
    dialect: 'gemini',
    related: [],
    entries: () => (isHeader(document) ? documentEntries(path, document, 'messages') : entriesOf(path)),
    active: () => activeOf({ history, document, model: [...models].at(-1) }, faults),
  };
}

async function* entriesOf(path: string): AsyncGenerator<Entry> {
  for await (const entry of logEntries(path, isRecord)) {
    const [change] = Object.keys(entry.value).filter((key) => key.startsWith('$'));
    yield entry.type === '' ? { ...entry, type: change ?? 'session' } : entry;
  }
}

async function* documentEntries(path: string, document: JsonObject, key: string): AsyncGenerator<Entry> {
  for (const [index, value] of listAt(document, key).entries()) {
    if (!isObject(value)) continue;
    const place: Place = { kind: 'value', file: path, pointer: `/${key}/${index}` };
    yield await Promise.resolve({ place, type: textAt(value, 'type') ?? textAt(value, 'role') ?? '', value });
  }
}

function readCheckpoint(path: string, document: JsonObject): Reading {
  const place = (index: number): Place => ({ kind: 'value', file: path, pointer: `/history/${index}` });
  return {
    times: {},
    models: [],
    dialect: 'gemini',
    related: [],
    entries: () => documentEntries(path, document, 'history'),
    active: () => Promise.resolve(activeOfCheckpoint(document, place)),
  };
}

const newWalk = (): Walk => ({
  history: createHistory(),
  models: new Set(),
  header: undefined,
  title: undefined,
  updated: undefined,
});

function noteDocument(walk: Walk, document: JsonObject, path: string): void {
  walk.header = document;
  for (const [index, value] of listAt(document, 'messages').entries()) {
    if (!isObject(value)) continue;
    noteMessage(walk, value);
    // Messages without an id are told apart by their place.
    const message = textAt(value, 'id') === undefined ? { ...value, id: `#${index}` } : value;
    walk.history.add(message, { kind: 'value', file: path, pointer: `/messages/${index}` });
  }
}

async function walkOver({ path, faults }: Source, walk: Walk): Promise<void> {
  let isFirst = true;
  for await (const { value, place, flaws } of readRecords({ file: path, isRecord, faults })) {
    const isSkipped = flaws.some((flaw) => flaw !== 'bad-utf8') || isSplitByNode(value);
    if (isFirst && (isSkipped || !isHeader(value))) {
      faults.add(
        'missing-head',
        place,
        'A session begins with its id. Gemini CLI deletes a file without it on any start.',
      );
    }
    isFirst = false;
    if (isSkipped) {
      faults.add('bad-record', place, 'Gemini CLI skips this record, because its line is not plain JSON.');
      if (unsentReason(value) === undefined) walk.history.absentees.add('torn', JSON.stringify(value).length);
      continue;
    }
    checkRecord(value, place, faults);
    if (isHeader(value)) walk.header ??= value;
    for (const message of [value, ...listAt(value['$set'], 'messages')])
      if (isObject(message)) noteMessage(walk, message);
    walk.history.add(value, place);
  }
}

function checkRecord(value: JsonObject, place: Place, faults: FaultLog): void {
  if (!isRecord(value)) faults.add('unknown-record', place, 'Records of this kind are not known here.');
}

function noteMessage(walk: Walk, message: JsonObject): void {
  walk.updated = textAt(message, 'timestamp') ?? walk.updated;
  walk.title ??= titleOf([message]);
  const model = textAt(message, 'model');
  if (model === undefined) return;
  walk.models.delete(model);
  walk.models.add(model);
}
