import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions, type ToolSession } from '../src/index.ts';
import { collect } from './collect.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;
type Part = { readonly text?: string; readonly functionCall?: unknown; readonly functionResponse?: unknown };

const fixture = fileURLToPath(
  new URL('../src/gemini/fixtures/session-2026-11-01T10-00-0a1b2c3d.jsonl', import.meta.url),
);

const header = { sessionId: 's1', projectHash: 'p', startTime: 'then', kind: 'main' };
const user = (id: string, content: unknown = `prompt ${id}`): Fields => ({ id, type: 'user', content });
const answer = (id: string, fields: Fields = {}): Fields => ({
  id,
  type: 'gemini',
  content: `answer ${id}`,
  ...fields,
});

const write = (content: string | Uint8Array, name = 'session.jsonl'): string =>
  join(temporaryFolder({ [name]: content }), name);
const open = async (...records: readonly Fields[]): Promise<ToolSession> =>
  openSession(write(lines(header, ...records)));

async function outline(session: ToolSession) {
  const { messages, absent } = await session.active();
  const told = (messages as { role: string; parts: Part[] }[]).map(({ role, parts }) => {
    const shown = parts.map(({ text, functionCall }) => text ?? (functionCall === undefined ? '=' : '?'));
    return `${role}: ${shown.join(', ')}`;
  });
  return { told, absent: Object.fromEntries(absent.map(({ reason, messages: count }) => [reason, count])) };
}

const kinds = ({ faults }: ToolSession): string[] => faults.map(({ kind }) => kind);

test('a session is read as Gemini CLI sends it', async () => {
  const session = await openSession(fixture);
  const { messages, places, absent } = await session.active();
  expect(messages).toEqual([
    { role: 'user', parts: [{ text: 'Look at a.txt.' }] },
    {
      role: 'model',
      parts: [{ text: 'I will read it.' }, { functionCall: { id: '1', args: { path: 'a.txt' }, name: 'read_file' } }],
    },
    {
      role: 'user',
      parts: [{ functionResponse: { id: '1', name: 'read_file', response: { output: 'hello' } } }],
    },
    { role: 'model', parts: [{ text: 'It says hello.' }] },
  ]);
  expect(places.map((each) => each.map((place) => (place.kind === 'line' ? place.line : 0)))).toEqual([
    [3],
    [5],
    [5],
    [7],
  ]);
  expect(absent.map(({ reason, messages: count }) => [reason, count])).toEqual([
    ['repeated', 1],
    ['reworded', 1],
    ['hidden', 0],
  ]);
  expect(check(messages, { dialect: 'gemini', model: 'gemini-2.5-pro' }).verdict).toBe('clean');
  expect(session).toMatchObject({
    tool: 'gemini',
    id: '0a1b2c3d-0000-4000-8000-000000000001',
    title: 'Look at a.txt.',
    models: ['gemini-2.5-pro'],
    dialect: 'gemini',
    faults: [],
  });
});

describe('what edits the history', () => {
  test('a record with a known id takes the place of the one before', async () => {
    const session = await open(user('a'), answer('b'), user('a', 'changed'));
    expect(await outline(session)).toEqual({ told: ['user: changed', 'model: answer b'], absent: { repeated: 1 } });
  });

  test('a list of messages replaces everything', async () => {
    const set = { $set: { messages: [user('c'), answer('d')] } };
    const session = await open(user('a'), answer('b'), set, user('e'));
    expect(await outline(session)).toEqual({
      told: ['user: prompt c', 'model: answer d', 'user: prompt e'],
      absent: { repeated: 2 },
    });
  });

  test.each([
    ['to a message', 'b', { told: ['user: prompt a, prompt d'], absent: { rewound: 2 } }],
    ['to a message that is not there', 'x', { told: ['user: prompt d'], absent: { rewound: 3 } }],
  ])('a rewind %s', async (_, $rewindTo, expected) => {
    const session = await open(user('a'), answer('b'), user('c'), { $rewindTo }, user('d'));
    expect(await outline(session)).toEqual(expected);
  });
});

