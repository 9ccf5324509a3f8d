import type { Batch, Lease } from '../../driver.ts';
import { chained } from '../sql/chain.ts';
import { toStoredText } from '../sql/stored-text.ts';
import type { Connection, Statement } from './client.ts';
import { Column } from './columns.ts';
import { keyOf } from './place.ts';

/** Consecutive batches of one session, written together or not at all. */
export type Group = { readonly key: string; readonly chain: number; readonly batches: readonly Batch[] };

/** The keys of a lease, as hexadecimal digits and as bytes. */
export type Fence = {
  readonly key: string;
  readonly holder: string;
  readonly keyBytes: Uint8Array;
  readonly holderBytes: Uint8Array;
};

const bytesOf = (key: string): Uint8Array => Buffer.from(key, 'hex');

const fences = new WeakMap<Lease, Fence>();

export function fenceOf(lease: Lease): Fence {
  let fence = fences.get(lease);
  if (fence === undefined) {
    const [key, holder] = [keyOf(lease.session), keyOf(lease.owner.id)];
    fence = { key, holder, keyBytes: bytesOf(key), holderBytes: bytesOf(holder) };
    fences.set(lease, fence);
  }
  return fence;
}

/** Returns one row in total, because a row per session would cost the client more than its record. */
const writtenText = `select string_agg(key::text, ',') as "written" from moved`;

/**
 * Writes the batches of many sessions in one statement, transaction and round trip. A session's head moves only if
 * lease and head match. Everything else depends on its head having moved.
 */
const manyText = (schema: string): string => `
  with given as (
    select * from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::bigint[], $5::bigint[], $6::integer[],
        $7::bigint[], $8::bigint[], $9::text[], $10::text[], $11::boolean[], $12::boolean[])
      as given (key, epoch, holder, expect, head, chain, records, bytes, updated_at, title, archived, imported)
  ), moved as (
    update ${schema}.sessions as s set
      seq = given.head, chain = given.chain, records = s.records + given.records, bytes = s.bytes + given.bytes,
      updated_at = given.updated_at, title = coalesce(given.title, s.title),
      archived = coalesce(given.archived, s.archived), importing = s.importing and not given.imported
    from given
    where s.key = given.key and s.epoch = given.epoch and s.holder = given.holder and s.seq = given.expect
    returning s.key
  ), recorded as (
    insert into ${schema}.records (session, seq, link, crc, body)
    select session, seq, link, crc, substring($19::bytea from start for length)
    from unnest($13::uuid[], $14::bigint[], $15::integer[], $16::integer[], $17::integer[], $18::integer[])
      as r (session, seq, link, crc, start, length)
    where session in (select key from moved)
  ), remembered as (
    insert into ${schema}.ops (session, op, head)
    select session, op, head from unnest($20::uuid[], $21::uuid[], $22::bigint[]) as o (session, op, head)
    where session in (select key from moved)
  )
  ${writtenText}`;

/**
 * The same for sessions with one record each, with one list and half of the joins. The insert comes last, so that the
 * row count is the result.
 */
const eachText = (schema: string): string => `
  with moved as (
    update ${schema}.sessions as s set
      seq = given.head, chain = given.crc, records = s.records + 1, bytes = s.bytes + given.length,
      updated_at = given.updated_at
    from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::bigint[], $5::bigint[], $6::integer[],
        $7::integer[], $8::integer[], $9::integer[], $10::text[], $11::uuid[])
      as given (key, epoch, holder, expect, head, link, crc, start, length, updated_at, op)
    where s.key = given.key and s.epoch = given.epoch and s.holder = given.holder and s.seq = given.expect
    returning s.key, given.head, given.link, given.crc, given.start, given.length, given.op
  ), remembered as (
    insert into ${schema}.ops (session, op, head) select key, op, head from moved where op is not null
  )
  insert into ${schema}.records (session, seq, link, crc, body)
  select key, head, link, crc, substring($12::bytea from start for length) from moved`;

/** The same for a single record, which costs the server half as much. */
const oneText = (schema: string): string => `
  with moved as (
    update ${schema}.sessions set
      seq = $5::bigint, chain = $6::integer, records = records + 1, bytes = bytes + $7::bigint, updated_at = $8,
      title = coalesce($9, title), archived = coalesce($10, archived), importing = importing and not $14::boolean
    where key = $1 and epoch = $2::bigint and holder = $3 and seq = $4::bigint
    returning key
  ), remembered as (
    insert into ${schema}.ops (session, op, head) select key, $13::uuid, $5::bigint from moved where $13 is not null
  )
  insert into ${schema}.records (session, seq, link, crc, body)
  select key, $5::bigint, $11::integer, $6::integer, $12 from moved`;

