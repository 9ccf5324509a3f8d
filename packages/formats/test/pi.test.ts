import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions, type ToolSession } from '../src/index.ts';
import { collect } from './collect.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;
type Block = { readonly text?: string; readonly id?: string; readonly tool_use_id?: string };

const fixture = fileURLToPath(new URL('../src/pi/fixtures/session.jsonl', import.meta.url));

const header = { type: 'session', version: 3, id: 's1', timestamp: 'then', cwd: '/project' };
const entry = (id: string, parentId: string | null, fields: Fields): Fields => ({ id, parentId, ...fields });
const message = (id: string, parentId: string | null, fields: Fields): Fields =>
  entry(id, parentId, { type: 'message', message: fields });
const user = (id: string, parentId: string | null): Fields =>
  message(id, parentId, { role: 'user', content: [{ type: 'text', text: `prompt ${id}` }] });

const model = { api: 'anthropic-messages', provider: 'anthropic', model: 'claude' };
const says = (text: string) => [{ type: 'text', text }];
const answer = (id: string, parentId: string | null, fields: Fields = {}): Fields =>
  message(id, parentId, { role: 'assistant', content: says(`answer ${id}`), ...model, stopReason: 'stop', ...fields });

const write = (content: string): string => join(temporaryFolder({ 's1.jsonl': content }), 's1.jsonl');
const open = async (...entries: readonly Fields[]): Promise<ToolSession> =>
  openSession(write(lines(header, ...entries)));

async function outline(session: ToolSession) {
  const { messages, absent } = await session.active();
  const told = (messages as { role: string; content: Block[] }[]).map(({ role, content }) => {
    return `${role}: ${content.map(({ text, id, tool_use_id }) => text ?? id ?? `=${tool_use_id}`).join(', ')}`;
  });
  return { told, absent: Object.fromEntries(absent.map(({ reason, messages: count }) => [reason, count])) };
}

const kinds = ({ faults }: ToolSession): string[] => faults.map(({ kind }) => kind);

test('a session is read as pi sends it', async () => {
  const session = await openSession(fixture);
  const { messages, places, system, model: sentTo } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Read both files.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Both at once.', signature: 'c2lnbmF0dXJl' },
        { type: 'tool_use', id: 'toolu_01', name: 'read', input: { path: 'a.txt' } },
        { type: 'tool_use', id: 'toolu_02', name: 'read', input: { path: 'b.txt' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_01', content: 'A', is_error: false },
        { type: 'tool_result', tool_use_id: 'toolu_02', content: 'gone', is_error: true },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'One of them is there.' }] },
  ]);
  expect(places.map((each) => each.map((place) => (place.kind === 'line' ? place.line : 0)))).toEqual([
    [5],
    [6],
    [7, 8],
    [9],
  ]);
  expect(check(messages, 'anthropic-messages').verdict).toBe('clean');
  expect({ system, sentTo }).toEqual({
    system: 'You are a coding agent.\n\n<cwd>\n/project\n</cwd>',
    sentTo: 'claude-sonnet-4-5',
  });
  expect(session).toMatchObject({
    tool: 'pi',
    version: '3',
    id: '01990000-0000-7000-8000-000000000002',
    title: 'Read both files.',
    cwd: '/project',
    dialect: 'anthropic-messages',
    faults: [],
  });
});

