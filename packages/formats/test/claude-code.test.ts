import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions, type ToolSession } from '../src/index.ts';
import { collect } from './collect.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;
type Block = { readonly text?: string; readonly id?: string; readonly tool_use_id?: string };

const said = (type: 'user' | 'assistant', { uuid, ...fields }: Fields, content: unknown): Fields => ({
  type,
  uuid,
  parentUuid: null,
  isSidechain: false,
  sessionId: 's1',
  ...fields,
  message: { role: type, content, ...(type === 'assistant' ? { id: `msg_${String(uuid)}` } : {}) },
});

const prompt = (uuid: string, parentUuid: string | null, fields: Fields = {}): Fields =>
  said('user', { uuid, parentUuid, ...fields }, `prompt ${uuid}`);
const answer = (uuid: string, parentUuid: string, fields: Fields = {}): Fields =>
  said('assistant', { uuid, parentUuid, ...fields }, [{ type: 'text', text: `answer ${uuid}` }]);
const call = (uuid: string, parentUuid: string, fields: Fields = {}): Fields =>
  said('assistant', { uuid, parentUuid, ...fields }, [{ type: 'tool_use', id: `call-${uuid}`, name: 'x', input: {} }]);
const result = (uuid: string, parentUuid: string, content: string = 'done'): Fields =>
  said('user', { uuid, parentUuid }, [{ type: 'tool_result', tool_use_id: `call-${parentUuid}`, content }]);
const boundary = (uuid: string, fields: Fields = {}): Fields => ({
  type: 'system',
  subtype: 'compact_boundary',
  uuid,
  parentUuid: null,
  sessionId: 's1',
  ...fields,
});

const open = async (...records: readonly Fields[]): Promise<ToolSession> =>
  openSession(join(temporaryFolder({ 's1.jsonl': lines(...records) }), 's1.jsonl'));

/** What each message is made of: the ids of its calls and results, and its texts. */
async function outline(session: ToolSession) {
  const { messages, absent } = await session.active();
  const told = (messages as { role: string; content: Block[] }[]).map(({ role, content }) => {
    const blocks = content.map((block) => block.text ?? block.id ?? `=${block.tool_use_id}`);
    return `${role}: ${blocks.join(', ')}`;
  });
  return { told, absent: Object.fromEntries(absent.map(({ reason, messages: count }) => [reason, count])) };
}

test('an answer that is split over lines is one message, with the results of all its calls behind it', async () => {
  const file = fileURLToPath(new URL('../src/claude-code/fixtures/parallel-calls.jsonl', import.meta.url));
  const session = await openSession(file);
  const { messages, places } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Read a.txt and b.txt.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Both at once.' },
        { type: 'tool_use', id: 'toolu_01', name: 'Read', input: { file_path: '/project/a.txt' } },
        { type: 'tool_use', id: 'toolu_02', name: 'Read', input: { file_path: '/project/b.txt' } },
      ],
    },
    {
      role: 'user',
      content: [
        { tool_use_id: 'toolu_01', type: 'tool_result', content: 'A' },
        { tool_use_id: 'toolu_02', type: 'tool_result', content: 'B' },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'They say A and B.' }] },
  ]);
  expect(places.map((each) => each.map((place) => (place.kind === 'line' ? place.line : 0)))).toEqual([
    [2],
    [3, 4, 6],
    [7, 8],
    [9],
  ]);
  expect(check(messages, 'anthropic-messages').verdict).toBe('clean');
  expect(session).toMatchObject({
    tool: 'claude-code',
    version: '2.1.80',
    id: '5e551011-0000-4000-8000-000000000001',
    title: 'Two files',
    cwd: '/project',
    times: { created: '2026-01-05T10:00:00.000Z', updated: '2026-01-05T10:00:05.000Z' },
    models: ['claude-sonnet-4-5-20250929'],
    dialect: 'anthropic-messages',
    faults: [],
  });
  expect((await collect(session.entries())).map(({ type }) => type)).toContain('progress');
});

