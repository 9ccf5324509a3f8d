import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openSession } from '../src/index.ts';
import { tools } from '../src/tools.ts';
import { takeSample } from '../src/files/sample.ts';
import { createFaultLog } from '../src/fault.ts';
import { openJson, openText, textsIn } from './open-text.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

const user = { role: 'user', content: 'one' };
const answer = { role: 'assistant', content: 'two' };

describe('messages are read as they are, in the words that they are in', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } };
  test.each([
    ['a list', [user, { role: 'assistant', content: null, tool_calls: [call] }], 'openai-chat'],
    [
      'Anthropic',
      [user, { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'x', input: {} }] }],
      'anthropic-messages',
    ],
    ['a request of Gemini', { contents: [{ role: 'user', parts: [{ text: 'one' }] }] }, 'gemini'],
    [
      'a request of the Responses API',
      { model: 'gpt-5', input: [user, { type: 'reasoning', summary: [], id: 'rs' }] },
      'openai-responses',
    ],
    ['Bedrock', { messages: [{ role: 'user', content: [{ text: 'one' }] }], modelId: 'm' }, 'bedrock-converse'],
  ])('%s', async (_, value, dialect) => {
    const session = await openJson(value);
    expect(session).toMatchObject({ tool: 'openai-chat', dialect, title: 'one', faults: [] });
    const list = Array.isArray(value) ? value : Object.values(value).find(Array.isArray);
    expect((await session.active()).messages).toEqual(list);
  });

  test('a message on each line', async () => {
    const session = await openText(`${lines(user, answer)}{"role":"us`);
    expect(session.tool).toBe('openai-chat');
    expect(await textsIn(session)).toEqual(['one', 'two']);
    expect(session.faults.map(({ kind }) => kind)).toEqual(['torn']);
  });
});

test('a whole request tells its model and its system prompt', async () => {
  const session = await openJson({ model: 'claude-sonnet-4-5', system: 'Be brief.', messages: [user], max_tokens: 10 });
  expect(await session.active()).toMatchObject({
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    system: 'Be brief.',
  });
});

test('many conversations in one file are sessions of their own', async () => {
  const rows = [
    { task_id: 0, traj: [user] },
    { task_id: 1, traj: [{ role: 'user', content: 'other' }, answer] },
  ];
  const path = join(temporaryFolder({ 'runs.json': JSON.stringify(rows) }), 'runs.json');
  const sample = await takeSample(path, createFaultLog());
  const tool = tools.find(({ id }) => id === 'openai-chat');
  const heads = sample === undefined ? [] : (tool?.heads(sample) ?? []);
  expect(heads.map(({ title }) => title)).toEqual(['one', 'other']);
  const second = await openSession({ path, id: heads[1]?.id ?? '' });
  expect(await textsIn(second)).toEqual(['other', 'two']);
  expect((await second.active()).places[0]).toEqual([{ kind: 'value', file: path, pointer: '/1/traj/0' }]);
});

test('what is no conversation is none', async () => {
  for (const value of [{ name: 'x', version: '1' }, [], [1, 2], { messages: [] }, { role: 'user' }]) {
    expect((await openJson(value)).tool).toBeUndefined();
  }
});
