import { detectDialect, type Dialect } from '@rethread/core';

import { isObject, optional, parseJson, textAt, type JsonObject } from '../json.ts';
import { rowPieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading } from '../session.ts';
import type { Database } from '../sqlite/database.ts';
import { reportDamage } from '../sqlite/report-damage.ts';
import type { Source } from '../tool.ts';
import { promptIn } from './detect.ts';

/** The id that items have which came from an API without ids. */
const FAKE = '__fake_id__';

export async function read({ path, sample, session, faults }: Source): Promise<Reading> {
  const { database, bytes } = sample;
  if (database !== undefined) reportDamage(database, bytes, faults);
  const id = session ?? newest(database);
  if (id === undefined) faults.add('missing-head', wholeFile(path), 'There is no session in here.');
  const dialect = dialectIn(database, id ?? '');
  return readPieces<undefined>(
    {
      pieces: rowPieces({
        path,
        table: 'agent_messages',
        key: 'row',
        sql: 'SELECT id AS row, message_data, created_at AS noted FROM agent_messages WHERE session_id = ? ORDER BY id',
        values: [id ?? ''],
        unpack: 'message_data',
        typeOf: (value) => textAt(value, 'type') ?? textAt(value, 'role') ?? '',
      }),
      follow: () => meaningOf,
      dialect: () => dialect,
      copes: [],
      about: { id },
    },
    faults,
  );
}

function newest(database: Database | undefined): string | undefined {
  const [row] = database?.rows('SELECT session_id FROM agent_messages ORDER BY id DESC LIMIT 1') ?? [];
  const [any] = row === undefined ? (database?.rows('SELECT session_id FROM agent_sessions LIMIT 1') ?? []) : [];
  return textAt(row ?? any, 'session_id');
}

/** The library for JavaScript writes keys in camel case. */
function dialectIn(database: Database | undefined, id: string): Dialect {
  const sql = 'SELECT message_data FROM agent_messages WHERE session_id = ? ORDER BY id LIMIT 200';
  const rows = database?.rows(sql, id) ?? [];
  const items = Array.from(rows, ({ message_data }) => parseJson(String(message_data))).filter(isObject);
  return detectDialect({ input: items }) === 'openai-agents' ? 'openai-agents' : 'openai-responses';
}

function meaningOf({ value }: Piece): Meaning<undefined> {
  const { noted } = value;
  const item = without(value, ['row', 'noted']);
  const time = typeof noted === 'string' ? `${noted.replace(' ', 'T')}Z` : undefined;
  const notes = { time, ...optional('prompt', promptIn(item)) };
  const isFake = item['id'] === FAKE;
  // Reasoning of another API cannot be sent back to this one.
  if (isFake && item['type'] === 'reasoning') return { wire: [item], absent: 'hidden', notes };
  return { wire: [isFake ? without(item, ['id']) : item], notes };
}

const without = (item: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key)));
