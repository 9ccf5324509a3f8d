import { createFaultLog } from '../fault.ts';
import { readRecords } from '../files/log-file.ts';
import type { Flaw } from '../files/parse-line.ts';
import { charactersOf, isObject, listAt, numberAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import type { Entry, Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { buildActive } from './active.ts';
import { isPrompt, parentOf, promptTitle, threadName } from './detect.ts';
import { createHistory, type History } from './history.ts';
import { indexFaults } from './index-databases.ts';
import { homeOf, lineageOf, type Segment } from './lineage.ts';
import { isDocument, isKnownType, isRecord, readRecord, type RolloutRecord } from './records.ts';

/** What the walk over a rollout collects. */
type Walk = {
  readonly history: History;
  readonly models: Set<string>;
  meta: JsonObject | undefined;
  /** The newest version and folder: a resume may change both. */
  version: string | undefined;
  cwd: string | undefined;
  name: string | undefined;
  prompt: string | undefined;
  updated: string | undefined;
  ordinal: number | undefined;
};

export async function read(source: Source): Promise<Reading> {
  const { path, sample, faults } = source;
  const document = sample.document();
  const { segments, related } = await lineageOf(path, sample.head, faults);
  const records = (): AsyncIterable<RolloutRecord> =>
    isDocument(document) ? itemsOf(path, document) : recordsOf(segments, createFaultLog());
  const walk = await walkOver(isDocument(document) ? itemsOf(path, document) : recordsOf(segments, faults), source);
  const { meta, models, history } = walk;
  const id = textAt(meta, 'id');
  const index = await indexFaults({ home: homeOf(path), path, meta, bytes: sample.bytes }, faults);
  const system = textAt(objectAt(meta, 'base_instructions'), 'text') ?? textAt(meta, 'instructions');
  return {
    ...optional('version', walk.version),
    ...optional('id', id),
    ...optional('title', index.name ?? walk.name ?? walk.prompt),
    ...optional('cwd', walk.cwd),
    ...parentOf(meta),
    times: { ...optional('created', textAt(meta, 'timestamp')), ...optional('updated', walk.updated) },
    models: [...models],
    dialect: 'openai-responses',
    related: [...related, ...index.related],
    entries: () => entriesOf(records()),
    active: () => buildActive({ history, system, model: [...models].at(-1), document }, faults),
  };
}

async function* entriesOf(records: AsyncIterable<RolloutRecord>): AsyncGenerator<Entry> {
  for await (const { place, type, value } of records) yield { place, type, value };
}

/** The records of every segment, in order. The head of a base speaks of the thread that was forked, and is left out. */
async function* recordsOf(
  segments: readonly Segment[],
  faults: ReturnType<typeof createFaultLog>,
): AsyncGenerator<RolloutRecord> {
  for (const { file, end } of segments) {
    for await (const { place, value, flaws } of readRecords({ file, isRecord, faults })) {
      if (place.byte >= end) break;
      const record = readRecord(value);
      if (end === Infinity || record.type !== 'session_meta') yield { place, value, flaws, ...record };
    }
  }
}

const NONE: readonly Flaw[] = [];

/** The sessions of the first, JavaScript, Codex are one document: a head and a list of items. */
async function* itemsOf(file: string, document: JsonObject): AsyncGenerator<RolloutRecord> {
  const place = (pointer: string): Place => ({ kind: 'value', file, pointer });
  const session = objectAt(document, 'session') ?? {};
  yield { place: place('/session'), type: 'session_meta', payload: session, value: session, flaws: NONE };
  for (const [index, value] of listAt(document, 'items').entries()) {
    if (isObject(value)) yield { place: place(`/items/${index}`), value, flaws: NONE, ...readRecord(value) };
  }
}

async function walkOver(records: AsyncIterable<RolloutRecord>, { path, faults }: Source): Promise<Walk> {
  const walk: Walk = {
    history: createHistory(),
    models: new Set(),
    meta: undefined,
    version: undefined,
    cwd: undefined,
    name: undefined,
    prompt: undefined,
    updated: undefined,
    ordinal: undefined,
  };
  let isFirst = true;
  for await (const record of records) {
    const { type, payload, place, flaws } = record;
    if (flaws.length > 0) {
      if (type === 'response_item') walk.history.absentees.add('torn', charactersOf(payload));
      faults.add('bad-record', place, 'Codex skips this record, because its line is not plain JSON.');
      continue;
    }
    if (!isKnownType(type)) faults.add('unknown-record', place, `Records of the type ${type} are not known here.`);
    if (isFirst && place.kind === 'line' && place.file === path && type !== 'session_meta') {
      faults.add('missing-head', place, 'A session begins with session_meta. Codex does not find one without it.');
    }
    isFirst &&= place.kind === 'line' && place.file !== path;
    checkOrdinal(walk, record, faults);
    noteSession(walk, record);
    walk.history.add(record);
  }
  return walk;
}

function checkOrdinal(walk: Walk, { place, value }: RolloutRecord, faults: ReturnType<typeof createFaultLog>): void {
  const ordinal = numberAt(value, 'ordinal');
  if (ordinal === undefined) return;
  if (walk.ordinal !== undefined && ordinal <= walk.ordinal) {
    faults.add('out-of-order', place, `The ordinal ${ordinal} follows ${walk.ordinal}: the app stops showing here.`);
  }
  walk.ordinal = ordinal;
}

function noteSession(walk: Walk, { type, payload, value }: RolloutRecord): void {
  walk.updated = textAt(value, 'timestamp') ?? walk.updated;
  walk.cwd = textAt(payload, 'cwd') ?? walk.cwd;
  if (type === 'session_meta') {
    walk.meta ??= payload;
    walk.version = textAt(payload, 'cli_version') ?? walk.version;
  }
  if (type === 'event_msg') walk.name = threadName(payload) ?? walk.name;
  if (type === 'response_item' && isPrompt(payload)) walk.prompt ??= promptTitle(payload);
  const model = type === 'turn_context' ? textAt(payload, 'model') : undefined;
  if (model !== undefined) {
    walk.models.delete(model);
    walk.models.add(model);
  }
}
