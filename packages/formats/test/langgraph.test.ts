import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession } from '../src/index.ts';
import { decodeMsgpack } from '../src/langgraph/msgpack.ts';
import { makeDatabase } from './make-database.ts';
import { absentIn, kindsOf, openJson } from './open-text.ts';

const sql = readFileSync(fileURLToPath(new URL('../src/langgraph/fixtures/checkpoints.sql', import.meta.url)), 'utf8');

/** A value as MessagePack: texts, lists and objects of few items, and objects of Python. */
function pack(value: unknown): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([Buffer.from([0xd9, Buffer.byteLength(value)]), Buffer.from(value)]);
  if (typeof value === 'number') return Buffer.from([value]);
  if (value === null) return Buffer.from([0xc0]);
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([0x90 + value.length]), ...value.map(pack)]);
  const entries = Object.entries(value as object).map(([key, held]) => Buffer.concat([pack(key), pack(held)]));
  return Buffer.concat([Buffer.from([0x80 + entries.length]), ...entries]);
}

/** An object of Python: its module, its class, its values, and how it is made. */
function python(name: string, values: object): Buffer {
  const data = pack([`langchain_core.messages.${name}`, name, values, 'model_validate_json']);
  const head = Buffer.from([0xc8, 0, 0, 5]);
  head.writeUInt16BE(data.length, 1);
  return Buffer.concat([head, data]);
}

describe('the state of a thread', () => {
  test('is its messages, and those that steps have written since', async () => {
    const session = await openSession(makeDatabase(sql));
    const { messages, places } = await session.active();
    expect(messages.map((message) => (message as { type: string }).type)).toEqual(['human', 'ai', 'tool']);
    expect(places[2]).toMatchObject([{ kind: 'row', table: 'writes', row: 'a/0' }]);
    expect(check(messages, 'langchain').verdict).toBe('clean');
    expect(session).toMatchObject({ tool: 'langgraph', id: 't1', title: 'Look at a.txt.', version: '4', faults: [] });
  });

  test('is read from objects of Python', async () => {
    const path = makeDatabase(sql.slice(0, sql.indexOf('INSERT')));
    const said = [
      python('HumanMessage', { content: 'one', id: 'm1' }),
      python('AIMessage', { content: 'two', id: 'm2' }),
    ];
    const checkpoint = pack({ v: 1, ts: '2026-11-01T10:00:00+00:00', channel_values: { messages: said } });
    const database = new DatabaseSync(path);
    database.prepare(`INSERT INTO checkpoints VALUES ('t1', '', '2', NULL, 'msgpack', ?, NULL)`).run(checkpoint);
    database.close();
    const session = await openSession(path);
    expect((await session.active()).messages).toEqual([
      { type: 'human', data: { content: 'one', id: 'm1' } },
      { type: 'ai', data: { content: 'two', id: 'm2' } },
    ]);
    expect(session.title).toBe('one');
  });

  test('leaves out what was replaced or removed', async () => {
    const changed = [
      { type: 'human', data: { content: 'Look at b.txt.', id: 'm1' } },
      { type: 'remove', data: { id: 'm2' } },
    ];
    const again = `INSERT INTO writes VALUES
      ('t1', '', '1', 'b', 0, 'messages', 'json', CAST('${JSON.stringify(changed)}' AS BLOB));`;
    const session = await openSession(makeDatabase(sql + again));
    expect((await session.active()).messages).toHaveLength(2);
    expect(await absentIn(session)).toEqual({ repeated: 1, rewound: 2 });
  });

  test('that cannot be decoded is reported', async () => {
    const session = await openSession(
      makeDatabase(`${sql}UPDATE checkpoints SET checkpoint = X'81A1', type = 'msgpack'`),
    );
    expect(kindsOf(session)).toEqual(['not-json']);
  });

  test('of a newer version is read, and said', async () => {
    const newer = sql.replace('"v":4', '"v":5');
    expect(kindsOf(await openSession(makeDatabase(newer)))).toEqual(['newer-version']);
  });
});

test('messages of LangChain in a document are read', async () => {
  const human = {
    lc: 1,
    type: 'constructor',
    id: ['langchain', 'schema', 'messages', 'HumanMessage'],
    kwargs: { content: 'one' },
  };
  const session = await openJson([human]);
  expect(session).toMatchObject({ tool: 'langgraph', title: 'one', dialect: 'langchain' });
});

test.each([
  ['c0', null],
  ['c3', true],
  ['7f', 127],
  ['ff', -1],
  ['cd0102', 258],
  ['d1ff00', -256],
  ['cb3ff8000000000000', 1.5],
  ['cf0000000100000000', 4294967296],
  ['a26869', 'hi'],
  ['92a16101', ['a', 1]],
  ['81a16101', { a: 1 }],
  ['d40007', 'kind 0'],
  ['92a161', undefined],
  ['ddffffffff', undefined],
  ['c1', undefined],
])('the bytes %s of MessagePack are decoded', (hex, expected) => {
  expect(decodeMsgpack(Buffer.from(hex, 'hex'), ({ kind }) => `kind ${kind}`)).toEqual(expected);
});
