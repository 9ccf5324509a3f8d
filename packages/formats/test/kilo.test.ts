import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { openText, textsIn } from './open-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

const fixture = fileURLToPath(new URL('../src/kilo/fixtures/export.json', import.meta.url));

function make(version: string, name: string): string {
  const path = join(temporaryFolder({ 'data/kilo/x': '' }), 'data/kilo', name);
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE session (id, title, directory, version, parent_id, revert, time_created, time_updated);
    CREATE TABLE message (id, session_id, time_created, data);
    CREATE TABLE part (id, message_id, session_id, data);
    INSERT INTO session VALUES ('ses_1', 'Title', '/project', '${version}', NULL, NULL, 1, 10);
    INSERT INTO message VALUES ('m1', 'ses_1', 1, '{"role":"user"}');
    INSERT INTO part VALUES ('p1', 'm1', 'ses_1', '{"type":"text","text":"one"}')`);
  database.close();
  return path;
}

test('an export is told from one of opencode by its version', async () => {
  expect(await openSession(fixture)).toMatchObject({ tool: 'kilo', version: '7.7.7' });
});

test.each([
  ['7.7.7', 'copy.db', 'kilo'],
  ['1.18.33', 'kilo.db', 'kilo'],
  ['1.18.33', 'copy.db', 'opencode'],
])('a database of version %s named %s is one of %s', async (version, name, tool) => {
  const session = await openSession(make(version, name));
  expect(session.tool).toBe(tool);
  expect(await textsIn(session)).toEqual(['one']);
});

test('a database is found, also where a variable names it', async () => {
  const path = make('7.7.7', 'kilo.db');
  const env = { XDG_DATA_HOME: join(path, '../..') };
  const find = async (variables: Record<string, string>) =>
    collect(sessions({ system: { platform: 'linux', home: '/nowhere', env: variables }, tools: ['kilo'] }));
  expect(await find(env)).toMatchObject([{ tool: 'kilo', id: 'ses_1', title: 'Title' }]);
  expect(await find({ KILO_DB: path })).toHaveLength(1);
});

test('older tasks are those of the extension', async () => {
  const history = [
    { role: 'user', content: [{ type: 'text', text: '<task>\nDo it.\n</task>' }], ts: 1 },
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], ts: 2 },
  ];
  const session = await openText(JSON.stringify(history), 'kilocode.kilo-code/tasks/17/api_conversation_history.json');
  expect(session).toMatchObject({ tool: 'kilo', id: '17', title: 'Do it.' });
  expect(await textsIn(session)).toHaveLength(2);
});
