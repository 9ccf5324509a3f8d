import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { absentIn, openJson } from './open-text.ts';

const format = { trajectory_format: 'mini-swe-agent-1.1', info: { mini_version: '2.1.0' } };
const task = { role: 'user', content: 'Do it.', extra: { cost: 1 } };

test('how a run ended is a message that nobody is sent', async () => {
  const session = await openJson({ ...format, messages: [task, { role: 'exit', content: 'Submitted' }] });
  expect((await session.active()).messages).toEqual([{ role: 'user', content: 'Do it.' }]);
  expect(await absentIn(session)).toEqual({ hidden: 1 });
  expect(session).toMatchObject({ tool: 'mini-swe-agent', title: 'Do it.', version: '2.1.0' });
});

test('models of the Responses API leave their whole answers', async () => {
  const call = { type: 'function_call', call_id: 'c1', name: 'bash', arguments: '{}' };
  const answer = { object: 'response', output: [call], extra: {} };
  const result = { type: 'function_call_output', call_id: 'c1', output: 'A', extra: {} };
  const session = await openJson({ ...format, messages: [task, answer, result] });
  const { messages } = await session.active();
  expect(messages.slice(1)).toEqual([call, { type: 'function_call_output', call_id: 'c1', output: 'A' }]);
  expect(session.dialect).toBe('openai-responses');
  expect(check(messages, 'openai-responses').verdict).toBe('clean');
});

test('a bare list is known by the words that the model is asked to use', async () => {
  const system = { role: 'system', content: 'Answer with ```mswea_bash_command' };
  expect((await openJson([system, task])).tool).toBe('mini-swe-agent');
  expect((await openJson([{ role: 'system', content: 'Answer.' }, task])).tool).toBe('openai-chat');
  expect((await openJson({ outcome: 'x', messages: [system, { role: 'user', content: 'Do it.' }] })).tool).toBe(
    'openai-chat',
  );
});
