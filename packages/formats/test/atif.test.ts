import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { openSession } from '../src/index.ts';
import { kindsOf, openJson, openText, textsIn } from './open-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

const fixture = fileURLToPath(new URL('../src/atif/fixtures/trajectory.json', import.meta.url));

test('a step with calls and what came of them is an answer and its results', async () => {
  const session = await openSession(fixture);
  const { messages } = await session.active();
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
  expect(session).toMatchObject({ tool: 'atif', id: 's1', version: '1.7', title: 'Look at a.txt.' });
});

test('a result without a call is a text', async () => {
  const step = { source: 'agent', message: 'Look.', observation: { results: [{ content: 'A' }] } };
  const session = await openJson({ schema_version: 'ATIF-v1.2', steps: [step] });
  expect((await session.active()).messages).toEqual([
    { role: 'assistant', content: 'Look.' },
    { role: 'user', content: 'A' },
  ]);
});

test('a newer version is read, and said; one that was cut off is recognised', async () => {
  const whole = {
    schema_version: 'ATIF-v1.9',
    session_id: 's',
    agent: {},
    steps: [{ source: 'user', message: 'one' }],
  };
  const session = await openJson(whole);
  expect(kindsOf(session)).toEqual(['newer-version']);
  expect(await textsIn(session)).toEqual(['one']);
  expect(kindsOf(await openText(JSON.stringify(whole).slice(0, -9), 'trajectory.json'))).toEqual(['torn']);
});

test('the file that goes on after a compaction is named, and never one elsewhere', async () => {
  const write = (name: string): string =>
    JSON.stringify({ schema_version: 'ATIF-v1.7', steps: [], continued_trajectory_ref: name });
  const folder = temporaryFolder({ 'a.json': write('b.json'), 'b.json': '{}', 'c.json': write('../x.json') });
  const file = join(folder, 'b.json');
  expect((await openSession(join(folder, 'a.json'))).related).toEqual([{ kind: 'base', path: file, isThere: true }]);
  expect((await openSession(join(folder, 'c.json'))).related).toEqual([]);
});
