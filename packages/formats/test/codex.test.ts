import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions, type ToolSession } from '../src/index.ts';
import { collect } from './collect.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;
type WireItem = { readonly role?: string; readonly type: string; readonly content?: readonly { text: string }[] };

const fixture = fileURLToPath(
  new URL(
    '../src/codex/fixtures/rollout-2026-11-01T10-00-00-01990000-0000-7000-8000-000000000001.jsonl',
    import.meta.url,
  ),
);

const record = (type: string, payload: Fields): Fields => ({ timestamp: '2026-11-01T10:00:00.000Z', type, payload });
const meta = (fields: Fields = {}): Fields => record('session_meta', { id: 's1', cwd: '/project', ...fields });
const user = (text: string): Fields =>
  record('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const answer = (text: string): Fields =>
  record('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });

const name = (id: string): string => `rollout-2026-11-01T10-00-00-${id}.jsonl`;

const open = async (...records: readonly Fields[]): Promise<ToolSession> =>
  openSession(join(temporaryFolder({ [name('s1')]: lines(...records) }), name('s1')));

async function outline(session: ToolSession) {
  const { messages, absent } = await session.active();
  const told = (messages as WireItem[]).map(({ type, role, content }) => {
    return `${role ?? type}: ${content?.map(({ text }) => text).join('') ?? ''}`;
  });
  return { told, absent: Object.fromEntries(absent.map(({ reason, messages: count }) => [reason, count])) };
}

const kinds = ({ faults }: ToolSession): string[] => faults.map(({ kind }) => kind);

test('the items of a rollout are those of the next request, without what Codex notes beside them', async () => {
  const session = await openSession(fixture);
  const { messages, places, system, model } = await session.active();
  expect(messages).toHaveLength(5);
  expect(messages[1]).toEqual({
    type: 'message',
    id: 'msg_u1',
    role: 'user',
    content: [{ type: 'input_text', text: 'Look at a.txt.' }],
  });
  expect(places.flat().map((place) => (place.kind === 'line' ? place.line : 0))).toEqual([2, 4, 6, 7, 8]);
  expect(check(messages, 'openai-responses').verdict).toBe('clean');
  expect({ system, model }).toEqual({ system: 'You are a coding agent.', model: 'gpt-5.5' });
  expect(session).toMatchObject({
    tool: 'codex',
    version: '0.169.0',
    title: 'Look at a.txt.',
    cwd: '/project',
    times: { created: '2026-11-01T10:00:00.000Z', updated: '2026-11-01T10:00:03.000Z' },
    models: ['gpt-5.5'],
    faults: [],
  });
});

describe('what edits the history', () => {
  test('a compaction with a history of its own replaces everything before it', async () => {
    const kept = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'kept' }] },
      { type: 'compaction' },
    ];
    const compacted = record('compacted', { message: '', replacement_history: kept });
    const session = await open(meta(), user('one'), answer('two'), compacted, user('three'));
    expect(await outline(session)).toEqual({
      told: ['user: kept', 'compaction: ', 'user: three'],
      absent: { compacted: 2 },
    });
  });

  test('an older compaction keeps what users said, and the summary', async () => {
    const context = user('<environment_context>here</environment_context>');
    const session = await open(
      meta(),
      context,
      user('one'),
      answer('two'),
      record('compacted', { message: 'sum' }),
      user('three'),
    );
    expect(await outline(session)).toEqual({
      told: ['user: one', 'user: sum', 'user: three'],
      absent: { compacted: 2 },
    });
  });

  test('a rollback takes back turns, with the context before the first of them', async () => {
    const rollback = record('event_msg', { type: 'thread_rolled_back', num_turns: 1 });
    const context = user('<environment_context>there</environment_context>');
    const session = await open(
      meta(),
      user('one'),
      answer('two'),
      context,
      user('three'),
      answer('four'),
      rollback,
      user('five'),
    );
    expect(await outline(session)).toEqual({
      told: ['user: one', 'assistant: two', 'user: five'],
      absent: { rewound: 3 },
    });
  });

  test('a rollback beyond the beginning leaves the context that came first', async () => {
    const rollback = record('event_msg', { type: 'thread_rolled_back', num_turns: 9 });
    const session = await open(meta(), user('# AGENTS.md instructions'), user('one'), answer('two'), rollback);
    expect((await outline(session)).told).toEqual(['user: # AGENTS.md instructions']);
  });

  test('snapshots and messages of the system are never sent, and those of other agents are', async () => {
    const snapshot = record('response_item', { type: 'ghost_snapshot', ghost_commit: {} });
    const mail = record('inter_agent_communication', { author: '/agent', recipient: '/agent/a', content: 'go' });
    const session = await open(meta(), user('one'), snapshot, mail);
    expect(await outline(session)).toEqual({ told: ['user: one', 'agent_message: go'], absent: { hidden: 1 } });
  });
});

