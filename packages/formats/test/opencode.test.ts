import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions, type ToolSession } from '../src/index.ts';
import { collect } from './collect.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;
type Kept = { readonly info: Fields; readonly parts: readonly Fields[] };
type Block = { readonly type: string; readonly text?: string };

const fixture = fileURLToPath(new URL('../src/opencode/fixtures/export.json', import.meta.url));

const model = { providerID: 'anthropic', modelID: 'claude' };
let clock = 0;
const user = (id: string, ...parts: readonly Fields[]): Kept => ({
  info: { id, role: 'user', model, time: { created: (clock += 1) } },
  parts: parts.length === 0 ? [{ type: 'text', text: `prompt ${id}` }] : parts,
});
const answer = (id: string, fields: Fields = {}, ...parts: readonly Fields[]): Kept => ({
  info: { id, role: 'assistant', ...model, time: { created: (clock += 1) }, ...fields },
  parts: parts.length === 0 ? [{ type: 'text', text: `answer ${id}` }] : parts,
});
const tool = (state: Fields): Fields => ({ type: 'tool', tool: 'x', callID: 'call_1', state: { input: {}, ...state } });

const info = { id: 'ses_1', projectID: 'p', directory: '/project', title: 'A title', time: { created: 1, updated: 2 } };

async function openExport(messages: readonly Kept[], session: Fields = {}): Promise<ToolSession> {
  const content = JSON.stringify({ info: { ...info, ...session }, messages }, undefined, 2);
  return openSession(join(temporaryFolder({ 'e.json': content }), 'e.json'));
}

async function outline(session: ToolSession) {
  const { messages, absent } = await session.active();
  const told = (messages as { role: string; content: Block[] }[]).map(({ role, content }) => {
    return `${role}: ${content.map(({ type, text }) => text ?? type).join(', ')}`;
  });
  return { told, absent: Object.fromEntries(absent.map(({ reason, messages: count }) => [reason, count])) };
}

test('an export is read as opencode sends the session', async () => {
  const session = await openSession(fixture);
  const { messages, places } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Look at a.txt.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Read it first.', signature: 'c2lnbmF0dXJl' },
        { type: 'tool_use', id: 'toolu_01', name: 'read', input: { filePath: 'a.txt' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01', content: 'hello' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'It says hello.' }] },
  ]);
  expect(places[3]).toEqual([{ kind: 'value', file: fixture, pointer: '/messages/1/parts/5' }]);
  expect(check(messages, 'anthropic-messages').verdict).toBe('clean');
  expect(session).toMatchObject({
    tool: 'opencode',
    version: '1.18.33',
    id: 'ses_0000000000000000000000001',
    title: 'Look at a file',
    cwd: '/project',
    models: ['claude-sonnet-4-5'],
    faults: [],
  });
});

describe('tools', () => {
  test.each([
    ['completed', { status: 'completed', output: 'A' }, { content: 'A' }],
    [
      'pruned',
      { status: 'completed', output: 'A', time: { compacted: 1 } },
      { content: '[Old tool result content cleared]' },
    ],
    ['failed', { status: 'error', error: 'no' }, { content: 'no', is_error: true }],
    [
      'interrupted with an output',
      { status: 'error', error: 'no', metadata: { interrupted: true, output: 'half' } },
      { content: 'half' },
    ],
  ])('a call that was %s has its result', async (_, state, expected) => {
    const { messages } = await (await openExport([user('a'), answer('b', {}, tool(state))])).active();
    expect(messages[2]).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'call_1', ...expected }],
    });
  });

  test.each(['pending', 'running'])('a call that is %s has none, and opencode makes one', async (status) => {
    const session = await openExport([user('a'), answer('b', {}, tool({ status }))]);
    const { messages, copes, dialect } = await session.active();
    const { findings } = check(messages, { dialect, model: 'claude-sonnet-4-5' });
    expect(findings.map(({ rule }) => rule)).toEqual(['call-without-result']);
    expect(copes).toContain('call-without-result');
  });
});

