import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { makeDatabase } from './make-database.ts';
import { absentIn, kindsOf, textsIn } from './open-text.ts';

const sql = readFileSync(fileURLToPath(new URL('../src/crush/fixtures/crush.sql', import.meta.url)), 'utf8');

/** A message that says one text. */
const message = (id: string, role: string, time: number): string =>
  `INSERT INTO messages VALUES ('${id}', 's1', '${role}', '[{"type":"text","data":{"text":" ${id} "}}]', '',
    ${time}, ${time}, NULL, NULL);`;

test('a session is read as Crush sends it', async () => {
  const session = await openSession(makeDatabase(sql));
  const { messages, places } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: 'Look at a.txt.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'view', arguments: '{"file_path":"a.txt"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'hello' },
    { role: 'assistant', content: 'It says hello.' },
  ]);
  expect(places[0]).toMatchObject([{ kind: 'row', table: 'messages', row: 'm1' }]);
  expect(check(messages, 'openai-chat').verdict).toBe('clean');
  expect(session).toMatchObject({
    tool: 'crush',
    id: 's1',
    title: 'Read a file',
    models: ['m'],
    dialect: 'openai-chat',
  });
});

test('a summary begins the history, as a message of the user', async () => {
  const messages = [message('sum', 'assistant', 2e9), message('after', 'user', 2e9 + 1)];
  const made = `${sql}UPDATE sessions SET summary_message_id = 'sum';${messages.join('')}`;
  const session = await openSession(makeDatabase(made));
  expect((await session.active()).messages).toEqual([
    { role: 'user', content: 'sum' },
    { role: 'user', content: 'after' },
  ]);
  expect(await absentIn(session)).toEqual({ compacted: 4 });
});

test('what only the log of the database holds is read', async () => {
  const path = makeDatabase(sql);
  const writer = new DatabaseSync(path);
  writer.exec(`PRAGMA journal_mode = WAL; ${message('late', 'user', 2e9)}`);
  expect(await textsIn(await openSession(path))).toContain('late');
  writer.close();
});

test('parts that are no JSON are reported', async () => {
  const session = await openSession(makeDatabase(`${sql}UPDATE messages SET parts = '[{' WHERE id = 'm4';`));
  expect(kindsOf(session)).toEqual(['not-json']);
  expect(await textsIn(session)).toHaveLength(3);
});

test('a session that is not there is reported', async () => {
  expect(kindsOf(await openSession({ path: makeDatabase(sql), id: 's9' }))).toEqual(['missing-head']);
});

test('projects below the home folder are looked through', async () => {
  const path = makeDatabase(sql, 'work/project/.crush/crush.db');
  const home = join(path, '../../../..');
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(found).toMatchObject([{ tool: 'crush', id: 's1', title: 'Read a file', modified: 1793527204000 }]);
});

test('the first opencode kept its sessions in the same tables', async () => {
  const session = await openSession(makeDatabase(sql, '.opencode/opencode.db'));
  expect(session.tool).toBe('opencode');
  expect(await textsIn(session)).toHaveLength(4);
});
