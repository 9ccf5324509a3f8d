import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import type { SessionRef } from '@rethread/formats';

import { knownSessions } from '../sessions/known-sessions.ts';
import { placeText } from '../doctor/session-words.ts';
import { cacheFolder } from '../sessions/cache-folder.ts';
import { openNamed } from '../sessions/judged-session.ts';
import { namedBy } from '../sessions/session-argument.ts';
import type { Output } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';
import { Unreadable, reasonOf } from '../unreadable.ts';
import { speakerOf, textOf } from './entry-text.ts';

/** A record that has the words. */
export interface Hit {
  readonly path: string;
  readonly session: string;
  readonly tool: string;
  readonly title: string | undefined;
  readonly place: string;
  readonly speaker: string;
  readonly snippet: string;
}

export interface SearchOptions {
  readonly words: string;
  readonly limit: number;
  readonly tools?: readonly string[];
  readonly isWanted: (session: SessionRef) => boolean;
  readonly output: Output;
}

/** Another layout of the index has another file; the old one is in nobody's way. */
const fileName = 'search-1.sqlite';

const layout = `
  CREATE TABLE IF NOT EXISTS files (key INTEGER PRIMARY KEY, path TEXT, id TEXT, stamp TEXT, UNIQUE (path, id));
  CREATE VIRTUAL TABLE IF NOT EXISTS records USING fts5(text, file UNINDEXED, place UNINDEXED, speaker UNINDEXED);`;

async function openIndex(): Promise<DatabaseSync> {
  const { DatabaseSync: Database } = await import('node:sqlite');
  const folder = cacheFolder();
  const path = join(folder, fileName);
  const open = (): DatabaseSync => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const database = new Database(path);
    // It holds what people said.
    chmodSync(path, 0o600);
    database.exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    database.exec(layout);
    return database;
  };
  try {
    return open();
  } catch {
    // A damaged index is made again: all of it comes from the sessions.
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    try {
      return open();
    } catch (error) {
      throw new Unreadable(`the search index cannot be made in ${folder}: ${reasonOf(error)}`, { cause: error });
    }
  }
}

const stampOf = ({ bytes, modified }: SessionRef): string => `${bytes} ${modified}`;

/** Reads a session into the index. */
async function addSession(database: DatabaseSync, ref: SessionRef): Promise<void> {
  const session = await openNamed(namedBy(ref));
  database.exec('BEGIN IMMEDIATE');
  try {
    const { path, id } = ref;
    const old = database.prepare('SELECT key FROM files WHERE path = ? AND id = ?').get(path, id)?.['key'];
    if (old !== undefined) {
      database.prepare('DELETE FROM records WHERE file = ?').run(old);
      database.prepare('DELETE FROM files WHERE key = ?').run(old);
    }
    const added = database.prepare('INSERT INTO files (path, id, stamp) VALUES (?, ?, ?)').run(path, id, stampOf(ref));
    const insert = database.prepare('INSERT INTO records (text, file, place, speaker) VALUES (?, ?, ?, ?)');
    for await (const entry of session?.entries() ?? []) {
      const text = textOf(entry);
      if (text !== '') insert.run(text, added.lastInsertRowid, placeText(entry.place), speakerOf(entry));
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** What was indexed of files that are gone is forgotten. */
function forgetOthers(database: DatabaseSync, refs: readonly SessionRef[]): void {
  const there = new Set(refs.map(({ path, id }) => `${path}\n${id}`));
  for (const { key, path, id } of database.prepare('SELECT key, path, id FROM files').all()) {
    if (there.has(`${String(path)}\n${String(id)}`)) continue;
    database.prepare('DELETE FROM records WHERE file = ?').run(key as number);
    database.prepare('DELETE FROM files WHERE key = ?').run(key as number);
  }
}

/** Reads what has changed since the last time. */
async function update(database: DatabaseSync, refs: readonly SessionRef[], output: Output): Promise<void> {
  const known = new Map(
    database
      .prepare('SELECT path, id, stamp FROM files')
      .all()
      .map(({ path, id, stamp }) => [`${String(path)}\n${String(id)}`, String(stamp)]),
  );
  const stale = refs.filter((ref) => known.get(`${ref.path}\n${ref.id}`) !== stampOf(ref));
  const progress = createProgress(output, { what: 'indexing', unit: 'sessions', total: stale.length });
  for (const [index, ref] of stale.entries()) {
    await addSession(database, ref);
    progress.at(index + 1);
  }
  progress.end();
}

/** Words of a person as a query: all of them must be there, and each may be the beginning of one. */
const queryOf = (words: string): string =>
  words
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word.replaceAll('"', '""')}"*`)
    .join(' ');

/** Finds the records of every tool that have some words, the best first. The index is brought up to date first. */
export async function searchSessions(options: SearchOptions): Promise<readonly Hit[]> {
  const query = queryOf(options.words);
  if (query === '') throw new Unreadable('there is no word to look for');
  const refs: SessionRef[] = [];
  for await (const ref of knownSessions()) refs.push(ref);
  const database = await openIndex();
  try {
    forgetOthers(database, refs);
    await update(database, refs, options.output);
    const byKey = new Map(refs.map((ref) => [`${ref.path}\n${ref.id}`, ref]));
    const rows = database
      .prepare(
        `SELECT path, id, place, speaker, snippet(records, 0, '', '', '…', 24) AS snippet
         FROM records JOIN files ON files.key = records.file WHERE records MATCH ? ORDER BY rank`,
      )
      .iterate(query);
    const hits: Hit[] = [];
    for (const { path, id, place, speaker, snippet } of rows) {
      const ref = byKey.get(`${String(path)}\n${String(id)}`);
      if (ref === undefined || !options.isWanted(ref)) continue;
      const told = { place: String(place), speaker: String(speaker), snippet: String(snippet) };
      hits.push({ path: ref.path, session: namedBy(ref).name, tool: ref.tool, title: ref.title, ...told });
      if (hits.length >= options.limit) break;
    }
    return hits;
  } finally {
    database.close();
  }
}