describe('the next request holds the path from the last entry', () => {
  test('a branch that was left is not on it', async () => {
    const session = await open(user('a', null), answer('b', 'a'), user('c', 'b'), user('d', 'b'));
    expect(await outline(session)).toEqual({
      told: ['user: prompt a', 'assistant: answer b', 'user: prompt d'],
      absent: { branch: 1 },
    });
  });

  test('a parent that is missing cuts off everything before it', async () => {
    const session = await open(user('a', null), answer('b', 'a'), user('c', 'gone'), answer('d', 'c'));
    expect(await outline(session)).toEqual({
      told: ['user: prompt c', 'assistant: answer d'],
      absent: { 'lost-parent': 2 },
    });
    expect(kinds(session)).toEqual(['lost-parent']);
  });

  test('an entry that is glued to another is skipped by pi, and what hangs on it is lost', async () => {
    const [first, second] = [lines(header, user('a', null)), lines(user('c', 'b'), answer('d', 'c'))];
    const session = await openSession(write(first + JSON.stringify(answer('b', 'a')) + second));
    expect(await outline(session)).toEqual({ told: ['assistant: answer d'], absent: { 'lost-parent': 1, torn: 2 } });
    expect(kinds(session)).toEqual(['glued', 'bad-record', 'bad-record', 'lost-parent']);
  });

  test('answers that failed, notes and shell output that is kept apart are not sent', async () => {
    const shell = { role: 'bashExecution', command: 'ls', output: 'a.txt' };
    const session = await open(
      user('a', null),
      answer('b', 'a', { stopReason: 'aborted' }),
      message('c', 'b', shell),
      message('d', 'c', { ...shell, excludeFromContext: true }),
      entry('e', 'd', { type: 'custom', customType: 'x', data: {} }),
      entry('f', 'e', { type: 'custom_message', customType: 'x', content: 'note' }),
    );
    expect(await outline(session)).toEqual({
      told: ['user: prompt a', 'user: Ran `ls`\n```\na.txt\n```', 'user: note'],
      absent: { failed: 1, hidden: 1 },
    });
  });

  test('an edit of the context removes or replaces an entry', async () => {
    const replacement = { role: 'user', content: says('instead') };
    const session = await open(
      user('a', null),
      user('b', 'a'),
      entry('c', 'b', { type: 'context_edit', targetId: 'a', replacement: null }),
      entry('d', 'c', { type: 'context_edit', targetId: 'b', replacement }),
    );
    expect(await outline(session)).toEqual({ told: ['user: instead'], absent: { rewound: 2 } });
  });
});

describe('a compaction', () => {
  const before = [user('a', null), answer('b', 'a'), user('c', 'b'), answer('d', 'c')];
  const summary = 'user: <summary>\nsum\n</summary>';

  test('keeps the entries from the first that it names', async () => {
    const compaction = entry('e', 'd', { type: 'compaction', summary: 'sum', firstKeptEntryId: 'c' });
    expect(await outline(await open(...before, compaction, user('f', 'e')))).toEqual({
      told: [summary, 'user: prompt c', 'assistant: answer d', 'user: prompt f'],
      absent: { compacted: 2 },
    });
  });

  test('is left behind by a user who went back to before it', async () => {
    const compaction = entry('e', 'd', { type: 'compaction', summary: 'sum', firstKeptEntryId: 'd' });
    const session = await open(...before, compaction, user('f', 'e'), user('g', 'b'));
    expect(await outline(session)).toEqual({
      told: ['user: prompt a', 'assistant: answer b', 'user: prompt g'],
      absent: { branch: 3 },
    });
    expect(session.faults).toEqual([]);
  });

  test('keeps what it carries, where it carries messages', async () => {
    const retainedTail = [{ role: 'user', content: says('carried') }];
    const compaction = entry('e', 'd', { type: 'compaction', summary: 'sum', retainedTail, firstKeptEntryId: 'a' });
    expect(await outline(await open(...before, compaction, user('f', 'e')))).toEqual({
      told: [summary, 'user: carried', 'user: prompt f'],
      absent: { compacted: 4 },
    });
  });
});

test('a fork names the file that it was made of', async () => {
  const parentSession = write(lines(header, user('a', null)));
  const session = await openSession(write(lines({ ...header, parentSession }, user('a', null))));
  expect(session).toMatchObject({ parent: parentSession });
  expect(session.related).toEqual([{ kind: 'parent', path: parentSession, isThere: true }]);
});