describe('the next request holds the chain of the newest leaf', () => {
  test('a prompt that was edited leaves its branch behind', async () => {
    const session = await open(
      prompt('u1', null),
      answer('a1', 'u1'),
      prompt('u2', 'a1'),
      answer('a2', 'u2'),
      prompt('u3', 'a1'),
    );
    expect(await outline(session)).toEqual({
      told: ['user: prompt u1', 'assistant: answer a1', 'user: prompt u3'],
      absent: { branch: 2 },
    });
  });

  test('the leaf that the tool has noted wins, unless something was said after it', async () => {
    const leaf = { type: 'last-prompt', sessionId: 's1', leafUuid: 'a1' };
    const said = [prompt('u1', null), answer('a1', 'u1'), prompt('u2', 'a1')];
    expect((await outline(await open(...said, leaf))).told).toEqual(['user: prompt u1', 'assistant: answer a1']);
    expect((await outline(await open(...said, leaf, answer('a2', 'u2')))).told).toHaveLength(4);
  });

  test('a parent that is missing cuts off everything before it', async () => {
    const session = await open(prompt('u1', null), answer('a1', 'u1'), prompt('u2', 'gone'), answer('a2', 'u2'));
    expect(await outline(session)).toEqual({
      told: ['user: prompt u2', 'assistant: answer a2'],
      absent: { 'lost-parent': 2 },
    });
    expect(session.faults.map(({ kind }) => kind)).toEqual(['lost-parent']);
  });

  test('parents that form a ring end', async () => {
    const session = await open(prompt('u1', 'a1'), answer('a1', 'u1'));
    expect((await outline(session)).told).toEqual(['user: prompt u1', 'assistant: answer a1']);
  });

  test('a uuid that comes twice counts once', async () => {
    const session = await open(prompt('u1', null), prompt('u1', null), answer('a1', 'u1'));
    expect(await outline(session)).toEqual({
      told: ['user: prompt u1', 'assistant: answer a1'],
      absent: { repeated: 1 },
    });
    expect(session.faults.map(({ kind }) => kind)).toEqual(['repeated-id']);
  });
});

describe('a compaction', () => {
  const before = [prompt('u1', null), call('a1', 'u1'), answer('a2', 'a1'), answer('a3', 'a2')];
  const summary = said(
    'user',
    { uuid: 'sum', parentUuid: 'b', isCompactSummary: true, isVisibleInTranscriptOnly: true },
    'sum',
  );

  test('leaves its summary and what follows', async () => {
    const session = await open(...before, boundary('b', { logicalParentUuid: 'a3' }), summary, answer('a4', 'sum'));
    expect(await outline(session)).toEqual({ told: ['user: sum', 'assistant: answer a4'], absent: { compacted: 4 } });
  });

  test('is left behind by a user who went back to before it', async () => {
    const session = await open(...before, boundary('b'), summary, answer('a4', 'sum'), prompt('u5', 'a2'));
    expect(await outline(session)).toEqual({
      told: ['user: prompt u1', 'assistant: call-a1', 'assistant: answer a2', 'user: prompt u5'],
      absent: { branch: 3 },
    });
    expect(session.faults).toEqual([]);
  });

  test('takes the call with it whose result comes after', async () => {
    const late = said('user', { uuid: 'r1', parentUuid: 'sum' }, [
      { type: 'tool_result', tool_use_id: 'call-a1', content: 'late' },
    ]);
    const session = await open(...before, boundary('b'), summary, late);
    expect((await outline(session)).told).toEqual(['user: =call-a1, sum']);
    expect((await session.active()).copes).toContain('result-without-call');
  });

  test.each([
    ['a segment', { preservedSegment: { headUuid: 'a2', tailUuid: 'a3', anchorUuid: 'sum' } }],
    ['a list', { preservedMessages: { anchorUuid: 'sum', uuids: ['a2', 'a3'] } }],
  ])('keeps the messages that it names as %s', async (_, compactMetadata) => {
    const session = await open(...before, boundary('b', { compactMetadata }), summary, prompt('u4', 'sum'));
    expect(await outline(session)).toEqual({
      told: ['user: sum', 'assistant: answer a2', 'assistant: answer a3', 'user: prompt u4'],
      absent: { compacted: 2 },
    });
  });
});

describe('what is never sent', () => {
  test('notices of the tool, side conversations and attachments are told apart', async () => {
    const notice = answer('a1', 'u1', { isApiErrorMessage: true });
    const side = prompt('x1', null, { isSidechain: true });
    const attachment = {
      type: 'attachment',
      uuid: 't1',
      parentUuid: 'a1',
      sessionId: 's1',
      attachment: { type: 'file' },
    };
    const queued = {
      ...attachment,
      uuid: 't2',
      parentUuid: 't1',
      attachment: { type: 'queued_command', prompt: 'and?' },
    };
    const session = await open(prompt('u1', null), notice, side, attachment, queued);
    expect(await outline(session)).toEqual({
      told: ['user: prompt u1, and?'],
      absent: { failed: 1, sidechain: 1, reworded: 1 },
    });
  });

  test('records that nothing leads to, and attachments that are malformed, are named', async () => {
    const { uuid: _, ...stray } = prompt('x', 'u1');
    const queued = { type: 'attachment', sessionId: 's1', attachment: { type: 'queued_command', prompt: 'and?' } };
    const broken = { type: 'attachment', uuid: 't1', parentUuid: 'u1', sessionId: 's1', attachment: null };
    const session = await open(prompt('u1', null), stray, queued, broken);
    expect(await outline(session)).toEqual({ told: ['user: prompt u1'], absent: { hidden: 2, reworded: 1 } });
    expect(session.faults.map(({ kind, place }) => [kind, place.kind === 'line' && place.line])).toEqual([
      ['bad-record', 2],
      ['bad-record', 4],
    ]);
  });

  test('a kind of record that is not known is carried, and named', async () => {
    const session = await open(prompt('u1', null), { type: 'news', sessionId: 's1', data: 1 }, answer('a1', 'u1'));
    expect(session.faults.map(({ kind }) => kind)).toEqual(['unknown-record']);
    expect((await collect(session.entries())).map(({ value }) => value['data'])).toEqual([undefined, 1, undefined]);
  });
});

