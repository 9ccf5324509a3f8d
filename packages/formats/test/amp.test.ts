import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { kindsOf, openJson, openText } from './open-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const thread = (...messages: readonly Fields[]): Fields => ({ v: 3, id: 'T-1', created: 1, messages });
const user = (...content: readonly Fields[]): Fields => ({ role: 'user', content });
const answer = (...content: readonly Fields[]): Fields => ({ role: 'assistant', content });
const text = (value: string): Fields => ({ type: 'text', text: value });
const call = { type: 'tool_use', id: 'c1', name: 'Read', input: {}, complete: true };
const result = (run: Fields): Fields => ({ type: 'tool_result', toolUseID: 'c1', run });

test.each([
  ['a text', { status: 'done', result: 'A' }, { content: 'A' }],
  ['a value', { status: 'done', result: { output: 'A', exitCode: 0 } }, { content: 'A' }],
  ['something else', { status: 'done', result: { n: 1 } }, { content: '{"n":1}' }],
  ['an error', { status: 'error', error: { message: 'no' } }, { content: 'no', is_error: true }],
  ['an end by the user', { status: 'cancelled', reason: 'stop' }, { content: 'stop', is_error: true }],
])('a run that gave %s is a result', async (_, run, expected) => {
  const session = await openJson(thread(user(text('one')), answer(text('two'), call), user(result(run))));
  const { messages } = await session.active();
  expect(messages[2]).toEqual({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', ...expected }] });
  expect(check(messages, 'anthropic-messages').verdict).toBe('clean');
});

test('a run that goes on has no result, and reasoning without a seal is left out', async () => {
  const thinking = { type: 'thinking', thinking: 'hm' };
  const session = await openJson(
    thread(user(text('one')), answer(thinking, call), user(result({ status: 'in-progress' }))),
  );
  const { messages } = await session.active();
  expect(messages).toHaveLength(2);
  expect(messages[1]).toMatchObject({ content: [{ type: 'tool_use', id: 'c1' }] });
});

test('a stub is told from a thread', async () => {
  const session = await openJson(thread());
  expect(session.tool).toBe('amp');
  expect(kindsOf(session)).toEqual(['missing-file']);
});

test('a thread that was cut off is recognised', async () => {
  const session = await openText(JSON.stringify(thread(user(text('one')))).slice(0, -9), 'T-1.json');
  expect(session.tool).toBe('amp');
  expect(kindsOf(session)).toEqual(['torn']);
});

test('threads are found', async () => {
  const home = temporaryFolder({ '.local/share/amp/threads/T-1.json': JSON.stringify(thread(user(text('one')))) });
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(found).toMatchObject([{ tool: 'amp', id: 'T-1', title: 'one' }]);
});
