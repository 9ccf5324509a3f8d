import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { absentIn, kindsOf, openJson, openText, textsIn } from './open-text.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixture = fileURLToPath(new URL('../src/copilot-cli/fixtures/events.jsonl', import.meta.url));

const event = (type: string, data: Fields, fields: Fields = {}): Fields => ({
  type,
  data,
  id: 'e',
  parentId: null,
  ...fields,
});
const start = event('session.start', { sessionId: 's1', copilotVersion: '1.0.34', context: { cwd: '/project' } });
const user = (content: string): Fields => event('user.message', { content });
const answer = (content: string, ...toolRequests: readonly Fields[]): Fields =>
  event('assistant.message', { content, toolRequests });
const request = { toolCallId: 'c1', name: 'view', arguments: { path: 'a' } };
const done = (data: Fields): Fields => event('tool.execution_complete', { toolCallId: 'c1', ...data });
const model = (newModel: string): Fields => event('session.model_change', { newModel });

test('a session is read as it was said', async () => {
  const session = await openSession(fixture);
  const { messages } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: '<current_datetime>now</current_datetime>\n\nLook at a.txt.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I will read it.' },
        { type: 'tool_use', id: 'toolu_1', name: 'view', input: { path: 'a.txt' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'hello' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'It says hello.' }] },
  ]);
  expect(session).toMatchObject({
    tool: 'copilot-cli',
    id: 's1',
    title: 'Look at a.txt.',
    cwd: '/project',
    faults: [],
  });
});

test.each([
  ['claude-sonnet-4.6', 'anthropic-messages'],
  ['gpt-5', 'openai-responses'],
  ['gpt-4.1', 'openai-chat'],
])('a request to %s is written in its own words', async (name, dialect) => {
  const log = [
    start,
    model(name),
    user('one'),
    answer('', request),
    done({ success: false, error: { message: 'no' } }),
    answer('two'),
  ];
  const session = await openText(lines(...log));
  expect(session.dialect).toBe(dialect);
  expect(check((await session.active()).messages, session.dialect ?? 'gemini').verdict).toBe('clean');
});

test('events of subagents stand in the same log, and are another conversation', async () => {
  const inner = [
    event('assistant.message', { content: 'inner', toolRequests: [], parentToolCallId: 'c1' }),
    event('assistant.message', { content: 'inner', toolRequests: [] }, { agentId: 'a1' }),
  ];
  const session = await openText(lines(start, user('one'), ...inner, answer('two')));
  expect(await textsIn(session)).toEqual(['one', 'two']);
  expect(await absentIn(session)).toEqual({ sidechain: 2 });
});

test('a compaction stands for what was said before it', async () => {
  const compaction = event('session.compaction_complete', { success: true, summaryContent: 'short' });
  const session = await openText(lines(start, user('one'), answer('two'), compaction, user('three')));
  expect(await textsIn(session)).toEqual(['short', 'three']);
  expect(await absentIn(session)).toEqual({ compacted: 2 });
});

describe('what hides an intact session', () => {
  const whole = lines(start, user('one'), answer('two'));
  test.each([
    ['zeros after a power cut', `${whole}${'\0'.repeat(64)}`, ['bad-record', 'nul']],
    ['a head that is gone', lines(user('one'), answer('two')), ['missing-head']],
    ['a separator in a text', lines(start, user('on\u2028e'), answer('two')), ['bad-record']],
    [
      'two records on a line',
      lines(start, user('one')).trim() + lines(answer('two')),
      ['bad-record', 'bad-record', 'glued'],
    ],
    ['an event that nobody knows', whole + lines(event('dream.begin', {})), ['unknown-record']],
  ])('%s', async (_, content, kinds) => {
    const session = await openText(content, 'events.jsonl');
    expect(session.tool).toBe('copilot-cli');
    expect(kindsOf(session).sort((a, b) => (a < b ? -1 : 1))).toEqual(kinds);
    expect(await textsIn(session)).toHaveLength(2);
  });
});

describe('a session of 2025', () => {
  const said = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
  ];
  const timeline = [{ type: 'user', text: 'one', timestamp: '2025-10-11' }];

  test('has what was sent as it was', async () => {
    const session = await openJson({ sessionId: 's1', startTime: 'then', chatMessages: said, timeline });
    expect(session).toMatchObject({ tool: 'copilot-cli', id: 's1', title: 'one', faults: [] });
    expect((await session.active()).messages).toEqual(said);
    expect(await absentIn(session)).toEqual({});
  });

  test('may show on the screen what would not be sent', async () => {
    const session = await openJson({ sessionId: 's1', startTime: 'then', chatMessages: [], timeline });
    expect(kindsOf(session)).toEqual(['stale-index']);
    expect(await absentIn(session)).toEqual({ hidden: 1 });
  });

  test('that was cut off is recognised', async () => {
    const text = JSON.stringify({ sessionId: 's1', startTime: 'then', chatMessages: said, timeline });
    const session = await openText(text.slice(0, -20), 's1.json');
    expect(session.tool).toBe('copilot-cli');
    expect(kindsOf(session)).toEqual(['torn']);
  });
});

test('sessions are found by the folders that they have', async () => {
  const home = temporaryFolder({ '.copilot/session-state/s1/events.jsonl': lines(start, user('one')) });
  const found = await collect(sessions({ system: { platform: 'darwin', home, env: {} } }));
  expect(found).toMatchObject([{ tool: 'copilot-cli', id: 's1', title: 'one', cwd: '/project' }]);
});
