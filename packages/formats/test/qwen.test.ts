import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { absentIn, kindsOf, openText, textsIn } from './open-text.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixture = fileURLToPath(new URL('../src/qwen/fixtures/session.jsonl', import.meta.url));

const record = (uuid: string, parentUuid: string | null, fields: Fields): Fields => ({
  uuid,
  parentUuid,
  sessionId: 's1',
  cwd: '/project',
  ...fields,
});
const say = (role: 'user' | 'model', ...parts: readonly Fields[]): Fields => ({ message: { role, parts } });
const user = (uuid: string, parent: string | null, fields: Fields = {}): Fields =>
  record(uuid, parent, { type: 'user', ...say('user', { text: `prompt ${uuid}` }), ...fields });
const answer = (uuid: string, parent: string | null, ...parts: readonly Fields[]): Fields =>
  record(uuid, parent, { type: 'assistant', model: 'm', ...say('model', { text: `answer ${uuid}` }, ...parts) });
const call = { functionCall: { id: 'c1', name: 'read', args: { path: 'a' } } };
const result = (uuid: string, parent: string): Fields =>
  record(uuid, parent, {
    type: 'tool_result',
    ...say('user', { functionResponse: { id: 'c1', name: 'read', response: { output: 'A' } } }),
  });
const auth = (uuid: string, parent: string, name: string): Fields =>
  record(uuid, parent, {
    type: 'system',
    subtype: 'ui_telemetry',
    systemPayload: { uiEvent: { auth_type: name } },
  });

test('a session is read as Qwen Code sends it', async () => {
  const session = await openSession(fixture);
  const { messages, places } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Look at a.txt.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I will read it.' },
        { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { file_path: '/project/a.txt' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'hello' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'It says hello.' }] },
  ]);
  expect(places.map((each) => each.map((place) => (place.kind === 'line' ? place.line : 0)))).toEqual([
    [1],
    [3],
    [4],
    [5],
  ]);
  expect(check(messages, 'anthropic-messages').verdict).toBe('clean');
  expect(session).toMatchObject({
    tool: 'qwen',
    version: '0.24.4',
    id: '0a1b2c3d-0000-4000-8000-000000000001',
    title: 'Look at a.txt.',
    cwd: '/project',
    models: ['claude-sonnet-4-5'],
    dialect: 'anthropic-messages',
    faults: [],
  });
});

describe('the API is the one that the answers came from', () => {
  const chain = [user('u1', null), answer('a1', 'u1', call), result('r1', 'a1')];
  test.each([
    ['openai', 'openai-chat', ['user', 'assistant', 'tool']],
    ['openai-responses', 'openai-responses', ['user', 'assistant', undefined, undefined]],
    ['gemini', 'gemini', ['user', 'model', 'user']],
    ['anthropic', 'anthropic-messages', ['user', 'assistant', 'user']],
    ['what comes next year', 'openai-chat', ['user', 'assistant', 'tool']],
  ])('%s', async (name, dialect, roles) => {
    const session = await openText(lines(...chain, auth('s1', 'r1', name)));
    const { messages } = await session.active();
    expect(session.dialect).toBe(dialect);
    expect((messages as { role?: string }[]).map(({ role }) => role)).toEqual(roles);
    const target = { dialect: session.dialect ?? 'gemini', model: dialect === 'gemini' ? 'gemini-2.5-pro' : 'm' };
    expect(check(messages, target).verdict).toBe('clean');
  });
});

