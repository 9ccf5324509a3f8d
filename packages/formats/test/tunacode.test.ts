import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { openSession } from '../src/index.ts';
import { absentIn, kindsOf, openJson, openText } from './open-text.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixture = fileURLToPath(new URL('../src/tunacode/fixtures/session.json', import.meta.url));
const session = (...messages: readonly Fields[]): Fields => ({
  version: 1,
  session_id: 's1',
  project_id: 'p1',
  messages,
});

test('the present messages are read', async () => {
  const opened = await openSession(fixture);
  const { messages } = await opened.active();
  expect(messages).toEqual([
    { role: 'user', content: 'Look at a.txt.' },
    {
      role: 'assistant',
      content: 'I will read it.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'hello' },
    { role: 'assistant', content: 'It says hello.' },
  ]);
  expect(check(messages, 'openai-chat').verdict).toBe('clean');
  expect(opened).toMatchObject({ tool: 'tunacode', id: 's1', cwd: '/project', title: 'Look at a.txt.', faults: [] });
});

test('the older messages are intact, and refused by the program', async () => {
  const prompt = { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'one' }] };
  const answer = { kind: 'response', parts: [{ part_kind: 'text', content: 'two' }], model_name: 'm' };
  const opened = await openJson(session(prompt, { thought: 'hm' }, answer));
  expect(opened).toMatchObject({ tool: 'tunacode', dialect: 'pydantic-ai', title: 'one' });
  expect((await opened.active()).messages).toEqual([prompt, answer]);
  expect(await absentIn(opened)).toEqual({ hidden: 1 });
  expect(kindsOf(opened)).toEqual(['stale-index']);
});

test('a session that was cut off is recognised, and a newer one is said', async () => {
  const whole = session({ role: 'user', content: 'one' });
  expect(kindsOf(await openText(JSON.stringify(whole).slice(0, -5), 's.json'))).toEqual(['torn']);
  expect(kindsOf(await openJson({ ...whole, version: 2 }))).toEqual(['newer-version']);
});
