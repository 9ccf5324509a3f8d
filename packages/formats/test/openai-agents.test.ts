import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { openSession } from '../src/index.ts';
import { makeDatabase } from './make-database.ts';
import { absentIn, kindsOf } from './open-text.ts';

const sql = readFileSync(
  fileURLToPath(new URL('../src/openai-agents/fixtures/conversations.sql', import.meta.url)),
  'utf8',
);
const insert = (id: number, item: object): string =>
  `INSERT INTO agent_messages VALUES (${id}, 's1', '${JSON.stringify(item)}', '2026-11-01 11:00:00');`;

test('items are read as they are', async () => {
  const session = await openSession(makeDatabase(sql));
  const { messages } = await session.active();
  expect(messages[1]).toMatchObject({ type: 'function_call', call_id: 'c1', id: 'fc_1' });
  expect(check(messages, 'openai-responses').verdict).toBe('clean');
  expect(session).toMatchObject({
    tool: 'openai-agents',
    id: 's1',
    title: 'Look at a.txt.',
    dialect: 'openai-responses',
    faults: [],
  });
});

test('items of another API have an id that is none, and their reasoning is not sent back', async () => {
  const fake = { id: '__fake_id__', status: 'completed' };
  const text = {
    ...fake,
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'two', annotations: [] }],
  };
  const reasoning = { ...fake, type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] };
  const session = await openSession(makeDatabase(sql + insert(5, reasoning) + insert(6, text)));
  const { messages } = await session.active();
  expect(messages.at(-1)).not.toHaveProperty('id');
  expect(await absentIn(session)).toEqual({ hidden: 1 });
  expect(check(messages, 'openai-responses').verdict).toBe('clean');
});

test('items of the library for JavaScript are known by their keys', async () => {
  const call = { type: 'function_call', callId: 'c9', name: 'read', arguments: '{}', status: 'completed' };
  const result = {
    type: 'function_call_result',
    callId: 'c9',
    name: 'read',
    status: 'completed',
    output: { type: 'text', text: 'A' },
  };
  const made =
    sql.slice(0, sql.lastIndexOf('INSERT')) +
    insert(1, { type: 'message', role: 'user', content: 'one' }) +
    insert(2, call) +
    insert(3, result);
  expect((await openSession(makeDatabase(made))).dialect).toBe('openai-agents');
});

test('a row that is no JSON is reported', async () => {
  const session = await openSession(makeDatabase(`${sql}UPDATE agent_messages SET message_data = '{' WHERE id = 4;`));
  expect(kindsOf(session)).toEqual(['not-json']);
  expect((await session.active()).messages).toHaveLength(3);
});