describe('versions and heads', () => {
  test('the first version has no ids, and its entries follow one another', async () => {
    const said = (role: string, text: string) => ({
      type: 'message',
      message: { role, content: says(text), ...model },
    });
    const file = write(lines({ ...header, version: undefined }, said('user', 'one'), said('assistant', 'two')));
    const session = await openSession(file);
    expect((await outline(session)).told).toEqual(['user: one', 'assistant: two']);
    expect(session).toMatchObject({ version: '1', faults: [] });
  });

  test.each([
    ['a version that is not known', [{ ...header, version: 9 }, user('a', null)], ['newer-version']],
    ['a header that is gone', [entry('m', null, { type: 'model_change' }), user('a', 'm')], ['missing-head']],
    [
      'a kind of entry that is not known',
      [header, user('a', null), entry('b', 'a', { type: 'news' })],
      ['unknown-record'],
    ],
    ['an id that comes twice', [header, user('a', null), user('a', null)], ['repeated-id']],
  ])('%s is reported', async (_, entries, expected) => {
    expect(kinds(await openSession(write(lines(...entries))))).toEqual(expected);
  });
});

describe('the API of the last answer decides the dialect', () => {
  const speak = async (api: string) => {
    const made = { api, provider: 'p', model: 'm' };
    const call = {
      type: 'toolCall',
      id: 'call_1|fc_1',
      name: 'read',
      arguments: { path: 'a' },
      thoughtSignature: 'c2ln',
    };
    const session = await open(
      user('a', null),
      answer('b', 'a', { ...made, content: [...says('yes'), call], stopReason: 'toolUse' }),
      message('c', 'b', { role: 'toolResult', toolCallId: 'call_1|fc_1', toolName: 'read', content: says('A') }),
    );
    const { dialect, messages } = await session.active();
    return { dialect, messages, verdict: check(messages, dialect).verdict };
  };

  test('Chat Completions', async () => {
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }];
    expect(await speak('openai-completions')).toEqual({
      dialect: 'openai-chat',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'prompt a' }] },
        { role: 'assistant', content: 'yes', tool_calls: calls },
        { role: 'tool', content: 'A', tool_call_id: 'call_1' },
      ],
      verdict: 'clean',
    });
  });

  test('Responses', async () => {
    const content = [{ type: 'output_text', text: 'yes', annotations: [] }];
    expect(await speak('openai-responses')).toEqual({
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: [{ type: 'input_text', text: 'prompt a' }] },
        { type: 'message', role: 'assistant', content, status: 'completed', id: 'msg_1' },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read', arguments: '{"path":"a"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'A' },
      ],
      verdict: 'clean',
    });
  });

  test('Gemini', async () => {
    const functionCall = { args: { path: 'a' }, id: 'call_1|fc_1', name: 'read' };
    const functionResponse = { name: 'read', response: { output: 'A' }, id: 'call_1|fc_1' };
    expect(await speak('google-generative-ai')).toEqual({
      dialect: 'gemini',
      messages: [
        { role: 'user', parts: [{ text: 'prompt a' }] },
        { role: 'model', parts: [{ text: 'yes' }, { functionCall, thoughtSignature: 'c2ln' }] },
        { role: 'user', parts: [{ functionResponse }] },
      ],
      verdict: 'clean',
    });
  });

  test('reasoning of another model becomes text, and its ids fit the API', async () => {
    const thinking = { type: 'thinking', thinking: 'hm', thinkingSignature: 'x' };
    const call = { type: 'toolCall', id: 'call_1|fc/1', name: 'read', arguments: {} };
    const session = await open(
      user('a', null),
      answer('b', 'a', { api: 'openai-responses', provider: 'openai', model: 'gpt', content: [thinking, call] }),
      message('c', 'b', { role: 'toolResult', toolCallId: 'call_1|fc/1', toolName: 'read', content: says('A') }),
      answer('d', 'c'),
    );
    expect((await outline(session)).told).toEqual([
      'user: prompt a',
      'assistant: hm, call_1_fc_1',
      'user: =call_1_fc_1',
      'assistant: answer d',
    ]);
  });
});

test('sessions are found below the folder of the agent', async () => {
  const home = temporaryFolder({ '.pi/agent/sessions/--project--/1_s1.jsonl': lines(header, user('a', null)) });
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(found).toMatchObject([{ tool: 'pi', id: 's1', title: 'prompt a', cwd: '/project' }]);
});
