import { projectWithSources, toWire, type SessionRecord } from '@rethread/core';

import { createAbsentees } from '../absentees.ts';
import { createFaultLog, type FaultLog } from '../fault.ts';
import {
  charactersOf,
  isObject,
  isTooDeep,
  numberAt,
  objectAt,
  optional,
  parseJson,
  textAt,
  type JsonObject,
} from '../json.ts';
import { entriesOf, type Piece, type Pieces } from '../pieces/piece.ts';
import { wholeFile, type Place } from '../place.ts';
import type { Active, Reading } from '../session.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { reportDamage } from '../sqlite/report-damage.ts';
import type { Source } from '../tool.ts';
import { framePieces } from './frames.ts';
import { headIn } from './detect.ts';

/** The newest version of a record that is known here. */
const VERSION = 1;

export async function read(source: Source): Promise<Reading> {
  const { path, sample, faults } = source;
  const session = sample.database === undefined ? undefined : sessionIn(source);
  const pieces = session === undefined ? framePieces(path) : rowPieces(path, session);
  const head = session ?? { ...headIn(sample.text), ...objectAt(headIn(sample.text) ?? {}, 'about') };
  const id = textAt(head, 'id') ?? textAt(head, 'session');
  const walk = await walkOver(pieces, faults);
  return {
    version: String(VERSION),
    ...optional('id', id),
    ...optional('title', textAt(head, 'title')),
    ...optional('parent', textAt(head, 'parent')),
    times: {
      ...optional('created', textAt(head, 'created_at') ?? textAt(head, 'createdAt')),
      ...optional('updated', walk.updated),
    },
    models: [],
    ...optional('dialect', walk.dialect),
    related: [],
    entries: () => entriesOf(pieces, createFaultLog()),
    active: () => activeOf(pieces),
  };
}

function sessionIn({ path, sample, session, faults }: Source): JsonObject {
  reportDamage(sample.database ?? never(), sample.bytes, faults);
  const sql =
    session === undefined
      ? 'SELECT * FROM sessions ORDER BY updated_at DESC LIMIT 1'
      : 'SELECT * FROM sessions WHERE id = ?';
  const [row] = sample.database?.rows(sql, ...(session === undefined ? [] : [session])) ?? [];
  if (row === undefined) faults.add('missing-head', wholeFile(path), 'There is no such session in here.');
  return row ?? {};
}

const never = (): never => {
  throw new TypeError('a session in a database is asked for without one');
};

const rowPieces = (path: string, session: JsonObject): Pieces =>
  async function* pieces(faults: FaultLog): AsyncGenerator<Piece> {
    const database = await openDatabase(path, faults);
    if (database === undefined) return;
    try {
      for (const row of database.rows(
        'SELECT n, body FROM records WHERE session = ? ORDER BY seq',
        numberAt(session, 'n') ?? -1,
      )) {
        const place: Place = { kind: 'row', database: path, table: 'records', row: numberAt(row, 'n') ?? 0 };
        const { body } = row;
        const value = body instanceof Uint8Array ? parseJson(Buffer.from(body).toString('utf8')) : undefined;
        if (!isObject(value) || isTooDeep(value))
          faults.add('not-json', place, 'The body of this record is no JSON object.');
        else yield { place, type: textAt(value, 'kind') ?? '', value };
      }
    } finally {
      database.close();
    }
  };

const isRecord = (value: JsonObject): boolean =>
  numberAt(value, 'seq') !== undefined && textAt(value, 'kind') !== undefined;

async function walkOver(pieces: Pieces, faults: FaultLog): Promise<{ updated?: string; dialect?: Active['dialect'] }> {
  let updated: string | undefined;
  let dialect: Active['dialect'] | undefined;
  for await (const { value, place } of pieces(faults)) {
    if (!isRecord(value)) continue;
    const version = numberAt(value, 'v') ?? VERSION;
    if (version > VERSION)
      faults.add('newer-version', place, `Version ${version} is newer than what is known here (${VERSION}).`);
    updated = textAt(value, 'at') ?? updated;
    if (value['kind'] === 'message') dialect = projectWithSources([value as SessionRecord])?.dialect ?? dialect;
  }
  return { ...optional('updated', updated), ...optional('dialect', dialect) };
}

/** The messages of the next request are those that the library itself makes of the records. */
async function activeOf(pieces: Pieces): Promise<Active> {
  const records: SessionRecord[] = [];
  const places = new Map<number, Place>();
  for await (const { value, place } of pieces(createFaultLog())) {
    if (!isRecord(value)) continue;
    places.set(numberAt(value, 'seq') ?? -1, place);
    records.push(value as SessionRecord);
  }
  const projection = projectWithSources(records);
  if (projection === undefined)
    return { dialect: 'anthropic-messages', messages: [], places: [], absent: [], copes: [] };
  const sources = new Set(projection.sources);
  const absentees = createAbsentees();
  for (const { kind, seq, data } of records) {
    if (kind === 'message' && !sources.has(seq)) absentees.add('compacted', charactersOf(data));
  }
  const messages = toWire(projection);
  return {
    dialect: projection.dialect,
    messages,
    places: messages.map((_, index) => placeOf(places, projection.sources[index])),
    absent: absentees.list(),
    copes: [],
  };
}

const placeOf = (places: ReadonlyMap<number, Place>, seq: number | undefined): readonly Place[] => {
  const place = seq === undefined ? undefined : places.get(seq);
  return place === undefined ? [] : [place];
};