const last = <T>(values: readonly T[]): T => {
  const value = values.at(-1);
  if (value === undefined) throw new RangeError('a batch has at least one entry');
  return value;
};

type Info = {
  readonly updatedAt: string;
  readonly title: string | null;
  readonly archived: boolean | null;
  readonly imported: boolean;
};

/** The combined list changes of several batches; the last value wins. */
function infoOf(batches: readonly Batch[]): Info {
  let [title, archived, imported]: [string | null, boolean | null, boolean] = [null, null, false];
  for (const { info } of batches) {
    title = info.title === undefined ? title : toStoredText(info.title);
    archived = info.archived ?? archived;
    imported ||= info.imported === true;
  }
  return { updatedAt: toStoredText(last(batches).info.updatedAt), title, archived, imported };
}

/** The parameters of the statement, in this order. */
type Columns = Readonly<Record<string, Column>>;

const valuesOf = (columns: Columns): Buffer[] => Object.values(columns).map(({ written }) => written);

/** All records in one parameter. Each is cut out by its start, counted from 1. */
type Bodies = { readonly all: Uint8Array[]; size: number };

const fenceColumns = (count: number) => ({
  key: new Column('uuid', count),
  epoch: new Column('bigint', count),
  holder: new Column('uuid', count),
  expect: new Column('bigint', count),
  head: new Column('bigint', count),
});

function putFence(columns: ReturnType<typeof fenceColumns>, { lease, expect }: Batch, head: number): void {
  const { keyBytes, holderBytes } = fenceOf(lease);
  columns.key.uuid(keyBytes);
  columns.epoch.bigint(lease.epoch);
  columns.holder.uuid(holderBytes);
  columns.expect.bigint(expect);
  columns.head.bigint(head);
}

const sessionColumns = (count: number) => ({
  ...fenceColumns(count),
  chain: new Column('integer', count),
  records: new Column('bigint', count),
  bytes: new Column('bigint', count),
  updatedAt: new Column('text', count),
  title: new Column('text', count),
  archived: new Column('boolean', count),
  imported: new Column('boolean', count),
});

const recordColumns = (count: number) => ({
  session: new Column('uuid', count),
  seq: new Column('bigint', count),
  link: new Column('integer', count),
  crc: new Column('integer', count),
  start: new Column('integer', count),
  length: new Column('integer', count),
});

const opColumns = () => ({ session: new Column('uuid', 0), op: new Column('uuid', 0), head: new Column('bigint', 0) });

type Filling = {
  readonly sessions: ReturnType<typeof sessionColumns>;
  readonly records: ReturnType<typeof recordColumns>;
  readonly ops: ReturnType<typeof opColumns>;
  readonly bodies: Bodies;
};

function fillRecords({ records, ops, bodies }: Filling, { chain, batches }: Group): number {
  let link = chain;
  for (const { lease, entries, op } of batches) {
    const { keyBytes } = fenceOf(lease);
    for (const { seq, bytes } of entries) {
      const crc = chained(link, bytes);
      records.session.uuid(keyBytes);
      records.seq.bigint(seq);
      records.link.integer(link);
      records.crc.integer(crc);
      records.start.integer(bodies.size + 1);
      records.length.integer(bytes.length);
      bodies.all.push(bytes);
      bodies.size += bytes.length;
      link = crc;
    }
    if (op === undefined) continue;
    ops.session.uuid(keyBytes);
    ops.op.uuid(bytesOf(keyOf(op)));
    ops.head.bigint(last(entries).seq);
  }
  return link;
}

function fill(filling: Filling, group: Group): End {
  const { sessions, bodies } = filling;
  const { batches } = group;
  const [count, size] = [bodies.all.length, bodies.size];
  const chain = fillRecords(filling, group);
  const seq = last(last(batches).entries).seq;
  const { updatedAt, title, archived, imported } = infoOf(batches);
  putFence(sessions, batches[0] ?? last(batches), seq);
  sessions.chain.integer(chain);
  sessions.records.bigint(bodies.all.length - count);
  sessions.bytes.bigint(bodies.size - size);
  sessions.updatedAt.text(updatedAt);
  if (title === null) sessions.title.null();
  else sessions.title.text(title);
  if (archived === null) sessions.archived.null();
  else sessions.archived.boolean(archived);
  sessions.imported.boolean(imported);
  return { seq, chain };
}