test('a line that is not plain JSON is read here, and skipped by Codex', async () => {
  const content = `${lines(meta(), user('one'))}${JSON.stringify(answer('2'))}${lines(answer('3'), user('four'))}`;
  const session = await openSession(join(temporaryFolder({ [name('s1')]: content }), name('s1')));
  expect(await outline(session)).toEqual({ told: ['user: one', 'user: four'], absent: { torn: 2 } });
  expect(kinds(session)).toEqual(['glued', 'bad-record', 'bad-record']);
});

test.each([
  ['a head that is gone', [user('one')], ['missing-head']],
  [
    'an ordinal that comes twice',
    [
      { ...meta(), ordinal: 0 },
      { ...user('one'), ordinal: 0 },
    ],
    ['out-of-order'],
  ],
  ['a kind of record that is not known', [meta(), record('news', {}), user('one')], ['unknown-record']],
])('%s is reported', async (_, records, expected) => {
  expect(kinds(await open(...records))).toEqual(expected);
});

describe('a fork that continues another file', () => {
  const parent = [meta({ id: 's0' }), user('one'), answer('two'), user('three')];
  const end = Buffer.byteLength(lines(...parent.slice(0, 3)));
  const child = [
    meta({ forked_from_id: 's0', history_base: { thread_id: 's0', end_ordinal_exclusive: 3, end_byte_offset: end } }),
    user('four'),
  ];

  test.each(['sessions/2026/11/01', 'archived_sessions'])(
    'is read with the part that it continues, from %s',
    async (folder) => {
      const home = temporaryFolder({
        [`${folder}/${name('s0')}`]: lines(...parent),
        [`sessions/2026/11/02/${name('s1_r1')}`]: lines(...child),
      });
      const session = await openSession(join(home, 'sessions/2026/11/02', name('s1_r1')));
      expect((await outline(session)).told).toEqual(['user: one', 'assistant: two', 'user: four']);
      expect(session).toMatchObject({ id: 's1', parent: 's0', faults: [] });
      expect(session.related.map(({ kind, isThere }) => [kind, isThere])).toEqual([['base', true]]);
    },
  );

  test('says so when that file is gone', async () => {
    const session = await open(...child);
    expect((await outline(session)).told).toEqual(['user: four']);
    expect(kinds(session)).toEqual(['missing-file']);
  });

  test('ends when files continue one another in a ring', async () => {
    const ring = meta({ history_base: { thread_id: 's1', end_ordinal_exclusive: 1, end_byte_offset: 9 } });
    expect(kinds(await open(ring, user('one')))).toEqual(['missing-file']);
  });
});

