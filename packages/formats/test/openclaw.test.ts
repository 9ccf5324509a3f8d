import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { absentIn, kindsOf, openText, textsIn } from './open-text.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixture = fileURLToPath(new URL('../src/openclaw/fixtures/session.jsonl', import.meta.url));

const head = { type: 'session', version: 4, id: 's1', timestamp: '2026-11-01T10:00:00Z', cwd: '/project' };
const entry = (id: string, parentId: string | null, message: Fields): Fields => ({
  type: 'message',
  id,
  parentId,
  timestamp: `2026-11-01T10:00:0${id.slice(1)}Z`,
  message: { ...message, __openclaw: {} },
});
const user = (content: string): Fields => ({ role: 'user', content });
const answer = (...content: readonly Fields[]): Fields => ({
  role: 'assistant',
  api: 'anthropic-messages',
  provider: 'p',
  model: 'm',
  content,
});
const text = (content: string): Fields => ({ type: 'text', text: content });
const thinking = { type: 'thinking', thinking: 'hm', thinkingSignature: 'seal' };
const tree = [
  entry('e1', null, user('one')),
  entry('e2', 'e1', answer(thinking, text('first'))),
  entry('e3', 'e2', user('two')),
  entry('e4', 'e3', answer(thinking, text('second'))),
];

/** A home folder with the database of an agent, and the log that was there before it. */
function home(events: readonly (Fields | Uint8Array)[], log?: readonly Fields[]): string {
  const agent = '.openclaw/agents/main';
  const folder = temporaryFolder({
    [`${agent}/agent/x`]: '',
    ...(log === undefined ? {} : { [`${agent}/sessions/s1.jsonl`]: lines(...log) }),
  });
  const database = new DatabaseSync(join(folder, agent, 'agent/openclaw-agent.sqlite'));
  database.exec(`CREATE TABLE session_windows (session_id, parent_session_key, display_name, updated_at);
    CREATE TABLE transcript_events (session_id, seq, event_json, event_zstd);
    INSERT INTO session_windows VALUES ('s1', NULL, NULL, 2), ('s0', NULL, 'Old', 1)`);
  const insert = database.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?)');
  for (const [seq, event] of events.entries()) {
    if (event instanceof Uint8Array) insert.run('s1', seq, null, event);
    else insert.run('s1', seq, JSON.stringify(event), null);
  }
  database.close();
  return folder;
}

const databaseIn = (folder: string): string => join(folder, '.openclaw/agents/main/agent/openclaw-agent.sqlite');

test('a log is read as OpenClaw sends it', async () => {
  const session = await openSession(fixture);
  const { messages } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: [text('Look at a.txt.')] },
    {
      role: 'assistant',
      content: [text('I will read it.'), { type: 'tool_use', id: 'toolu1', name: 'read', input: { path: 'a.txt' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu1', content: 'hello', is_error: false }] },
    { role: 'assistant', content: [text('It says hello.')] },
  ]);
  expect(check(messages, 'anthropic-messages').verdict).toBe('clean');
  expect(session).toMatchObject({ tool: 'openclaw', title: 'Look at a.txt.', cwd: '/project' });
});

describe('the database', () => {
  test('holds the tree, of which only the last answer keeps its reasoning', async () => {
    const session = await openSession(databaseIn(home([head, ...tree])));
    expect(session).toMatchObject({ tool: 'openclaw', id: 's1', version: '4', cwd: '/project', faults: [] });
    expect(await textsIn(session)).toEqual(['one', 'first', 'two', 'hm|second']);
    expect((await session.active()).places[0]).toMatchObject([
      { kind: 'row', table: 'transcript_events', row: 's1/1' },
    ]);
    expect(await collect(session.entries())).toHaveLength(5);
  });

  test.skipIf(typeof zlib.zstdCompressSync !== 'function')('holds compressed events', async () => {
    const packed = zlib.zstdCompressSync(Buffer.from(JSON.stringify(tree[0])));
    expect(await textsIn(await openSession(databaseIn(home([head, packed, ...tree.slice(1)]))))).toHaveLength(4);
  });

  test('is said to be behind the log that was there before it', async () => {
    const late = entry('e5', 'e4', user('three'));
    const session = await openSession(databaseIn(home([head, ...tree], [head, ...tree, late])));
    expect(await textsIn(session)).toHaveLength(4);
    expect(session.faults).toMatchObject([
      {
        kind: 'stale-index',
        note: '1 entries of this file are not in the database; the last one is newer than all in there.',
      },
    ]);
    expect(session.related).toMatchObject([{ kind: 'base', isThere: true }]);
  });

  test('makes a log beside it a leftover', async () => {
    const folder = home([head, ...tree], [head, ...tree]);
    const session = await openSession(join(folder, '.openclaw/agents/main/sessions/s1.jsonl'));
    expect(session.tool).toBe('openclaw');
    expect(kindsOf(session)).toEqual(['stale-index']);
  });

  test('lists all its sessions', async () => {
    const folder = home([head, ...tree]);
    const found = await collect(sessions({ system: { platform: 'linux', home: folder, env: {} } }));
    expect(found.map(({ id, title, modified }) => [id, title, modified])).toEqual([
      ['s1', 'one', 2],
      ['s0', 'Old', 1],
    ]);
  });

  test('reports an event that is no JSON', async () => {
    const session = await openSession(databaseIn(home([head, ...tree, new Uint8Array([1, 2, 3])])));
    expect(kindsOf(session)).toEqual(['not-json']);
    expect(await textsIn(session)).toHaveLength(4);
  });
});

test('a stand-in for a missing result is sent in other words', async () => {
  const call = { type: 'toolCall', id: 'c1', name: 'x', arguments: {} };
  const details = { openclawSyntheticMissingToolResult: true };
  const standIn = { role: 'toolResult', toolCallId: 'c1', content: [text('missing')], isError: true, details };
  const session = await openText(
    lines(head, entry('e1', null, user('one')), entry('e2', 'e1', answer(call)), entry('e3', 'e2', standIn)),
  );
  expect(await textsIn(session)).toEqual(['one', '<tool_use>']);
  expect(await absentIn(session)).toEqual({ reworded: 1 });
});

test('the first version kept messages alone on their lines', async () => {
  const said = [user('one'), { role: 'assistant', content: 'two' }].map((each) => ({
    ...each,
    timestamp: '2025-01-01',
  }));
  const session = await openText(lines(...said));
  expect(session).toMatchObject({ tool: 'openclaw', title: 'one', faults: [] });
  expect(await textsIn(session)).toEqual(['one', 'two']);
});

test('a tree that does not name the program is known by its folder', async () => {
  const plain = lines({ ...head, version: 3 }, { ...tree[0], message: user('one') });
  expect((await openText(plain, '.openclaw/agents/main/sessions/s1.jsonl')).tool).toBe('openclaw');
  expect((await openText(plain)).tool).toBe('pi');
});