test('results that the session holds twice are sent twice', async () => {
  const functionResponse = { id: 'x__1', name: 'x', response: { output: 'A' } };
  const call = { id: 'x__1', name: 'x', args: {}, result: [{ functionResponse }] };
  const session = await open(user('a'), answer('b', { toolCalls: [call] }), user('c', [{ functionResponse }]));
  expect((await outline(session)).told).toEqual(['user: prompt a', 'model: answer b, ?', 'user: =, =']);
  const { messages, dialect } = await session.active();
  expect(check(messages, dialect).verdict).toBe('broken');
});

test('commands, notices and thoughts are never sent', async () => {
  const notice = { id: 'i', type: 'info', content: 'Updated.' };
  const session = await open(user('a', '/help'), user('b', '? what'), notice, user('c'), answer('d'));
  expect(await outline(session)).toEqual({ told: ['user: prompt c', 'model: answer d'], absent: { hidden: 3 } });
});

describe('what keeps Gemini CLI from reading a session', () => {
  test.each([
    ['a byte order mark', `\uFEFF${lines(header, user('a'))}`, ['bom', 'missing-head', 'bad-record']],
    ['a head that was torn', `{"sessionId":"s1\n${lines({ $set: {} }, user('a'))}`, ['torn', 'missing-head']],
    ['a separator that Node takes for the end of a line', lines(header, user('a', 'x\u2028y')), ['bad-record']],
    [
      'two records on one line',
      lines(header) + JSON.stringify(user('a')) + lines(user('b')),
      ['glued', 'bad-record', 'bad-record'],
    ],
  ])('%s', async (_, content, expected) => {
    const session = await openSession(write(content));
    expect(session.tool).toBe('gemini');
    expect(kinds(session)).toEqual(expected);
  });
});

describe('documents', () => {
  test('older sessions are one document', async () => {
    const document = { ...header, messages: [user('a'), answer('b', { model: 'm' })] };
    const file = write(JSON.stringify(document, undefined, 2), 'session.json');
    const session = await openSession(file);
    expect((await outline(session)).told).toEqual(['user: prompt a', 'model: answer b']);
    expect((await session.active()).places).toEqual([
      [{ kind: 'value', file, pointer: '/messages/0' }],
      [{ kind: 'value', file, pointer: '/messages/1' }],
    ]);
    expect(await collect(session.entries())).toHaveLength(2);
  });

  test('a document that was cut off is recognised, and reported', async () => {
    const whole = JSON.stringify({ ...header, messages: [user('a')] }, undefined, 2);
    const session = await openSession(write(whole.slice(0, -10), 'session.json'));
    expect(session.tool).toBe('gemini');
    expect(session.faults.length).toBeGreaterThan(0);
  });

  test('a checkpoint holds what was sent', async () => {
    const history = [
      { role: 'user', parts: [{ text: 'one' }] },
      { role: 'model', parts: [{ text: 'two' }] },
    ];
    const session = await openSession(write(JSON.stringify({ history }), 'checkpoint-x.json'));
    expect((await session.active()).messages).toEqual(history);
  });
});

test('sessions and those of subagents are found', async () => {
  const home = temporaryFolder({
    '.gemini/tmp/project/chats/session-1.jsonl': lines(header, user('a')),
    '.gemini/tmp/project/chats/s1/sub.jsonl': lines({ ...header, sessionId: 's2', kind: 'subagent' }, user('b')),
  });
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(found.map(({ id, parent, title }) => ({ id, parent, title }))).toEqual(
    expect.arrayContaining([
      { id: 's1', parent: undefined, title: 'prompt a' },
      { id: 's2', parent: 's1', title: 'prompt b' },
    ]),
  );
});
