import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { absentIn, kindsOf, openText, textsIn } from './open-text.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixture = fileURLToPath(new URL('../src/kimi/fixtures/wire.jsonl', import.meta.url));

const head = { type: 'metadata', protocol_version: '1.5', created_at: 1 };
const record = (type: string, fields: Fields = {}): Fields => ({ type, agentId: 'main', time: 2, ...fields });
const event = (type: string, fields: Fields): Fields =>
  record('context.append_loop_event', { event: { type, ...fields } });
const user = (text: string, fields: Fields = {}): Fields =>
  record('context.append_message', {
    message: { role: 'user', content: [{ type: 'text', text }], toolCalls: [], origin: { kind: 'user' }, ...fields },
  });
const request = (provider: string): Fields => record('llm.request', { provider, model: 'm' });
const begin = (uuid: string): Fields => event('step.begin', { uuid });
const end = (uuid: string, finishReason = 'end_turn'): Fields => event('step.end', { uuid, finishReason });
const say = (stepUuid: string, text: string): Fields =>
  event('content.part', { stepUuid, part: { type: 'text', text } });
const call = (stepUuid: string, toolCallId: string): Fields =>
  event('tool.call', { stepUuid, toolCallId, name: 'Bash', args: { command: 'ls' } });
const result = (toolCallId: string, fields: Fields = { output: 'A' }): Fields =>
  event('tool.result', { toolCallId, result: fields });
const answer = (uuid: string, text: string): Fields[] => [begin(uuid), say(uuid, text), end(uuid)];

test('a session is read as Kimi Code sends it', async () => {
  const session = await openSession(fixture);
  const { messages, places, system } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Look at a.txt.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I will read it.' },
        { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a.txt' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [{ type: 'text', text: 'hello\n<system>1 line read.</system>' }],
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'It says hello.' }] },
  ]);
  expect(places.map((each) => each.map((place) => (place.kind === 'line' ? place.line : 0)))).toEqual([
    [4],
    [7, 8],
    [9],
    [12],
  ]);
  expect(system).toBe('You are a coding agent.');
  expect(check(messages, 'anthropic-messages').verdict).toBe('clean');
  expect(session).toMatchObject({
    tool: 'kimi',
    version: '1.5',
    title: 'Look at a.txt.',
    cwd: '/project',
    models: ['claude-sonnet-4-5'],
    dialect: 'anthropic-messages',
  });
});

test.each([
  ['openai', 'openai-chat'],
  ['kimi', 'openai-chat'],
  ['openai_responses', 'openai-responses'],
  ['google-genai', 'gemini'],
])('a request to %s is written in its own words', async (provider, dialect) => {
  const steps = [
    begin('s'),
    say('s', 'Look.'),
    call('s', 'c1'),
    result('c1'),
    end('s', 'tool_use'),
    ...answer('t', 'Done.'),
  ];
  const session = await openText(lines(head, user('one'), request(provider), ...steps));
  const { messages } = await session.active();
  expect(session.dialect).toBe(dialect);
  const target = { dialect: session.dialect ?? 'gemini', model: dialect === 'gemini' ? 'gemini-2.5-pro' : 'm' };
  expect(check(messages, target).verdict).toBe('clean');
});

