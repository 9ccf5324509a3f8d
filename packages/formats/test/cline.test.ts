import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions, type ToolSession } from '../src/index.ts';
import { collect } from './collect.ts';
import { absentIn, kindsOf, openJson, openText, textsIn } from './open-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixture = fileURLToPath(new URL('../src/cline/fixtures/session.json', import.meta.url));

const text = (content: string): Fields[] => [{ type: 'text', text: content }];
const user = (content: unknown, fields: Fields = {}): Fields => ({ role: 'user', content, ts: 1, ...fields });
const answer = (content: unknown, fields: Fields = {}): Fields => ({ role: 'assistant', content, ts: 2, ...fields });
const call = (id: string, name = 'read_file'): Fields => ({ type: 'tool_use', id, name, input: { path: 'a' } });
const session = (messages: readonly Fields[], fields: Fields = {}): Fields => ({
  version: 1,
  agent: 'lead',
  sessionId: 's1',
  messages,
  ...fields,
});

test('a session is read as Cline sends it', async () => {
  const opened = await openSession(fixture);
  const { messages, places, system } = await opened.active();
  expect(messages).toEqual([
    { role: 'user', content: text('Look at a.txt.') },
    {
      role: 'assistant',
      content: [
        ...text('I will read it.'),
        { type: 'tool_use', id: 'toolu_1', name: 'read_files', input: { files: [{ path: 'a.txt' }] } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: '[{"query":"a.txt","result":"1 | hello","success":true}]',
        },
      ],
    },
    { role: 'assistant', content: text('It says hello.') },
  ]);
  expect(places[1]).toEqual([{ kind: 'value', file: fixture, pointer: '/messages/1' }]);
  expect(system).toBe('You are a coding agent.');
  expect(check(messages, 'anthropic-messages').verdict).toBe('clean');
  expect(opened).toMatchObject({
    tool: 'cline',
    version: '3.0.65',
    id: '1793527200000_abcde',
    title: 'Look at a.txt.',
    models: ['claude-sonnet-4-5'],
  });
});

test.each([
  ['anthropic', 'anthropic-messages'],
  ['openai-native', 'openai-responses'],
  ['openrouter', 'openai-chat'],
  ['gemini', 'gemini'],
])('a request to %s is written in its own words', async (provider, dialect) => {
  const modelInfo = { id: 'm', provider };
  const results = [{ type: 'tool_result', tool_use_id: 'c1', name: 'read_file', content: 'A' }];
  const opened = await openJson(
    session([user('one'), answer([call('c1')], { modelInfo }), user(results), answer('two')]),
  );
  const { messages } = await opened.active();
  expect(opened.dialect).toBe(dialect);
  const target = { dialect: opened.dialect ?? 'gemini', model: dialect === 'gemini' ? 'gemini-2.5-pro' : 'm' };
  expect(check(messages, target).verdict).toBe('clean');
});

test('what is only displayed is never sent', async () => {
  const shown = answer(text('messages.1: refused'), { metadata: { displayOnly: true } });
  const opened = await openJson(session([user('one'), answer(text('two')), shown]));
  expect(await textsIn(opened)).toEqual(['one', 'two']);
  expect(await absentIn(opened)).toEqual({ hidden: 1 });
});

describe('a compaction', () => {
  const messages = [user('one', { id: 'm1' }), answer(text('two'), { id: 'm2' }), user('three')];
  const open = async (state: Fields): Promise<ToolSession> => {
    const folder = temporaryFolder({
      's1.json': '{}',
      's1.messages.json': JSON.stringify(session(messages)),
      's1.compaction.json': JSON.stringify({
        version: 1,
        messages: [user('summary')],
        source_message_count: 2,
        ...state,
      }),
    });
    return openSession(join(folder, 's1.messages.json'));
  };
  const hash = createHash('sha256').update('cline-session-compaction-source-v2\n2\n');
  for (const { role, content } of messages.slice(0, 2)) {
    const rest = ['agent', 'sessionId', 'metadata', 'modelInfo', 'metrics'].map((key) => [key, null]);
    hash.update(`${JSON.stringify([['role', role], ['content', content], ...rest])}\n`);
  }
  const fitting = `sha256:${hash.digest('hex')}`;

  test.each([
    ['its hash', { source_prefix_hash: fitting }],
    ['the key of the last message', { source_last_message_key: 'id:m2' }],
  ])('stands for the messages that it was made of, by %s', async (_, state) => {
    const opened = await open(state);
    expect(await textsIn(opened)).toEqual(['summary|three']);
    expect(await absentIn(opened)).toEqual({ compacted: 2 });
  });

  test('of other messages is ignored, and said', async () => {
    const opened = await open({ source_prefix_hash: 'sha256:0' });
    expect(await textsIn(opened)).toEqual(['one', 'two', 'three']);
    expect(kindsOf(opened)).toEqual(['stale-index']);
  });
});

