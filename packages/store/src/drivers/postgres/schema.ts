import { StoreError } from '../../store-error.ts';
import type { Connection } from './client.ts';
import { keyOf, type Place } from './place.ts';
import type { Pool } from './pool.ts';

/** Migrations in order. Published ones never change. */
const migrations: readonly ((schema: string) => string)[] = [
  (schema) => `
    create table ${schema}.sessions (
      key uuid primary key,
      id text not null,
      created_at text not null,
      updated_at text not null,
      title text,
      parent text,
      parent_key uuid,
      fork_from text,
      fork_key uuid,
      fork_at bigint,
      base bigint not null,
      seq bigint not null,
      chain integer not null,
      records bigint not null default 0,
      bytes bigint not null default 0,
      indexed bigint not null default 0,
      archived boolean not null default false,
      epoch bigint not null,
      holder uuid,
      owner text,
      expires bigint not null default 0,
      made uuid not null
    ) with (fillfactor = 50);
    create index on ${schema}.sessions (parent_key) where parent_key is not null;
    create index on ${schema}.sessions (fork_key) where fork_key is not null;
    create table ${schema}.records (
      session uuid not null,
      seq bigint not null,
      link integer not null,
      crc integer not null,
      body bytea not null,
      primary key (session, seq)
    );
    create table ${schema}.words (
      session uuid not null,
      seq bigint not null,
      words text not null,
      primary key (session, seq)
    );
    create table ${schema}.ops (
      session uuid not null,
      op uuid not null,
      head bigint not null,
      primary key (session, op)
    );
    create table ${schema}.erased (epoch bigint not null);
    insert into ${schema}.erased values (0);`,
  (schema) => `
    alter table ${schema}.sessions
      add column importing boolean not null default false,
      add column ttl bigint not null default 0;`,
];

async function versionOf(connection: Connection, { schema }: Place): Promise<number> {
  // Queries the catalogue, because cached names may be older than the lock.
  const found = await connection.run({
    text: `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relname = 'schema_version'`,
    values: [schema.slice(1, -1)],
  });
  if (found.length === 0) return 0;
  const [row] = await connection.run({ text: `select version from ${schema}.schema_version` });
  return Number(row?.['version'] ?? 0);
}

function refuseNewer(version: number, { url }: Place): void {
  if (version <= migrations.length) return;
  const versions = `version ${version}; this release supports ${migrations.length}`;
  throw new StoreError('unsupported', `${url}: a newer release created the schema (${versions}); update rethread`);
}

async function migrate(connection: Connection, place: Place): Promise<void> {
  const { schema } = place;
  await connection.run({ text: 'begin' });
  // Workers that start together wait here for the first. The lock ends with the transaction.
  const lock = Number.parseInt(keyOf(`migrate ${schema}`).slice(0, 12), 16);
  await connection.run({ text: 'select pg_advisory_xact_lock($1::bigint)', values: [lock] });
  const version = await versionOf(connection, place);
  refuseNewer(version, place);
  if (version === 0) {
    await connection.run({ text: `create schema if not exists ${schema}` });
    await connection.run({ text: `create table ${schema}.schema_version (version integer not null)` });
    await connection.run({ text: `insert into ${schema}.schema_version values (0)` });
  }
  for (const step of migrations.slice(version)) await connection.run({ text: step(schema) });
  await connection.run({ text: `update ${schema}.schema_version set version = $1`, values: [migrations.length] });
  await connection.run({ text: 'commit' });
}

const openPatienceMs = 5_000;

/** Migrates the schema. A user without permission can still use an up-to-date one. */
export async function setUpSchema(pool: Pool, place: Place): Promise<void> {
  await pool.persist(async (connection) => {
    const version = await versionOf(connection, place);
    refuseNewer(version, place);
    if (version === migrations.length) return;
    try {
      await migrate(connection, place);
    } catch (error) {
      await connection.run({ text: 'rollback' }).catch(() => undefined);
      throw error;
    }
  }, openPatienceMs);
}
