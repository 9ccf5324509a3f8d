import { chmod, copyFile, mkdtemp, open, rm } from 'node:fs/promises';
import { constants, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import type { FaultLog } from '../fault.ts';
import { fileStat } from '../files/file-stat.ts';
import { reasonOf } from '../files/open-file.ts';
import type { JsonObject } from '../json.ts';
import { wholeFile } from '../place.ts';
import type { Database } from './database.ts';

/**
 * Opens a database of a tool without changing a byte beside it, also while the tool runs, and with what only its
 * write-ahead log holds. SQLite itself would leave an index (`-shm`) behind where there is none: such a database is
 * read from a copy, unless it has no log either, and can be read as it is.
 */
export async function openDatabase(path: string, faults: FaultLog): Promise<Database | undefined> {
  let copy: string | undefined;
  try {
    const state = await stateOf(path);
    const still = state === 'still' ? await openStill(path) : undefined;
    if (still !== undefined) return describe(path, still, { faults });
    copy = state === 'live' ? undefined : await copyOf(path);
    const connection = await connect(copy === undefined ? path : join(copy, basename(path)), copy === undefined);
    return describe(path, connection, { faults, copy });
  } catch (error) {
    if (copy !== undefined) await rm(copy, { recursive: true, force: true });
    faults.add('unreadable', wholeFile(path), `This database cannot be opened: ${reasonOf(error)}.`);
    return undefined;
  }
}

const size = async (path: string): Promise<number | undefined> => (await fileStat(path))?.bytes;

/**
 * `live`: whoever has the database open keeps its index up to date, or it needs none. `still`: nobody has it open, and
 * nothing is left to be done. `crashed`: a log tells what is left to be done.
 */
async function stateOf(path: string): Promise<'live' | 'still' | 'crashed'> {
  if ((await size(`${path}-journal`)) !== undefined) return 'crashed';
  if (!(await usesWriteAheadLog(path))) return 'live';
  const log = await size(`${path}-wal`);
  if (log !== undefined && (await size(`${path}-shm`)) !== undefined) return 'live';
  return log === undefined || log === 0 ? 'still' : 'crashed';
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

// Node warns about its SQLite when it is loaded, which those who have no databases need not see.
const load = async (): Promise<typeof import('node:sqlite')> => import('node:sqlite');

// A copy is ours: only a connection that may write can roll back what a crash has left half done.
async function connect(file: string, readOnly: boolean): Promise<DatabaseSync> {
  const sqlite = await load();
  return new sqlite.DatabaseSync(file, { readOnly });
}

/** Reads a file that nobody writes to, without an index. Node understands such an address since 22.15. */
async function openStill(path: string): Promise<DatabaseSync | undefined> {
  const sqlite = await load();
  const address = pathToFileURL(path);
  address.search = '?immutable=1';
  try {
    return new sqlite.DatabaseSync(address, { readOnly: true });
  } catch {
    return undefined;
  }
}

type Opened = { readonly faults: FaultLog; readonly copy?: string | undefined };

function describe(path: string, connection: DatabaseSync, { faults, copy }: Opened): Database {
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