describe('what edits the history', () => {
  test('a record that goes back leaves a branch', async () => {
    const session = await openText(lines(user('u1', null), answer('a1', 'u1'), user('u2', 'a1'), user('u3', 'a1')));
    expect(await textsIn(session)).toEqual(['prompt u1', 'answer a1', 'prompt u3']);
    expect(await absentIn(session)).toEqual({ branch: 1 });
  });

  test('a compression carries the whole history', async () => {
    const compressedHistory = [
      say('user', { text: 'summary' })['message'],
      say('model', { text: 'Got it.' })['message'],
    ];
    const session = await openText(
      lines(
        user('u1', null),
        answer('a1', 'u1'),
        record('x', 'a1', { type: 'system', subtype: 'chat_compression', systemPayload: { compressedHistory } }),
        user('u2', 'x'),
      ),
    );
    expect(await textsIn(session)).toEqual(['summary', 'Got it.', 'prompt u2']);
    expect(await absentIn(session)).toEqual({ compacted: 2 });
  });

  test('a user who goes back behind a compression has the whole session again', async () => {
    const compressedHistory = [say('user', { text: 'summary' })['message']];
    const session = await openText(
      lines(
        user('u1', null),
        answer('a1', 'u1'),
        record('x', 'a1', { type: 'system', subtype: 'chat_compression', systemPayload: { compressedHistory } }),
        user('u2', 'a1'),
      ),
    );
    expect(await textsIn(session)).toHaveLength(3);
    expect(kindsOf(session)).toEqual([]);
  });

  test('what is said while the model works belongs to the message before it', async () => {
    const session = await openText(
      lines(user('u1', null), user('u2', 'u1', { subtype: 'mid_turn_user_message' }), answer('a1', 'u2')),
    );
    expect(await textsIn(session)).toEqual(['prompt u1|prompt u2', 'answer a1']);
  });

  test('a spoken aside is never sent', async () => {
    const session = await openText(lines(user('u1', null), user('u2', 'u1', { subtype: 'realtime_message' })));
    expect(await absentIn(session)).toEqual({ hidden: 1 });
  });
});

describe('faults', () => {
  const whole = [user('u1', null), answer('a1', 'u1'), user('u2', 'a1'), answer('a2', 'u2')];
  const text = (from: number, to?: number): string => lines(...whole.slice(from, to));
  test.each([
    { name: 'a record that is gone', content: text(0, 1) + text(2), expected: ['lost-parent'], messages: 2 },
    { name: 'two records on one line', content: text(0, 3).slice(0, -1) + text(3), expected: ['glued'], messages: 4 },
    {
      name: 'a last record that was torn',
      content: text(0, 3) + text(3).slice(0, 30),
      expected: ['torn'],
      messages: 3,
    },
    { name: 'zeros at the end', content: `${text(0)}${'\0'.repeat(300)}`, expected: ['nul'], messages: 4 },
    { name: 'carriage returns', content: text(0).replaceAll('\n', '\r\n'), expected: ['crlf'], messages: 4 },
    { name: 'a byte order mark', content: `\uFEFF${text(0)}`, expected: ['bom'], messages: 4 },
    {
      name: 'a kind that nobody knows',
      content: text(0) + lines(user('u3', 'a2', { subtype: 'new' })),
      expected: ['unknown-record'],
      messages: 5,
    },
    {
      name: 'a record without its session',
      content: text(0) + lines({ ...user('u3', 'a2'), sessionId: '' }),
      expected: ['bad-record'],
      messages: 4,
    },
    { name: 'a ring of parents', content: lines(user('u1', 'a1'), answer('a1', 'u1')), expected: [], messages: 2 },
  ])('$name', async ({ content, expected, messages }) => {
    const session = await openText(content);
    expect(session.tool).toBe('qwen');
    expect(kindsOf(session)).toEqual(expected);
    expect((await session.active()).messages).toHaveLength(messages);
  });
});

test.each(['branch_checkpoint', 'cron', 'notification', 'session_source', 'parent_session', 'goal_state', 'rewind'])(
  'a record of the kind %s is carried through, and stands in the chain',
  async (subtype) => {
    const note = record('n', 'u1', { type: 'system', subtype, systemPayload: {} });
    const session = await openText(lines(user('u1', null), note, answer('a1', 'n')));
    expect(kindsOf(session)).toEqual([]);
    expect(await textsIn(session)).toEqual(['prompt u1', 'answer a1']);
    expect(await collect(session.entries())).toHaveLength(3);
  },
);

test('sessions are found, with the titles that were given', async () => {
  const title = record('t', 'u1', {
    type: 'system',
    subtype: 'custom_title',
    systemPayload: { customTitle: 'My work' },
  });
  const content = lines(user('u1', null), title);
  const home = temporaryFolder({
    '.qwen/projects/-project/chats/1.jsonl': content,
    'other/tmp/h/chats/2.jsonl': content,
  });
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(found).toMatchObject([{ tool: 'qwen', id: 's1', title: 'My work', cwd: '/project' }]);
  const env = { QWEN_RUNTIME_DIR: join(home, 'other') };
  expect(await collect(sessions({ system: { platform: 'linux', home, env } }))).toHaveLength(1);
});
