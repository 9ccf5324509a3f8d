import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openSession, sessions, type Fault } from '../src/index.ts';
import { collect } from './collect.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

const session = lines({
  type: 'user',
  uuid: 'u1',
  parentUuid: null,
  sessionId: 's1',
  message: { role: 'user', content: 'Hello.' },
});

describe('what is no regular file is refused with a fault', () => {
  test.each([
    ['a link', 'link', (folder: string) => symlinkSync(join(folder, 'real.jsonl'), join(folder, 'x'))],
    ['a ring of links', 'link', (folder: string) => symlinkSync('x', join(folder, 'x'))],
    ['a pipe that nobody writes to', 'not-a-file', (folder: string) => execFileSync('mkfifo', [join(folder, 'x')])],
    ['a folder', 'not-a-file', (folder: string) => mkdirSync(join(folder, 'x'))],
    ['nothing at all', 'unreadable', () => undefined],
  ] as const)('%s', async (_, kind, make) => {
    const folder = temporaryFolder({ 'real.jsonl': session });
    make(folder);
    const opened = await openSession(join(folder, 'x'));
    expect(opened.tool).toBeUndefined();
    expect(opened.faults.map((fault) => fault.kind)).toEqual([kind]);
    expect((await opened.active()).messages).toEqual([]);
    expect(await collect(opened.entries())).toEqual([]);
  });

  test('a device', async () => {
    expect((await openSession('/dev/zero')).faults.map(({ kind }) => kind)).toEqual(['not-a-file']);
  });

  test('a path with a NUL byte', async () => {
    expect((await openSession('a\0b')).faults.map(({ kind }) => kind)).toEqual(['unreadable']);
  });
});

test.each([
  ['empty', ''],
  ['of another format', '{"hello":"world"}\n'],
  ['binary', Buffer.from([0, 1, 2, 255, 254, 10, 13, 0])],
  ['a database in name only', Buffer.from('SQLite format 3\0 and then nothing')],
  ['compressed in name only', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3])],
])('a file that is %s opens as a session without a tool', async (_, content) => {
  const opened = await openSession(join(temporaryFolder({ file: content }), 'file'));
  expect(opened.tool).toBeUndefined();
  expect(opened.faults.map(({ kind }) => kind)).toContain('unknown-format');
});

test('links among the folders of a tool are not followed', async () => {
  const home = temporaryFolder({ '.claude/projects/-p/s1.jsonl': session });
  symlinkSync(join(home, '.claude/projects'), join(home, '.claude/projects/ring'));
  symlinkSync(join(home, '.claude/projects/-p/s1.jsonl'), join(home, '.claude/projects/-p/s2.jsonl'));
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(found.map(({ id, tool }) => [tool, id])).toEqual([['claude-code', 's1']]);
});

test('a file among sessions that is none is named', async () => {
  const home = temporaryFolder({ '.claude/projects/-p/s1.jsonl': session, '.claude/projects/-p/empty.jsonl': '' });
  const faults: Fault[] = [];
  const system = { platform: 'linux', home, env: {} } as const;
  expect(await collect(sessions({ system, onFault: (fault) => void faults.push(fault) }))).toHaveLength(1);
  expect(faults.map(({ kind, place }) => [kind, place])).toEqual([
    ['unknown-format', { kind: 'value', file: join(home, '.claude/projects/-p/empty.jsonl'), pointer: '' }],
  ]);
});
