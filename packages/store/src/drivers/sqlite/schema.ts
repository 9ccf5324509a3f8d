import type { DatabaseSync } from 'node:sqlite';

import type { Durability } from '../../driver.ts';
import type { Environment } from '../../environment.ts';
import { fullSyncSettings } from '../../platform.ts';
import { StoreError } from '../../store-error.ts';

/** 'rthr' in the file header marks a database of sessions. */
const applicationId = 0x72746872;

/** Migrations in order. Published ones never change. */
const migrations: readonly string[] = [
  `create table sessions (
     n integer primary key,
     id text not null unique,
     created_at text not null,
     updated_at text not null,
     title text,
     parent text,
     fork_from text,
     fork_at integer,
     base integer not null,
     seq integer not null,
     chain integer not null,
     records integer not null default 0,
     bytes integer not null default 0,
     archived integer not null default 0,
     epoch integer not null,
     holder text,
     owner text,
     expires integer not null default 0
   ) strict;
   create index sessions_by_parent on sessions (parent, id) where parent is not null;
   create index sessions_by_origin on sessions (fork_from, id) where fork_from is not null;
   create table records (
     n integer primary key,
     session integer not null references sessions (n),
     seq integer not null,
     link integer not null,
     crc integer not null,
     body blob not null,
     unique (session, seq)
   ) strict;
   create table ops (
     session integer not null references sessions (n),
     op text not null,
     head integer not null,
     primary key (session, op)
   ) strict, without rowid;
   create table erased (epoch integer not null) strict;
   insert into erased values (0);
   create virtual table words using fts5 (
     text, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
   );`,
  `alter table sessions add column importing integer not null default 0;
   alter table erased add column pending integer not null default 0;`,
];

const numberOf = (database: DatabaseSync, question: string): number =>
  Number(Object.values(database.prepare(question).get() ?? {})[0]);

/** Refuses a foreign database before anything is changed. */
function refuseForeign(database: DatabaseSync, path: string): void {
  const id = numberOf(database, 'pragma application_id');
  const tables = numberOf(database, 'select count(*) from sqlite_schema');
  if (id !== applicationId && (id !== 0 || tables > 0))
    throw new StoreError('not-ours', `${JSON.stringify(path)} is a database of another program`, { path });
  const version = numberOf(database, 'pragma user_version');
  if (version <= migrations.length) return;
  const versions = `version ${version}; this release supports ${migrations.length}`;
  throw new StoreError(
    'unsupported',
    `${JSON.stringify(path)} was written by a newer release (${versions}); update rethread`,
    { path },
  );
}

/** Migrates the schema in one transaction, which other processes wait for. */
function migrate(database: DatabaseSync, path: string): void {
  const current = (): boolean => numberOf(database, 'pragma user_version') === migrations.length;
  if (current()) return;
  database.exec('begin immediate');
  try {
    refuseForeign(database, path);
    for (const step of migrations.slice(numberOf(database, 'pragma user_version'))) database.exec(step);
    database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${migrations.length}; commit`);
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/** The words of a session are kept in a full-text index, which the SQLite of the first Nodes does not have. */
function refuseWithoutIndex(database: DatabaseSync): void {
  if (database.prepare(`select 1 from pragma_module_list where name = 'fts5'`).get() !== undefined) return;
  throw new StoreError('unsupported', 'sqlite: needs Node 22.16 or newer, whose SQLite has full-text search (FTS5)');
}

/** Below this version two processes that reset the write-ahead log at once could damage the database. */
const soundVersion = [3, 51, 3];

function noticeVersion(database: DatabaseSync, environment: Environment): void {
  const { version } = database.prepare('select sqlite_version() as version').get() ?? {};
  const parts = String(version).split('.').map(Number);
  const first = soundVersion.findIndex((part, index) => part !== parts[index]);
  if (first === -1 || (parts[first] ?? 0) > (soundVersion[first] ?? 0)) return;
  const fault = 'which may damage a file that several processes write; update Node to get SQLite 3.51.3';
  const sentence = `this Node includes SQLite ${String(version)}, ${fault}`;
  environment.tell({ kind: 'old-sqlite', sentence });
}

/** The settings of every connection. */
const settings = (durability: Durability): string => `
  pragma synchronous = ${durability === 'strict' ? 'full' : 'normal'};
  ${fullSyncSettings}
  pragma secure_delete = on;
  pragma trusted_schema = off;
  pragma cell_size_check = on;
  pragma temp_store = memory;
  pragma foreign_keys = on;
  pragma journal_size_limit = 16777216;`;

type Place = { readonly path: string; readonly environment: Environment; readonly durability: Durability };

/** Prepares a new connection; throws SQLite's error while another process is in the way. */
export function setUpDatabase(database: DatabaseSync, { path, environment, durability }: Place): void {
  refuseWithoutIndex(database);
  refuseForeign(database, path);
  noticeVersion(database, environment);
  const [mode] = Object.values(database.prepare('pragma journal_mode = wal').get() ?? {});
  if (mode !== 'wal')
    throw new StoreError(
      'unsafe',
      `${JSON.stringify(path)}: this file system does not support a write-ahead log (${String(mode)})`,
      { path },
    );
  database.exec(settings(durability));
  migrate(database, path);
}
