import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { makeDatabase } from './make-database.ts';
import { absentIn, kindsOf, openJson, openText, textsIn } from './open-text.ts';
import { lines } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixture = fileURLToPath(new URL('../src/goose/fixtures/session.jsonl', import.meta.url));

const head = { working_dir: '/project', description: 'My work', message_count: 2 };
const say = (role: string, content: readonly Fields[], metadata: Fields = {}): Fields => ({
  role,
  created: 1793527200,
  content,
  metadata: { userVisible: true, agentVisible: true, ...metadata },
});
const text = (value: string): Fields[] => [{ type: 'text', text: value }];

const tables = (version: number, provider: string): string => `
  CREATE TABLE schema_version (version INTEGER);
  CREATE TABLE sessions (id TEXT, name TEXT, description TEXT, working_dir TEXT, updated_at TEXT,
    provider_name TEXT, model_config_json TEXT);
  CREATE TABLE messages (id INTEGER PRIMARY KEY, message_id TEXT, session_id TEXT, role TEXT, content_json TEXT,
    created_timestamp INTEGER, metadata_json TEXT);
  INSERT INTO schema_version VALUES (${version});
  INSERT INTO sessions VALUES ('s1', 'name', 'My work', '/project', '2026-11-01 10:00:00',
    '${provider}', '{"model_name":"m"}');
  INSERT INTO messages VALUES
    (2, 'b', 's1', 'assistant', '[{"type":"text","text":"two"}]', 20, '{"agentVisible":true}'),
    (1, 'a', 's1', 'user', '[{"type":"text","text":"one"}]', 10, NULL);`;

test('a log is read as goose sends it', async () => {
  const session = await openSession(fixture);
  const { messages } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: 'Look at a.txt.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'view', arguments: '{"path":"a.txt"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'hello' },
    { role: 'assistant', content: 'It says hello.' },
  ]);
  expect(check(messages, 'openai-chat').verdict).toBe('clean');
  expect(session).toMatchObject({ tool: 'goose', title: 'Read a file', cwd: '/project', faults: [] });
});

test('a compaction hides what its summary stands for from the agent', async () => {
  const log = [
    say('user', text('one'), { agentVisible: false }),
    say('assistant', text('short'), { userVisible: false }),
    say('user', text('two')),
  ];
  const session = await openText(lines(head, ...log));
  expect(await textsIn(session)).toEqual(['short', 'two']);
  expect(await absentIn(session)).toEqual({ compacted: 1 });
});

test('a call that did not parse is still answered', async () => {
  const call = { type: 'toolRequest', id: 'c1', toolCall: { status: 'error', error: 'bad' } };
  const result = { type: 'toolResponse', id: 'c1', toolResult: { status: 'error', error: 'bad arguments' } };
  const session = await openText(
    lines(head, say('user', text('one')), say('assistant', [call]), say('user', [result])),
  );
  expect(check((await session.active()).messages, 'openai-chat').verdict).toBe('clean');
  expect((await textsIn(session)).at(-1)).toBe('bad arguments');
});

describe('the database', () => {
  test.each([
    ['anthropic', 'anthropic-messages'],
    ['google', 'gemini'],
    ['databricks', 'openai-chat'],
  ])('tells the provider: %s', async (provider, dialect) => {
    const session = await openSession(makeDatabase(tables(15, provider)));
    expect(session).toMatchObject({ tool: 'goose', id: 's1', title: 'My work', version: '15', dialect, faults: [] });
    expect(await textsIn(session)).toEqual(['one', 'two']);
    expect((await session.active()).model).toBe('m');
  });

  test('of a newer schema is read, and said', async () => {
    const session = await openSession(makeDatabase(tables(16, 'openai')));
    expect(kindsOf(session)).toEqual(['newer-version']);
    expect(await textsIn(session)).toHaveLength(2);
  });

  test('is found, on every system', async () => {
    const home = join(makeDatabase(tables(15, 'openai'), '.local/share/goose/sessions/sessions.db'), '../../../../..');
    const found = await collect(sessions({ system: { platform: 'darwin', home, env: {} } }));
    expect(found).toMatchObject([{ tool: 'goose', id: 's1', modified: Date.parse('2026-11-01T10:00:00Z') }]);
  });
});

test('an export is read too', async () => {
  const session = await openJson({
    id: 's1',
    working_dir: '/project',
    description: 'd',
    conversation: [say('user', text('one'))],
  });
  expect(session).toMatchObject({ tool: 'goose', id: 's1', title: 'd' });
  expect(await textsIn(session)).toEqual(['one']);
});

test('a torn log is read as far as it goes', async () => {
  const session = await openText(lines(head, say('user', text('one')), say('assistant', text('two'))).slice(0, -30));
  expect(kindsOf(session)).toEqual(['torn']);
  expect(await textsIn(session)).toEqual(['one']);
});
