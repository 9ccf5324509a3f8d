import { existsSync, readFileSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { explain } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { describeSystem } from '../src/system.ts';
import { tools } from '../src/tools.ts';
import { collect } from './collect.ts';
import { fixturePath } from './make-database.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

const sources = join(import.meta.dirname, '../src');

describe.each(tools)('the tool $id', ({ id, locate }) => {
  const folder = join(sources, id);
  const fixtures = readdirSync(join(folder, 'fixtures')).map((name) => join(folder, 'fixtures', name));

  test('has a folder with a page about its format, and is named in the page of the package', () => {
    expect(existsSync(join(folder, 'README.md'))).toBe(true);
    expect(readFileSync(join(sources, '../README.md'), 'utf8')).toContain(`/src/${id}/README.md)`);
  });

  test.each(fixtures)('reads its own fixture %s, without a fault, and with rules that there are', async (file) => {
    const session = await openSession(fixturePath(file));
    expect(session).toMatchObject({ tool: id, faults: [] });
    const { messages, places, copes } = await session.active();
    expect(messages.length).toBeGreaterThan(0);
    expect(places).toHaveLength(messages.length);
    expect(copes.filter((rule) => explain(rule) === undefined)).toEqual([]);
    expect((await collect(session.entries())).length).toBeGreaterThan(0);
  });

  test.each([
    ['linux', '/users/a'],
    ['darwin', '/Users/a'],
    ['win32', 'C:\\Users\\a'],
  ] as const)('knows where its sessions are on %s', (platform, home) => {
    const roots = locate(describeSystem({ platform, home, env: {} }));
    expect(roots.length).toBeGreaterThan(0);
    for (const { folder: found, files } of roots) {
      expect(found.startsWith(home)).toBe(true);
      expect(files).not.toMatch(/^\/|\\/);
      if (platform === 'win32') expect(found).not.toContain('/');
    }
  });
});

test('every folder of a tool is in the list of tools', () => {
  const folders = readdirSync(sources).filter((name) => existsSync(join(sources, name, 'tool.ts')));
  expect(tools.map(({ id }) => id).sort()).toEqual(folders.sort());
});

test('sessions come newest first, also where many share a database', async () => {
  const message = { role: 'user', content: 'Hello.' };
  const log = lines({ type: 'user', uuid: 'u1', parentUuid: null, sessionId: 'log', message });
  const home = temporaryFolder({ '.claude/projects/-p/log.jsonl': log, '.local/share/opencode/x': '' });
  const path = join(home, '.local/share/opencode/opencode.db');
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE session (id, title, directory, parent_id, time_updated);
    CREATE TABLE message (id); CREATE TABLE part (message_id);
    INSERT INTO session VALUES ('old', 'a', '/p', NULL, 1000000), ('new', 'b', '/p', NULL, 9000000)`);
  database.close();
  utimesSync(join(home, '.claude/projects/-p/log.jsonl'), 5000, 5000);
  utimesSync(path, 9000, 9000);
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(found.map(({ id, modified }) => [id, modified])).toEqual([
    ['new', 9_000_000],
    ['log', 5_000_000],
    ['old', 1_000_000],
  ]);
});

test('only the tools that are asked for are looked at', async () => {
  const log = lines({ type: 'session', version: 3, id: 'pi', cwd: '/project' });
  const home = temporaryFolder({ '.pi/agent/sessions/p/1.jsonl': log });
  const system = { platform: 'linux', home, env: {} } as const;
  expect(await collect(sessions({ system, tools: ['codex'] }))).toEqual([]);
  expect(await collect(sessions({ system, tools: ['pi'] }))).toHaveLength(1);
});
