import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { openSession } from '../src/index.ts';
import { makeDatabase } from './make-database.ts';
import { kindsOf, openText } from './open-text.ts';
import { lines } from './temporary-folder.ts';

const fixture = fileURLToPath(new URL('../src/pydantic-ai/fixtures/messages.json', import.meta.url));
const messages = JSON.parse(readFileSync(fixture, 'utf8')) as object[];
const quoted = JSON.stringify(messages).replaceAll("'", "''");

test('messages are read as they are, from a document, a log, or the rows of a table', async () => {
  const rows = `CREATE TABLE messages (id INT PRIMARY KEY, message_list TEXT);
    INSERT INTO messages VALUES (NULL, CAST('${quoted}' AS BLOB))`;
  for (const session of [
    await openSession(fixture),
    await openText(lines(...messages)),
    await openSession(makeDatabase(rows)),
  ]) {
    expect(session).toMatchObject({ tool: 'pydantic-ai', title: 'Look at a.txt.', models: ['m'] });
    const active = await session.active();
    expect(active.messages).toEqual(messages);
    expect(check(active.messages, 'pydantic-ai').verdict).toBe('clean');
  }
});

test('a row that is no list is reported, and a document that was cut off is recognised', async () => {
  const rows = `CREATE TABLE messages (id INT, message_list TEXT);
    INSERT INTO messages VALUES (1, '[{'), (2, '${quoted}')`;
  const session = await openSession(makeDatabase(rows));
  expect(kindsOf(session)).toEqual(['not-json']);
  expect((await session.active()).messages).toHaveLength(4);
  const torn = await openText(JSON.stringify(messages).slice(0, -9), 'messages.json');
  expect(torn.tool).toBe('pydantic-ai');
  expect(kindsOf(torn)).toEqual(['torn']);
});