describe('the next request', () => {
  test('leaves out answers that failed, and keeps those that were aborted after they said something', async () => {
    const aborted = { error: { name: 'MessageAbortedError' } };
    const session = await openExport([
      user('a'),
      answer('b', { error: { name: 'APIError' } }),
      answer('c', aborted),
      answer('d', aborted, { type: 'step-start' }, { type: 'reasoning', text: 'hm' }),
    ]);
    expect(await outline(session)).toEqual({
      told: ['user: prompt a', 'assistant: answer c'],
      absent: { failed: 2 },
    });
  });

  test('begins at the newest compaction, with what it kept', async () => {
    const session = await openExport([
      user('a'),
      answer('b'),
      user('c'),
      answer('d'),
      user('e', { type: 'compaction', tail_start_id: 'c' }, { type: 'text', text: 'compact' }),
      answer('f', { summary: true, finish: 'stop', parentID: 'e' }),
      user('g'),
    ]);
    expect(await outline(session)).toEqual({
      told: ['user: compact', 'assistant: answer f', 'user: prompt c', 'assistant: answer d', 'user: prompt g'],
      absent: { compacted: 2 },
    });
  });

  test('ends where the session was reverted to', async () => {
    const session = await openExport([user('a'), answer('b'), user('c'), answer('d')], { revert: { messageID: 'c' } });
    expect(await outline(session)).toEqual({ told: ['user: prompt a', 'assistant: answer b'], absent: { rewound: 2 } });
  });

  test('has reasoning of another model as text', async () => {
    const reasoning = { type: 'reasoning', text: 'hm', metadata: { anthropic: { signature: 'x' } } };
    const session = await openExport([user('a'), answer('b', { modelID: 'other' }, reasoning), user('c')]);
    expect((await outline(session)).told).toEqual(['user: prompt a', 'assistant: hm', 'user: prompt c']);
  });

  test.each([
    ['openai', 'openai-responses'],
    ['google', 'gemini'],
    ['somebody', 'openai-chat'],
  ])('goes to the API of the provider: %s', async (providerID, dialect) => {
    const call = tool({ status: 'completed', output: 'A' });
    const made = { providerID, modelID: 'gemini-2.5-pro' };
    const prompt = user('a');
    const session = await openExport([
      { ...prompt, info: { ...prompt.info, model: made } },
      answer('b', made, { type: 'step-start' }, { type: 'text', text: 'yes' }, call),
    ]);
    const active = await session.active();
    expect(active.dialect).toBe(dialect);
    expect(check(active.messages, { dialect: active.dialect, model: 'gemini-2.5-pro' }).verdict).toBe('clean');
    expect(active.messages).toHaveLength(dialect === 'openai-responses' ? 4 : 3);
  });
});

