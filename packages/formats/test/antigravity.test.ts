import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { absentIn, kindsOf, openText } from './open-text.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const step = (type: string, fields: Fields = {}): Fields => ({
  step_index: 0,
  source: 'MODEL',
  type,
  status: 'DONE',
  ...fields,
});
const prompt = step('USER_INPUT', {
  source: 'USER_EXPLICIT',
  content: '<USER_REQUEST>\nList\n</USER_REQUEST>\n<META>x</META>',
});

test('steps after an answer are the results of its calls, in their order', async () => {
  const calls = [
    { name: 'list_dir', args: { path: '.' } },
    { name: 'view_file', args: { path: 'a' } },
  ];
  const log = [
    prompt,
    step('PLANNER_RESPONSE', { tool_calls: calls }),
    step('LIST_DIRECTORY', { content: 'a' }),
    step('VIEW_FILE', { content: 'A' }),
    step('GENERIC', { content: 'extra' }),
  ];
  const session = await openText(lines(...log, step('PLANNER_RESPONSE', { content: 'Done.' })));
  const { messages } = await session.active();
  expect(messages).toEqual([
    { role: 'user', parts: [{ text: 'List' }] },
    {
      role: 'model',
      parts: [
        { functionCall: { id: 'call_1', name: 'list_dir', args: { path: '.' } } },
        { functionCall: { id: 'call_2', name: 'view_file', args: { path: 'a' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'call_1', name: 'list_dir', response: { output: 'a' } } },
        { functionResponse: { id: 'call_2', name: 'view_file', response: { output: 'A' } } },
      ],
    },
    { role: 'model', parts: [{ text: 'Done.' }] },
  ]);
  expect(check(messages, { dialect: 'gemini', model: 'gemini-2.5-pro' }).verdict).toBe('clean');
  expect(await absentIn(session)).toEqual({ hidden: 1 });
  expect((await session.active()).messages).toEqual(messages);
});

test('notes of the system are not sent, and a torn tail is said', async () => {
  const note = step('SYSTEM_MESSAGE', { source: 'SYSTEM', content: 'note' });
  const session = await openText(`${lines(prompt, note)}{"step_index":3,`);
  expect(session).toMatchObject({ tool: 'antigravity', title: 'List' });
  expect(await absentIn(session)).toEqual({ hidden: 1 });
  expect(kindsOf(session)).toEqual(['torn']);
});

test('transcripts are found, and known by their conversation', async () => {
  const home = temporaryFolder({
    '.gemini/antigravity-cli/brain/c1/.system_generated/logs/transcript.jsonl': lines(prompt),
  });
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(found).toMatchObject([{ tool: 'antigravity', id: 'c1', title: 'List' }]);
});