test('what the program prints as stream-json is a session without a chain', async () => {
  const streamed = (type: 'user' | 'assistant', { uuid, ...fields }: Fields, content: unknown): Fields => ({
    type,
    uuid,
    session_id: 's9',
    message: { role: type, content, ...(type === 'assistant' ? { id: 'msg_1', model: 'claude' } : {}) },
    ...fields,
  });
  const session = await open(
    { type: 'system', subtype: 'init', session_id: 's9', cwd: '/project', uuid: 'i' },
    streamed('assistant', { uuid: 'a1' }, [{ type: 'text', text: 'First.' }]),
    streamed('assistant', { uuid: 'a2' }, [{ type: 'tool_use', id: 'call-a2', name: 'x', input: {} }]),
    streamed('user', { uuid: 'x1', parent_tool_use_id: 'call-a2' }, 'For the agent.'),
    streamed('user', { uuid: 'r1' }, [{ type: 'tool_result', tool_use_id: 'call-a2', content: 'done' }]),
    { type: 'result', subtype: 'success', session_id: 's9', uuid: 'z' },
  );
  expect(session).toMatchObject({ tool: 'claude-code', id: 's9', cwd: '/project', models: ['claude'], faults: [] });
  expect(await outline(session)).toEqual({
    told: ['assistant: First., call-a2', 'user: =call-a2'],
    absent: { sidechain: 1 },
  });
});

test('a fork names the session that it was made of', async () => {
  const forkedFrom = { sessionId: 's0', messageUuid: 'u1' };
  expect(await open(prompt('u1', null, { forkedFrom }), answer('a1', 'u1'))).toMatchObject({ id: 's1', parent: 's0' });
});

describe('files beside the session', () => {
  test('the subagents of a session are found, and read as sessions of their own', async () => {
    const side = { isSidechain: true, agentId: 'aa11' };
    const folder = temporaryFolder({
      's1.jsonl': lines(prompt('u1', null)),
      's1/subagents/agent-aa11.jsonl': lines(prompt('x1', null, side), answer('y1', 'x1', side)),
    });
    const { related } = await openSession(join(folder, 's1.jsonl'));
    expect(related.map(({ kind, isThere }) => [kind, isThere])).toEqual([['subagent', true]]);
    const subagent = await openSession(related[0]?.path ?? '');
    expect(subagent).toMatchObject({ id: 'aa11', parent: 's1' });
    expect((await outline(subagent)).told).toEqual(['user: prompt x1', 'assistant: answer y1']);
  });

  test('a long result in a file of its own is found beside a session that was moved, or missed', async () => {
    const stored =
      '<persisted-output>\nOutput too large. Full output saved to: /gone/s1/tool-results/t1.txt\n</persisted-output>';
    const records = [prompt('u1', null), call('a1', 'u1'), result('r1', 'a1', stored)];
    const folder = temporaryFolder({ 's1.jsonl': lines(...records), 's1/tool-results/t1.txt': 'long' });
    const there = await openSession(join(folder, 's1.jsonl'));
    expect(there.related.map(({ kind, isThere }) => [kind, isThere])).toEqual([['side-file', true]]);
    expect(there.faults).toEqual([]);
    const missed = await open(...records);
    expect(missed.related.map(({ isThere }) => isThere)).toEqual([false]);
    expect(missed.faults.map(({ kind }) => kind)).toEqual(['missing-file']);
  });
});

test('sessions are found below the folder that the environment names, the newest first', async () => {
  const home = temporaryFolder({
    'config/projects/-p/s1.jsonl': lines(prompt('u1', null, { cwd: '/project' })),
    'config/projects/-p/s1/subagents/agent-aa.jsonl': lines(prompt('u1', null, { isSidechain: true, agentId: 'aa' })),
    'config/projects/-p/notes.jsonl': lines({ hello: 'world' }),
  });
  const system = { platform: 'linux', home, env: { CLAUDE_CONFIG_DIR: join(home, 'config') } } as const;
  const found = await collect(sessions({ system }));
  expect(found.map(({ id, parent, title, cwd }) => ({ id, parent, title, cwd }))).toEqual(
    expect.arrayContaining([
      { id: 's1', parent: undefined, title: 'prompt u1', cwd: '/project' },
      { id: 'aa', parent: 's1', title: 'prompt u1', cwd: undefined },
    ]),
  );
  expect(found).toHaveLength(2);
});