describe('what earlier versions wrote', () => {
  test('bare lines', async () => {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'one' }] };
    const session = await open({ id: 's1', timestamp: 'now', git: {} }, { record_type: 'state' }, item);
    expect(session).toMatchObject({ tool: 'codex', id: 's1', title: 'one', faults: [] });
    expect((await outline(session)).told).toEqual(['user: one']);
  });

  test('one document', async () => {
    const items = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'one' }] }];
    const folder = temporaryFolder({
      'rollout-1.json': JSON.stringify({ session: { id: 's1', cwd: '/project' }, items }),
    });
    const session = await openSession(join(folder, 'rollout-1.json'));
    expect(session).toMatchObject({ tool: 'codex', id: 's1', cwd: '/project', title: 'one', faults: [] });
    expect((await outline(session)).told).toEqual(['user: one']);
    expect((await session.active()).places).toEqual([
      [{ kind: 'value', file: join(folder, 'rollout-1.json'), pointer: '/items/0' }],
    ]);
  });

  test('a cold file is compressed with zstd', async () => {
    const content = zstdCompressSync(Buffer.from(lines(meta(), user('one'), answer('two'))));
    const home = temporaryFolder({ [`.codex/archived_sessions/${name('s1')}.zst`]: content });
    const [found] = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
    expect(found).toMatchObject({ tool: 'codex', id: 's1', title: 'one' });
    const session = await openSession(found?.path ?? '');
    expect((await outline(session)).told).toEqual(['user: one', 'assistant: two']);
  });
});

describe('the databases beside the rollouts', () => {
  const id = '01990000-0000-7000-8000-000000000001';

  const compare = async (make: (database: DatabaseSync, path: string) => void, file = 'state_5.sqlite') => {
    const home = temporaryFolder({ 'sessions/x': '' });
    const path = join(home, 'sessions', basename(fixture));
    cpSync(fixture, path);
    const database = new DatabaseSync(join(home, file));
    make(database, path);
    database.close();
    const { faults, title, related } = await openSession(path);
    expect(related.map(({ kind }) => kind)).toEqual(['index']);
    return { title, faults: faults.map(({ kind, note }) => `${kind}: ${note.replaceAll(home, '~')}`) };
  };

  const threads = (database: DatabaseSync, ...row: readonly (string | null)[]): void => {
    database.exec('CREATE TABLE threads (id TEXT, rollout_path TEXT, history_mode TEXT, name TEXT)');
    if (row.length > 0) database.prepare('INSERT INTO threads VALUES (?, ?, ?, ?)').run(...row);
  };

  test('a session that the index knows has its name there', async () => {
    const found = await compare((database, path) => threads(database, id, path, 'paginated', 'Greeting'));
    expect(found).toEqual({ title: 'Greeting', faults: [] });
  });

  test('names were kept in a log before', async () => {
    const home = temporaryFolder({
      'sessions/x': '',
      'session_index.jsonl': lines({ id, thread_name: 'First' }, { id: 'other' }, { id, thread_name: 'Second' }),
    });
    cpSync(fixture, join(home, 'sessions', basename(fixture)));
    expect(await openSession(join(home, 'sessions', basename(fixture)))).toMatchObject({ title: 'Second', faults: [] });
  });

  test('a session that the index does not know is hidden', async () => {
    expect((await compare((database) => threads(database))).faults).toEqual([
      'stale-index: No row of ~/state_5.sqlite names this session, so Codex does not list it.',
    ]);
  });

  test('a session of another mode, and at another place, than the index says', async () => {
    const found = await compare((database) => threads(database, id, '/elsewhere.jsonl', 'legacy', null));
    expect(found.faults).toEqual([
      'stale-index: ~/state_5.sqlite has this session in /elsewhere.jsonl. Codex opens that file.',
      'stale-index: ~/state_5.sqlite says that the history of this session is legacy, but the file is paginated.',
    ]);
  });

  test('a view that stopped growing hides the rest', async () => {
    const make = (database: DatabaseSync): void => {
      database.exec('CREATE TABLE thread_history_projection_state (thread_id TEXT, next_rollout_byte_offset INTEGER)');
      database.prepare('INSERT INTO thread_history_projection_state VALUES (?, ?)').run(id, 100);
    };
    expect((await compare(make, 'thread_history_1.sqlite')).faults[0]).toMatch(
      /up to byte 100 of \d+: the rest is hidden/,
    );
  });
});
