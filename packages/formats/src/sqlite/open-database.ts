import { chmod, copyFile, lstat, mkdtemp, open, rm } from 'node:fs/promises';
import { constants, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { FaultLog } from '../fault.ts';
import { reasonOf } from '../files/open-file.ts';
import type { JsonObject } from '../json.ts';
import { wholeFile } from '../place.ts';
import type { Database } from './database.ts';

/**
 * Opens a database of a tool without changing a byte beside it, also while the tool runs, and with what only its
 * write-ahead log holds. SQLite itself would leave an index (`-shm`) behind where there is none: such a database is
 * read from a copy.
 */
export async function openDatabase(path: string, faults: FaultLog): Promise<Database | undefined> {
  let copy: string | undefined;
  try {
    copy = (await needsCopy(path)) ? await copyOf(path) : undefined;
    return await connect(path, copy, faults);
  } catch (error) {
    if (copy !== undefined) await rm(copy, { recursive: true, force: true });
    faults.add('unreadable', wholeFile(path), `This database cannot be opened: ${reasonOf(error)}.`);
    return undefined;
  }
}

const size = async (path: string): Promise<number | undefined> => {
  const stat = await lstat(path).catch(() => undefined);
  return stat?.isFile() === true ? stat.size : undefined;
};

/** An index is there as long as anyone has the database open, and that one keeps it up to date. */
async function needsCopy(path: string): Promise<boolean> {
  if ((await size(`${path}-journal`)) !== undefined) return true;
  if (!(await usesWriteAheadLog(path))) return false;
  return (await size(`${path}-shm`)) === undefined || (await size(`${path}-wal`)) === undefined;
}

async function usesWriteAheadLog(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const version = Buffer.alloc(2);
    await handle.read(version, 0, 2, 18);
    return version.includes(2);
  } finally {
    await handle.close();
  }
}

/** Copies a database with its logs into a folder of its own, sharing blocks where the file system can. */
async function copyOf(path: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rethread-'));
  for (const part of ['', '-wal', '-journal']) {
    if ((await size(path + part)) === undefined) continue;
    await copyFile(path + part, join(folder, basename(path) + part), constants.COPYFILE_FICLONE);
    await chmod(join(folder, basename(path) + part), 0o600);
  }
  return folder;
}

async function connect(path: string, copy: string | undefined, faults: FaultLog): Promise<Database> {
  const { DatabaseSync } = await import('node:sqlite');
  const file = copy === undefined ? path : join(copy, basename(path));
  // The copy is ours: only a connection that may write can roll back what a crash has left half done.
  const connection = new DatabaseSync(file, { readOnly: copy === undefined });
  const close = (): void => {
    connection.close();
    if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
  };
  function* rows(sql: string, ...values: readonly (string | number)[]): Generator<JsonObject> {
    try {
      for (const row of connection.prepare(sql).iterate(...values)) yield row;
    } catch (error) {
      faults.add('unreadable', wholeFile(path), `A query of this database fails: ${reasonOf(error)}.`);
    }
  }
  try {
    const names = connection.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
    const tables = new Set(names.map(({ name }) => String(name)));
    const columns = (table: string): ReadonlySet<string> =>
      new Set(Array.from(rows('SELECT name FROM pragma_table_info(?)', table), ({ name }) => String(name)));
    return { path, tables, columns, rows, close };
  } catch (error) {
    close();
    throw error;
  }
}
