import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { openSession } from '../src/index.ts';
import { makeDatabase } from './make-database.ts';
import { kindsOf, openJson } from './open-text.ts';

const sql = readFileSync(fileURLToPath(new URL('../src/mastra-ai-sdk/fixtures/mastra.sql', import.meta.url)), 'utf8');

test('a thread is the messages of a chat', async () => {
  const session = await openSession(makeDatabase(sql));
  const { messages, places } = await session.active();
  expect(messages).toMatchObject([
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Look at a.txt.' }] },
    {
      id: 'm2',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'tool-read', toolCallId: 'c1', state: 'output-available', input: { path: 'a.txt' }, output: 'hello' },
        { type: 'step-start' },
        { type: 'text', text: 'It says hello.' },
      ],
    },
  ]);
  expect(places[1]).toMatchObject([{ kind: 'row', table: 'mastra_messages', row: 'm2' }]);
  expect(check(messages, 'ai-sdk-ui').verdict).toBe('clean');
  expect(session).toMatchObject({
    tool: 'mastra-ai-sdk',
    id: 't1',
    title: 'Look at a.txt.',
    dialect: 'ai-sdk-ui',
    faults: [],
  });
});

test('a message of a newer format is read, and said', async () => {
  const session = await openSession(
    makeDatabase(sql.replace('"format":2,"parts":[{"type":"text"', '"format":3,"parts":[{"type":"text"')),
  );
  expect(kindsOf(session)).toEqual(['unknown-record']);
  expect((await session.active()).messages).toHaveLength(2);
});

test('older content is a bare text', async () => {
  const row = `INSERT INTO mastra_messages VALUES ('m3', 't1', 'three', 'user', 'v1', '2026-11-02', 'r');`;
  const { messages } = await (await openSession(makeDatabase(sql + row))).active();
  expect(messages.at(-1)).toEqual({ id: 'm3', role: 'user', parts: [] });
});

test('messages of the AI SDK in a document are read, of a chat and of a model', async () => {
  const chat = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'one' }] }];
  expect(await openJson(chat)).toMatchObject({ tool: 'mastra-ai-sdk', dialect: 'ai-sdk-ui', title: 'one' });
  const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} };
  const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'A' } };
  const model = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [result] },
  ];
  expect(await openJson(model)).toMatchObject({ tool: 'mastra-ai-sdk', dialect: 'ai-sdk-model', title: 'one' });
});
