import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import type { SessionRef } from '@rethread/formats';

import { version } from '../version.ts';
import { cacheFolder } from './cache-folder.ts';

type Key = Pick<SessionRef, 'path' | 'id' | 'bytes' | 'modified'>;

/** Remembers what was found out about sessions, for as long as their files stay as they are. */
export interface SessionCache<T> {
  readonly get: (session: Key) => T | undefined;
  readonly set: (session: Key, remembered: T) => void;
  readonly close: () => void;
}

/** Without a place for it, nothing is remembered. */
const none: SessionCache<unknown> & { readonly get: () => undefined } = {
  get: () => undefined,
  set: () => undefined,
  close: () => undefined,
};

type Table = 'judged' | 'usage' | 'heads';

async function openFile(table: Table): Promise<DatabaseSync> {
  const { DatabaseSync: Database } = await import('node:sqlite');
  const folder = cacheFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'sessions-1.sqlite');
  const database = new Database(path);
  chmodSync(path, 0o600);
  database.exec('PRAGMA busy_timeout = 1000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  const columns = 'path TEXT, id TEXT, stamp TEXT, row TEXT';
  database.exec(`CREATE TABLE IF NOT EXISTS ${table} (${columns}, PRIMARY KEY (path, id)) WITHOUT ROWID`);
  return database;
}

/** Opens a cache; what another version has found out, or what was found out for another model, does not count. */
export async function openCache<T>(table: Table, model: string): Promise<SessionCache<T>> {
  let database: DatabaseSync;
  try {
    database = await openFile(table);
  } catch {
    return none;
  }
  const stamp = ({ bytes, modified }: Key): string => `${version} ${model} ${bytes} ${modified}`;
  const find = database.prepare(`SELECT row FROM ${table} WHERE path = ? AND id = ? AND stamp = ?`);
  const put = database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?, ?)`);
  return {
    get(session) {
      const row = find.get(session.path, session.id, stamp(session))?.['row'];
      return typeof row === 'string' ? (JSON.parse(row) as T) : undefined;
    },
    set(session, remembered) {
      put.run(session.path, session.id, stamp(session), JSON.stringify(remembered));
    },
    close: () => database.close(),
  };
}
