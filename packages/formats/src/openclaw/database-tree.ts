import zlib from 'node:zlib';

import { createFaultLog, type FaultLog } from '../fault.ts';
import { canReadZstd } from '../files/chunks.ts';
import { isObject, isTooDeep, parseJson, textAt, type JsonObject } from '../json.ts';
import type { Tree, TreeRecord } from '../pi/read.ts';
import { wholeFile, type Place } from '../place.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { reportDamage } from '../sqlite/report-damage.ts';
import type { Source } from '../tool.ts';

/** The session that is wanted, or the one that was used last. */
export function sessionIn({ path, sample, session, faults }: Source): string {
  if (session !== undefined) return session;
  const [row] = sample.database?.rows('SELECT session_id FROM session_windows ORDER BY updated_at DESC LIMIT 1') ?? [];
  if (row === undefined) faults.add('missing-head', wholeFile(path), 'There is no session in here.');
  return textAt(row, 'session_id') ?? '';
}

/** A tree whose entries are rows: some of them are compressed. */
export function databaseTree(
  path: string,
  session: string,
  { sample, faults: found }: Pick<Source, 'sample' | 'faults'>,
): Pick<Tree, 'records' | 'reread' | 'entries'> {
  if (sample.database !== undefined) reportDamage(sample.database, sample.bytes, found);
  async function* records(faults: FaultLog): AsyncGenerator<TreeRecord> {
    const database = await openDatabase(path, faults);
    if (database === undefined) return;
    try {
      for (const row of database.rows('SELECT * FROM transcript_events WHERE session_id = ? ORDER BY seq', session)) {
        const place: Place = { kind: 'row', database: path, table: 'transcript_events', row: rowId(session, row) };
        const value = entryIn(row);
        if (value === undefined) faults.add('not-json', place, 'This event is no JSON object, or cannot be unpacked.');
        else yield { value, place, flaws: [] };
      }
    } finally {
      database.close();
    }
  }
  return {
    records,
    async reread(places, faults) {
      const wanted = new Map(places.map((place, index) => [place.kind === 'row' ? place.row : '', index]));
      const values = new Array<JsonObject | undefined>(places.length);
      for await (const { value, place } of records(faults)) {
        const index = place.kind === 'row' ? wanted.get(place.row) : undefined;
        if (index !== undefined) values[index] = value;
      }
      return values;
    },
    async *entries() {
      for await (const { value, place } of records(createFaultLog()))
        yield { place, type: textAt(value, 'type') ?? '', value };
    },
  };
}

const rowId = (session: string, { seq }: JsonObject): string => `${session}/${String(seq)}`;

function entryIn({ event_json, event_zstd }: JsonObject): JsonObject | undefined {
  const text = typeof event_json === 'string' ? event_json : unpacked(event_zstd);
  const value = parseJson(text ?? '');
  return isObject(value) && !isTooDeep(value) ? value : undefined;
}

/** An event that unpacks to more than this is hostile. */
const LARGEST = 256 * 2 ** 20;

function unpacked(bytes: unknown): string | undefined {
  if (!(bytes instanceof Uint8Array) || !canReadZstd()) return undefined;
  try {
    return zlib.zstdDecompressSync(bytes, { maxOutputLength: LARGEST }).toString('utf8');
  } catch {
    return undefined;
  }
}
