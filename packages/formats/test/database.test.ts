import { cpSync, readFileSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, onTestFinished, test } from 'vitest';

import { createFaultLog } from '../src/fault.ts';
import { openDatabase } from '../src/sqlite/open-database.ts';
import { temporaryFolder } from './temporary-folder.ts';

const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !name.endsWith('-shm'))
      .map((name) => [name, readFileSync(join(folder, name), 'base64')]),
  );

const countRows = async (path: string): Promise<number | undefined> => {
  const database = await openDatabase(path, createFaultLog());
  const [row] = database?.rows('SELECT count(*) AS count FROM item WHERE id >= ?', 0) ?? [];
  database?.close();
  return row?.['count'] as number | undefined;
};

/** A database that a tool has open, with rows that only its write-ahead log holds. */
function liveDatabase(mode: 'wal' | 'delete') {
  const folder = temporaryFolder();
  const path = join(folder, 'tool.db');
  const tool = new DatabaseSync(path);
  onTestFinished(() => {
    if (tool.isOpen) tool.close();
  });
  tool.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE item (id INTEGER); INSERT INTO item VALUES (1), (2)`);
  return { folder, path, tool };
}

describe('a database is read without a byte being changed beside it', () => {
  test('while its tool runs, with what only the log holds', async () => {
    const { folder, path, tool } = liveDatabase('wal');
    const before = contents(folder);
    expect(await countRows(path)).toBe(2);
    expect(contents(folder)).toEqual(before);
    tool.exec('INSERT INTO item VALUES (3)');
    expect(await countRows(path)).toBe(3);
  });

  test('after a crash, with the log but without its index', async () => {
    const { folder, path } = liveDatabase('wal');
    const crashed = temporaryFolder();
    for (const name of ['tool.db', 'tool.db-wal']) cpSync(join(folder, name), join(crashed, name));
    const before = contents(crashed);
    expect(await countRows(path.replace(folder, crashed))).toBe(2);
    expect(contents(crashed)).toEqual(before);
    expect(readdirSync(crashed).sort()).toEqual(['tool.db', 'tool.db-wal']);
  });

  test.each(['wal', 'delete'] as const)('after its tool has ended (%s)', async (mode) => {
    const { folder, path, tool } = liveDatabase(mode);
    tool.close();
    const before = contents(folder);
    expect(await countRows(path)).toBe(2);
    expect(contents(folder)).toEqual(before);
    expect(readdirSync(folder)).toEqual(['tool.db']);
  });

  test('where the log was cut off, with what is whole of it', async () => {
    const { folder } = liveDatabase('wal');
    const crashed = temporaryFolder();
    for (const name of ['tool.db', 'tool.db-wal']) cpSync(join(folder, name), join(crashed, name));
    truncateSync(join(crashed, 'tool.db-wal'), 5000);
    const faults = createFaultLog();
    const database = await openDatabase(join(crashed, 'tool.db'), faults);
    expect(Array.from(database?.rows('SELECT * FROM item') ?? []).length).toBeLessThanOrEqual(2);
    database?.close();
  });
});

test('a query that cannot be answered gives no rows and a fault', async () => {
  const { path } = liveDatabase('wal');
  const faults = createFaultLog();
  const database = await openDatabase(path, faults);
  expect(Array.from(database?.rows('SELECT * FROM nothing') ?? [])).toEqual([]);
  expect(faults.list().map(({ kind }) => kind)).toEqual(['unreadable']);
  expect([...(database?.tables ?? [])]).toEqual(['item']);
  expect([...(database?.columns('item') ?? [])]).toEqual(['id']);
  database?.close();
});
