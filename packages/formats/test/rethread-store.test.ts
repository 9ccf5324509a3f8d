import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { openSession } from '../src/index.ts';
import { makeDatabase } from './make-database.ts';
import { kindsOf, openText, textsIn } from './open-text.ts';

const fixture = fileURLToPath(new URL('../src/rethread/fixtures/log.jsonl', import.meta.url));
const log = readFileSync(fixture, 'utf8');

test('a log of the store is read', async () => {
  const session = await openSession(fixture);
  expect(session).toMatchObject({
    tool: 'rethread',
    id: 'logs',
    title: 'Old logs',
    dialect: 'anthropic-messages',
    faults: [],
  });
  expect(await textsIn(session)).toEqual(['Delete the old logs.', 'ok']);
  expect((await session.active()).places[0]).toMatchObject([{ kind: 'line', line: 2 }]);
});

test.each([
  ['a torn tail', log.slice(0, -30), ['torn']],
  ['a line that is no record', `${log}{"a":1}\n`, ['not-json']],
  ['zeros', `${log}${'\0'.repeat(20)}`, ['nul']],
  ['a newer record', log.replace('{"v":1,"seq":2', '{"v":2,"seq":2'), ['newer-version']],
])('%s is said', async (_, content, kinds) => {
  const session = await openText(content, 'log.jsonl');
  expect(session.tool).toBe('rethread');
  expect(kindsOf(session)).toEqual(kinds);
});

test('a database of the store is read', async () => {
  const records = log
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.stringify((JSON.parse(line) as unknown[])[3]));
  const rows = records.map(
    (record, index) => `INSERT INTO records VALUES (${index}, 1, ${index + 1}, CAST('${record}' AS BLOB));`,
  );
  const path = makeDatabase(`CREATE TABLE sessions (n, id, title, parent, chain, created_at, updated_at);
    CREATE TABLE records (n, session, seq, body);
    INSERT INTO sessions VALUES (1, 'logs', 'Old logs', NULL, 0, '2026-11-01', '2026-11-02');${rows.join('')}`);
  const session = await openSession(path);
  expect(session).toMatchObject({ tool: 'rethread', id: 'logs', title: 'Old logs', faults: [] });
  expect(await textsIn(session)).toEqual(['Delete the old logs.', 'ok']);
});