/** The keys that the server reports as written. */
function writtenOf(text: unknown, all: ReadonlyMap<string, End>): ReadonlySet<string> {
  if (typeof text !== 'string') return new Set();
  const keys = text.split(',');
  return new Set(keys.length === all.size ? all.keys() : keys.map((key) => key.replaceAll('-', '')));
}

function asWrite(statement: Statement, ends: ReadonlyMap<string, End>): Write {
  const run = async (connection: Connection): Promise<ReadonlySet<string>> => {
    const [row] = await connection.run(statement);
    return writtenOf(row?.['written'], ends);
  };
  return { run, ends };
}

function manyWrite(text: string, groups: readonly Group[]): Write {
  const bodies: Bodies = { all: [], size: 0 };
  const count = groups.length;
  const filling = { sessions: sessionColumns(count), records: recordColumns(count), ops: opColumns(), bodies };
  const ends = new Map(groups.map((group) => [group.key, fill(filling, group)]));
  const { sessions, records, ops } = filling;
  const content = Buffer.concat(bodies.all, bodies.size);
  const values = [...valuesOf(sessions), ...valuesOf(records), content, ...valuesOf(ops)];
  return asWrite({ name: 'append', text, values }, ends);
}

const eachColumns = (count: number) => ({
  ...fenceColumns(count),
  link: new Column('integer', count),
  crc: new Column('integer', count),
  start: new Column('integer', count),
  length: new Column('integer', count),
  updatedAt: new Column('text', count),
  op: new Column('uuid', count),
});

function eachWrite(text: string, groups: readonly Group[]): Write {
  const bodies: Bodies = { all: [], size: 0 };
  const columns = eachColumns(groups.length);
  const ends = new Map<string, End>();
  for (const { key, chain, batches } of groups) {
    const batch = last(batches);
    const { seq, bytes } = last(batch.entries);
    const crc = chained(chain, bytes);
    putFence(columns, batch, seq);
    columns.link.integer(chain);
    columns.crc.integer(crc);
    columns.start.integer(bodies.size + 1);
    columns.length.integer(bytes.length);
    columns.updatedAt.text(toStoredText(batch.info.updatedAt));
    if (batch.op === undefined) columns.op.null();
    else columns.op.uuid(bytesOf(keyOf(batch.op)));
    bodies.all.push(bytes);
    bodies.size += bytes.length;
    ends.set(key, { seq, chain: crc });
  }
  const values = [...valuesOf(columns), Buffer.concat(bodies.all, bodies.size)];
  return { run: counted({ name: 'append each', text, values }, ends), ends };
}

/** All keys if the row count matches; otherwise none, because the count does not name them. */
function counted(statement: Statement, ends: ReadonlyMap<string, End>): Write['run'] {
  return async (connection) => new Set((await connection.change(statement)) === ends.size ? ends.keys() : []);
}

function oneWrite(text: string, { key, chain }: Group, batch: Batch): Write {
  const { lease, expect, op } = batch;
  const { seq, bytes } = last(batch.entries);
  const { updatedAt, title, archived, imported } = infoOf([batch]);
  const crc = chained(chain, bytes);
  const fence = [key, lease.epoch, fenceOf(lease).holder, expect];
  const record = [chain, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)];
  const head = [seq, crc, bytes.length, updatedAt, title, archived];
  const values = [...fence, ...head, ...record, op === undefined ? null : keyOf(op), imported];
  const ends = new Map([[key, { seq, chain: crc }]]);
  return { run: counted({ name: 'append one', text, values }, ends), ends };
}

/** The newest record of a session and its checksum. */
export type End = { readonly seq: number; readonly chain: number };

/** One statement that writes groups. */
export type Write = {
  /** Returns the keys that were certainly written. May be repeated after an unknown outcome. */
  readonly run: (connection: Connection) => Promise<ReadonlySet<string>>;
  readonly ends: ReadonlyMap<string, End>;
};

/** A group of one record that changes only the time of the list entry. */
function isPlain({ batches }: Group): boolean {
  const [batch, more] = batches;
  if (more !== undefined || batch?.entries.length !== 1) return false;
  const { title, archived, imported } = batch.info;
  return title === undefined && archived === undefined && imported === undefined;
}

export function createWrites(schema: string): (groups: readonly Group[]) => Write {
  const [one, each, many] = [oneText(schema), eachText(schema), manyText(schema)];
  return (groups) => {
    const [group, another] = groups;
    const [batch, more] = group?.batches ?? [];
    const single = another === undefined && more === undefined && batch?.entries.length === 1;
    if (single && group !== undefined) return oneWrite(one, group, batch);
    return groups.every(isPlain) ? eachWrite(each, groups) : manyWrite(many, groups);
  };
}
