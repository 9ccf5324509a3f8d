import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { absentIn, kindsOf, textsIn } from './open-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const model = { id: 'claude-sonnet-4-5', providerID: 'anthropic' };
const user = (text: string): Fields => ({ type: 'user', text, time: { created: 1 } });
const answer = (...content: readonly Fields[]): Fields => ({ type: 'assistant', model, content, time: { created: 2 } });
const text = (content: string): Fields => ({ type: 'text', id: 't', text: content });
const tool = (id: string, state: Fields): Fields => ({ type: 'tool', id, name: 'read', state });

/** A database of opencode 2, with one session that the migration took over, and one that came too late. */
function make(...messages: readonly Fields[]): string {
  const folder = temporaryFolder({ 'opencode/x': '' });
  const path = join(folder, 'opencode', 'opencode.db');
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE session (id, title, directory, version, parent_id, revert, time_created, time_updated);
    CREATE TABLE session_v2 AS SELECT *, NULL AS model FROM session;
    CREATE TABLE message (id, session_id, time_created, data);
    CREATE TABLE part (id, message_id, session_id, data);
    CREATE TABLE session_message (id, session_id, type, seq, time_created, data);
    INSERT INTO session_v2 VALUES ('ses_2', 'Second', '/project', '2.0.1', NULL, NULL, 1, 20, NULL);
    INSERT INTO session VALUES ('ses_1', 'Late', '/project', '1.18', NULL, NULL, 1, 10);
    INSERT INTO message VALUES ('m1', 'ses_1', 1, '{"role":"user"}');
    INSERT INTO part VALUES ('p1', 'm1', 'ses_1', '{"type":"text","text":"late"}')`);
  const insert = database.prepare('INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?)');
  for (const [seq, { type, ...data }] of messages.entries()) {
    insert.run(`msg_${seq}`, 'ses_2', String(type), seq, seq, JSON.stringify(data));
  }
  database.close();
  return path;
}

test('a session is read as opencode 2 sends it', async () => {
  const done = {
    status: 'completed',
    input: { path: 'a' },
    content: [{ type: 'text', text: 'hello' }],
    structured: {},
  };
  const thinking = { type: 'reasoning', id: 'r', text: 'hm', providerMetadata: { anthropic: { signature: 'seal' } } };
  const session = await openSession(
    make(user('one'), answer(thinking, text('two'), tool('c1', done)), answer(text('three'))),
  );
  const { messages, places, dialect } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'one' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'seal' },
        { type: 'text', text: 'two' },
        { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'hello' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'three' }] },
  ]);
  expect(places[0]).toMatchObject([{ table: 'session_message', row: 'msg_0' }]);
  expect(check(messages, dialect).verdict).toBe('clean');
  expect(session).toMatchObject({ tool: 'opencode', id: 'ses_2', title: 'Second', version: '2.0.1', faults: [] });
});

describe('what is sent', () => {
  test('begins with the newest compaction', async () => {
    const compaction = { type: 'compaction', summary: 'short', recent: 'tail', time: { created: 3 } };
    const session = await openSession(make(user('one'), answer(text('two')), compaction, user('three')));
    const [first] = await textsIn(session);
    expect(first).toContain('<summary>\nshort\n</summary>');
    expect(first).toContain('|three');
    expect(await absentIn(session)).toEqual({ compacted: 2 });
  });

  test('leaves a call open that did not end, and tells errors', async () => {
    const failed = {
      status: 'error',
      input: {},
      content: [],
      structured: {},
      error: { type: 'unknown', message: 'no' },
    };
    const running = { status: 'pending', input: '{"path":"a"}' };
    const session = await openSession(make(user('one'), answer(tool('c1', failed), tool('c2', running))));
    const { messages, copes } = await session.active();
    expect(messages.slice(1)).toMatchObject([
      { content: [{ id: 'c1' }, { id: 'c2', input: { path: 'a' } }] },
      { content: [{ tool_use_id: 'c1', content: 'no', is_error: true }] },
    ]);
    expect(copes).toContain('call-without-result');
  });

  test('has what ran in the shell, and nothing of what changed the agent', async () => {
    const shell = { type: 'shell', command: 'ls', output: 'a', time: { created: 1 } };
    const session = await openSession(make(shell, { type: 'agent-switched', agent: 'plan' }, { type: 'dream' }));
    expect(await textsIn(session)).toEqual(['Shell command: ls\n\na']);
    expect(kindsOf(session)).toEqual(['unknown-record']);
  });
});

test('a session that was written after the migration is intact, and hidden', async () => {
  const session = await openSession({ path: make(user('one')), id: 'ses_1' });
  expect(await textsIn(session)).toEqual(['late']);
  expect(kindsOf(session)).toEqual(['stale-index']);
});

test('the sessions of both versions are found', async () => {
  const home = join(make(user('one')), '../..');
  const found = await collect(sessions({ system: { platform: 'linux', home, env: { XDG_DATA_HOME: home } } }));
  expect(found.map(({ id }) => id)).toEqual(['ses_2', 'ses_1']);
});