describe('tasks of the third version', () => {
  const task = async (history: readonly Fields[], files: Record<string, unknown> = {}): Promise<ToolSession> => {
    const all = { 'api_conversation_history.json': history, ...files };
    const written = Object.entries(all).map(([name, value]) => [`tasks/17/${name}`, JSON.stringify(value)]);
    return openSession(join(temporaryFolder(Object.fromEntries(written)), 'tasks/17/api_conversation_history.json'));
  };
  const said = (index: number): Fields => (index % 2 === 0 ? user(text(`u${index}`)) : answer(text(`a${index}`)));
  const six = [0, 1, 2, 3, 4, 5].map(said);

  test('are known by their folder', async () => {
    expect(await task([user(text('<task>\nDo it.\n</task>')), said(1)])).toMatchObject({ id: '17', title: 'Do it.' });
  });

  test('leave out what was taken out to make room', async () => {
    const screen = [{ ts: 1, type: 'say', say: 'text', text: 'x', conversationHistoryDeletedRange: [2, 3] }];
    const opened = await task(six, { 'ui_messages.json': screen });
    expect(await textsIn(opened)).toEqual(['u0', 'a1', 'u4', 'a5']);
    expect(await absentIn(opened)).toEqual({ compacted: 2 });
  });

  test('have texts that took the place of others', async () => {
    const opened = await task(six, { 'context_history.json': [[2, [1, [[0, [[1, 'text', ['[removed]'], []]]]]]]] });
    expect((await textsIn(opened))[2]).toBe('[removed]');
  });

  test('may keep results as text, in the order of the calls', async () => {
    const results = [
      ...text("[read_file for 'a'] Result:"),
      ...text('A'),
      ...text("[list_files for '.'] Result:\nB"),
      ...text('<environment_details>'),
    ];
    const opened = await task([user('one'), answer([call('c1'), call('c2', 'list_files')]), user(results)]);
    const { messages } = await opened.active();
    expect(messages[2]).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'A' },
        { type: 'tool_result', tool_use_id: 'c2', content: 'B' },
        ...text('<environment_details>'),
      ],
    });
    expect(check(messages, 'anthropic-messages').verdict).toBe('clean');
  });

  test('may make calls as XML, which is text', async () => {
    const xml = [
      user(text('<task>one</task>')),
      answer(text('<read_file><path>a</path></read_file>')),
      user(text("[read_file for 'a'] Result:")),
    ];
    expect(check((await (await task(xml)).active()).messages, 'anthropic-messages').verdict).toBe('clean');
  });

  test('show on the screen what is not sent', async () => {
    const screen = [{ ts: 1, type: 'say', say: 'text', text: 'Do it.' }];
    const alone = await openJson(screen, 'ui_messages.json');
    expect(alone).toMatchObject({ tool: 'cline', title: 'Do it.' });
    expect((await alone.active()).messages).toEqual([]);
    expect(kindsOf(alone)).toEqual(['missing-file']);
    const files = { 'ui_messages.json': JSON.stringify(screen), 'api_conversation_history.json': JSON.stringify(six) };
    const beside = await openSession(join(temporaryFolder(files), 'ui_messages.json'));
    expect(await textsIn(beside)).toHaveLength(6);
  });
});

describe('faults', () => {
  test('a session that was cut off is recognised, and its history is gone', async () => {
    const whole = JSON.stringify({ version: 1, updated_at: 'then', agent: 'lead', ...session([user('one')]) });
    const opened = await openText(whole.slice(0, -12), 's1.messages.json');
    expect(opened.tool).toBe('cline');
    expect(kindsOf(opened)).toEqual(['torn']);
  });

  test('a session without the file that says what it is would be overwritten', async () => {
    expect(kindsOf(await openJson(session([user('one')]), 's1.messages.json'))).toEqual(['missing-file']);
  });

  test('a newer version is read, and said', async () => {
    const opened = await openJson(session([user('one')], { version: 2 }));
    expect(await textsIn(opened)).toEqual(['one']);
    expect(kindsOf(opened)).toEqual(['newer-version']);
  });
});

test('sessions are found where the variables say, and in editors', async () => {
  const content = JSON.stringify(session([user('one')]));
  const home = temporaryFolder({
    '.cline/data/sessions/s1/s1.messages.json': content,
    'moved/s1/s1.messages.json': content,
    '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/17/api_conversation_history.json': JSON.stringify([
      user('one'),
    ]),
  });
  const find = async (env: Record<string, string>): Promise<string[]> => {
    const found = await collect(sessions({ system: { platform: 'linux', home, env }, tools: ['cline'] }));
    return found.map(({ path }) => path.slice(home.length + 1)).sort((a, b) => (a < b ? -1 : 1));
  };
  expect(await find({})).toHaveLength(2);
  const env = { CLINE_SESSION_DATA_DIR: join(home, 'moved'), CLINE_DIR: '/nowhere' };
  expect((await find(env)).at(-1)).toBe('moved/s1/s1.messages.json');
});