describe('what edits the history', () => {
  const turns = [user('one'), ...answer('s', 'first'), user('two'), ...answer('t', 'second')];

  test('an undo takes back the last prompts', async () => {
    const session = await openText(lines(head, ...turns, record('context.undo', { count: 1 })));
    expect(await textsIn(session)).toEqual(['one', 'first']);
    expect(await absentIn(session)).toEqual({ rewound: 2 });
  });

  test('an undo of more prompts than there are does nothing', async () => {
    const session = await openText(lines(head, ...turns, record('context.undo', { count: 3 })));
    expect(await textsIn(session)).toHaveLength(4);
  });

  test('a compaction keeps what users said, before its summary', async () => {
    const compaction = record('context.apply_compaction', {
      summary: 'short',
      compactedCount: 4,
      keptUserMessageCount: 2,
    });
    const session = await openText(lines(head, ...turns, compaction, user('three')));
    expect(await textsIn(session)).toEqual(['one', 'two', 'short', 'three']);
    expect(await absentIn(session)).toEqual({ compacted: 2 });
  });

  test('a compaction of an early version keeps the end of the history', async () => {
    const summary = { role: 'user', content: [{ type: 'text', text: 'short' }] };
    const session = await openText(lines(head, ...turns, record('context.apply_compaction', { summary, count: 2 })));
    expect(await textsIn(session)).toEqual(['short', 'two', 'second']);
  });

  test('a clear takes back everything', async () => {
    const session = await openText(lines(head, ...turns, record('context.clear'), user('new')));
    expect(await textsIn(session)).toEqual(['new']);
  });

  test('what is said while calls are open stands after their results', async () => {
    const steps = [begin('s'), call('s', 'c1'), user('hurry'), result('c1'), end('s', 'tool_use')];
    const session = await openText(lines(head, user('one'), request('openai'), ...steps));
    expect(await textsIn(session)).toEqual(['one', '', 'A', 'hurry']);
  });

  test('an answer without a word is dropped, and a stray result is', async () => {
    const session = await openText(lines(head, user('one'), begin('s'), say('s', ' '), end('s'), result('c9')));
    expect(await textsIn(session)).toEqual(['one']);
    expect(await absentIn(session)).toEqual({ 'lost-parent': 1 });
  });
});

test.each([
  ['an error', { output: 'no', isError: true }, '<system>ERROR: Tool execution failed.</system>\nno'],
  ['nothing', { output: '' }, '<system>Tool output is empty.</system>'],
  ['a command that took a while', { output: 'A', durationMs: 1500 }, 'Wall time: 1.500 seconds\nA'],
])('a result of %s is sent with what the program says of it', async (_, fields, text) => {
  const steps = [begin('s'), call('s', 'c1'), result('c1', fields), end('s', 'tool_use')];
  const session = await openText(lines(head, user('one'), request('openai'), ...steps));
  expect((await textsIn(session)).at(-1)).toBe(text);
});

describe('faults', () => {
  const whole = [head, user('one'), ...answer('s', 'first'), user('two')];
  const text = (from: number, to?: number): string => lines(...whole.slice(from, to));
  const cases = [
    {
      name: 'a torn record',
      content: text(0, 2) + text(2, 3).slice(0, 9) + text(3),
      kinds: ['glued', 'torn', 'bad-record'],
    },
    { name: 'zeros in the middle', content: `${text(0, 2)}\0\0\0${text(2)}`, kinds: ['nul', 'bad-record'] },
    { name: 'two records on a line', content: text(0, 2).slice(0, -1) + text(2), kinds: ['glued', 'bad-record'] },
  ];
  test.each(cases)('$name cut the session off', async ({ content, kinds }) => {
    const session = await openText(content);
    expect(kindsOf(session).sort()).toEqual(kinds.sort());
    expect((await session.active()).messages.length).toBeLessThan(3);
    expect((await session.active()).absent.map(({ reason }) => reason)).toEqual(['torn']);
  });

  test.each([
    ['carriage returns', text(0).replaceAll('\n', '\r\n'), ['crlf']],
    ['a head that is gone', text(1), ['missing-head']],
    ['a newer protocol', lines({ ...head, protocol_version: '1.10' }, user('one')), ['newer-version']],
    ['a type that nobody knows', text(0) + lines(record('dream.begin')), ['unknown-record']],
  ])('%s', async (_, content, kinds) => {
    const session = await openText(content);
    expect(session.tool).toBe('kimi');
    expect(kindsOf(session)).toEqual(kinds);
  });
});

test('a session has the id of its folder, and its agents are its own', async () => {
  const folder = '.kimi-code/sessions/wd_1/session_1';
  const home = temporaryFolder({
    [`${folder}/agents/main/wire.jsonl`]: lines(head, user('one')),
    [`${folder}/agents/sub/wire.jsonl`]: lines(head, user('two')),
    [`${folder}/state.json`]: JSON.stringify({ id: 'session_1', cwd: '/project', title: 'My work' }),
  });
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(new Map(found.map(({ id, parent }) => [id, parent]))).toEqual(
    new Map([
      ['session_1', undefined],
      ['session_1/sub', 'session_1'],
    ]),
  );
  const main = found.find(({ id }) => id === 'session_1');
  expect(await openSession(main ?? '')).toMatchObject({ title: 'My work', cwd: '/project' });
});
