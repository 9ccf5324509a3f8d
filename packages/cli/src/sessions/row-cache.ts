import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import type { SessionRef, SessionVerdict } from '@rethread/formats';

import { version } from '../version.ts';
import { cacheFolder } from './cache-folder.ts';

/** What is remembered of a session for as long as its file stays as it is. */
export interface Remembered {
  readonly turns: number;
  /** The worst verdict that does not depend on the time. */
  readonly verdict: SessionVerdict;
  readonly share: number;
}

type Key = Pick<SessionRef, 'path' | 'id' | 'bytes' | 'modified'>;

/** Remembers what sessions were judged to be. Without a place for it, every session is judged anew. */
export interface RowCache {
  readonly get: (session: Key) => Remembered | undefined;
  readonly set: (session: Key, remembered: Remembered) => void;
  readonly close: () => void;
}

const none: RowCache = { get: () => undefined, set: () => undefined, close: () => undefined };

async function openFile(): Promise<DatabaseSync> {
  const { DatabaseSync: Database } = await import('node:sqlite');
  const folder = cacheFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'judged.sqlite');
  const database = new Database(path);
  // Titles are not in it, but paths are.
  chmodSync(path, 0o600);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA busy_timeout = 1000');
  const columns = 'path TEXT, id TEXT, stamp TEXT, row TEXT';
  database.exec(`CREATE TABLE IF NOT EXISTS judged (${columns}, PRIMARY KEY (path, id)) WITHOUT ROWID`);
  return database;
}

/** Opens the cache for judgements that were made for one model; what another version has judged does not count. */
export async function openRowCache(model: string): Promise<RowCache> {
  let database: DatabaseSync;
  try {
    database = await openFile();
  } catch {
    return none;
  }
  const stamp = ({ bytes, modified }: Key): string => `${version} ${model} ${bytes} ${modified}`;
  const find = database.prepare('SELECT row FROM judged WHERE path = ? AND id = ? AND stamp = ?');
  const put = database.prepare('INSERT OR REPLACE INTO judged VALUES (?, ?, ?, ?)');
  return {
    get(session) {
      const row = find.get(session.path, session.id, stamp(session))?.['row'];
      return typeof row === 'string' ? (JSON.parse(row) as Remembered) : undefined;
    },
    set(session, remembered) {
      put.run(session.path, session.id, stamp(session), JSON.stringify(remembered));
    },
    close() {
      database.close();
    },
  };
}