describe('the database', () => {
  const make = (fill: (database: DatabaseSync) => void): string => {
    const path = join(temporaryFolder({ 'opencode/x': '' }), 'opencode', 'opencode.db');
    const database = new DatabaseSync(path);
    database.exec(`CREATE TABLE session (id, title, directory, version, parent_id, revert, time_created, time_updated);
      CREATE TABLE message (id, session_id, time_created, data);
      CREATE TABLE part (id, message_id, session_id, data);
      CREATE TABLE session_message (id);
      INSERT INTO session VALUES ('ses_1', 'Old', '/project', '1.18', NULL, NULL, 1, 10),
        ('ses_2', 'New', '/project', '1.18', 'ses_1', NULL, 2, 20)`);
    const insert = (table: string, ...row: readonly string[]): void =>
      void database.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?)`).run(...row);
    for (const session of ['ses_1', 'ses_2']) {
      insert('message', `m2-${session}`, session, '2', JSON.stringify({ role: 'assistant', ...model }));
      insert('message', `m1-${session}`, session, '1', JSON.stringify({ role: 'user', model }));
      insert('part', `p1-${session}`, `m1-${session}`, session, `{"type":"text","text":"prompt ${session}"}`);
      insert('part', `p2-${session}`, `m2-${session}`, session, `{"type":"text","text":"answer ${session}"}`);
    }
    fill(database);
    database.close();
    return path;
  };

  test('holds many sessions: each is found, and opened by its id', async () => {
    const path = make(() => undefined);
    const system = { platform: 'linux', home: '/nowhere', env: { XDG_DATA_HOME: join(path, '../..') } } as const;
    const found = await collect(sessions({ system }));
    expect(found.map(({ id, title, parent }) => ({ id, title, parent }))).toEqual([
      { id: 'ses_2', title: 'New', parent: 'ses_1' },
      { id: 'ses_1', title: 'Old', parent: undefined },
    ]);
    for (const ref of found) {
      const session = await openSession(ref);
      expect((await outline(session)).told).toEqual([`user: prompt ${ref.id}`, `assistant: answer ${ref.id}`]);
      expect((await session.active()).places[0]).toEqual([
        { kind: 'row', database: path, table: 'part', row: `p1-${ref.id}` },
      ]);
      expect(session.faults).toEqual([]);
    }
    expect(await openSession(path)).toMatchObject({ id: 'ses_2' });
  });

  test('reports damage that only hides rows', async () => {
    const path = make(() => undefined);
    const bytes = readFileSync(path);
    // The page of the messages now says that it holds none.
    const page = bytes.indexOf('m1-ses_1');
    bytes.writeUInt16BE(0, Math.floor(page / 4096) * 4096 + 3);
    writeFileSync(path, bytes);
    const session = await openSession(path);
    expect((await session.active()).messages).toEqual([]);
    expect(session.faults.map(({ kind }) => kind)).toContain('unreadable');
  });

  test('reports a session that is not in it', async () => {
    const session = await openSession({ path: make(() => undefined), id: 'ses_9' });
    expect(session.faults.map(({ kind }) => kind)).toEqual(['missing-head']);
    expect((await session.active()).messages).toEqual([]);
  });

  test('reports data that is no JSON', async () => {
    const path = make((database) => database.exec(`UPDATE part SET data = '{"type":' WHERE id = 'p2-ses_2'`));
    const session = await openSession(path);
    expect(session.faults.map(({ kind }) => kind)).toEqual(['not-json']);
    expect((await outline(session)).told).toEqual(['user: prompt ses_2']);
  });
});

describe('older forms', () => {
  test('one file for each session, message and part', async () => {
    const [prompt, reply] = [user('a'), answer('b')];
    const files = Object.fromEntries(
      [prompt, reply].flatMap(({ info: message, parts }) => [
        [`storage/message/ses_1/${String(message['id'])}.json`, JSON.stringify(message)],
        [`storage/part/${String(message['id'])}/prt_1.json`, JSON.stringify(parts[0])],
      ]),
    );
    const folder = temporaryFolder({ ...files, 'storage/session/p/ses_1.json': JSON.stringify(info) });
    const session = await openSession(join(folder, 'storage/session/p/ses_1.json'));
    expect(session).toMatchObject({ tool: 'opencode', id: 'ses_1', title: 'A title', faults: [] });
    expect((await outline(session)).told).toEqual(['user: prompt a', 'assistant: answer b']);
  });

  test('exports with one message a line', async () => {
    const { messages } = JSON.parse(readFileSync(fixture, 'utf8')) as { messages: object[] };
    const session = await openSession(join(temporaryFolder({ 'full.jsonl': lines(...messages) }), 'full.jsonl'));
    expect(session).toMatchObject({ tool: 'opencode', id: 'ses_0000000000000000000000001', faults: [] });
    expect((await outline(session)).told).toHaveLength(4);
  });
});
