import { join } from 'node:path';

import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { kindsOf, openText, textsIn } from './open-text.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const start = { type: 'session_start', id: 's1', title: 'My work', cwd: '/project', version: 2 };
const say = (role: string, content: unknown): Fields => ({ type: 'message', id: 'm', message: { role, content } });
const call = { type: 'tool_use', id: 'c1', name: 'Read', input: {} };
const result = { type: 'tool_result', tool_use_id: 'c1', content: 'A' };

test('messages of one side in a row are one', async () => {
  const log = lines(
    start,
    say('user', 'one'),
    say('assistant', 'two'),
    say('assistant', [call]),
    say('user', [result]),
  );
  const session = await openText(log);
  const { messages } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'one' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'two' }, call] },
    { role: 'user', content: [result] },
  ]);
  expect(check(messages, 'anthropic-messages').verdict).toBe('clean');
  expect(session).toMatchObject({ tool: 'factory-droid', id: 's1', title: 'My work', cwd: '/project', version: '2' });
});

test('what the program prints for others is read too', async () => {
  const id = { session_id: 's1', timestamp: '2026-11-01' };
  const printed = [
    { type: 'message', role: 'user', text: '<system-reminder>x</system-reminder>\nList files', ...id },
    { type: 'tool_call', toolCallId: 'c1', toolName: 'Shell', parameters: { command: 'ls' }, ...id },
    { type: 'tool_result', toolCallId: 'c1', value: { stdout: 'a', exitCode: 0 }, ...id },
    { type: 'completion', finalText: 'Done.', ...id },
  ];
  const session = await openText(lines(...printed));
  expect(session).toMatchObject({ tool: 'factory-droid', id: 's1', title: 'List files', faults: [] });
  expect(check((await session.active()).messages, 'anthropic-messages').verdict).toBe('clean');
  expect(await textsIn(session)).toHaveLength(4);
});

test.each([
  ['a torn tail', `${lines(start, say('user', 'one'))}{"type":"mess`, ['torn']],
  ['two records on a line', lines(start).trim() + lines(say('user', 'one')), ['glued']],
  ['a type that nobody knows', lines(start, say('user', 'one'), { type: 'compaction_state' }), ['unknown-record']],
])('%s is said', async (_, content, kinds) => {
  const session = await openText(content);
  expect(kindsOf(session)).toEqual(kinds);
  expect(await textsIn(session)).toEqual(['one']);
});

test('sessions are found, and their settings tell the model', async () => {
  const folder = '.factory/sessions/-project';
  const home = temporaryFolder({
    [`${folder}/s1.jsonl`]: lines(start, say('user', 'one')),
    [`${folder}/s1.settings.json`]: '{"model":"claude-opus-4-6"}',
  });
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(found).toMatchObject([{ tool: 'factory-droid', id: 's1', title: 'My work' }]);
  const session = await openSession(join(home, folder, 's1.jsonl'));
  expect((await session.active()).model).toBe('claude-opus-4-6');
});
