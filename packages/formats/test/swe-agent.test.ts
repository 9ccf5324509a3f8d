import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { openSession } from '../src/index.ts';
import { collect } from './collect.ts';
import { kindsOf, openJson, openText } from './open-text.ts';

const fixture = fileURLToPath(new URL('../src/swe-agent/fixtures/run.traj', import.meta.url));

test('a result is sent with the id of the call that it names in a list', async () => {
  const session = await openSession(fixture);
  const { messages } = await session.active();
  expect(messages.slice(2)).toEqual([
    {
      role: 'assistant',
      content: 'I will read it.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{"command":"cat a.txt"}' } },
      ],
    },
    { role: 'tool', content: 'hello', tool_call_id: 'call_1' },
  ]);
  expect(check(messages, 'openai-chat').verdict).toBe('clean');
  expect(session).toMatchObject({ tool: 'swe-agent', title: 'Look at a.txt.', faults: [] });
  expect(await collect(session.entries())).toHaveLength(5);
});

test('where the history was not kept, the steps tell it', async () => {
  const session = await openJson({
    environment: 'x',
    trajectory: [{ action: 'ls', observation: 'a', response: 'Look.' }],
  });
  expect((await session.active()).messages).toEqual([
    { role: 'assistant', content: 'Look.' },
    { role: 'user', content: 'a' },
  ]);
});

test('a run that was cut off is recognised', async () => {
  const session = await openText('{"environment": "main", "trajectory": [{"action": "ls"', 'run.traj');
  expect(session.tool).toBe('swe-agent');
  expect(kindsOf(session)).toEqual(['torn']);
});
