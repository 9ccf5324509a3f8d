import type { Batch, Lease } from '../../driver.ts';
import { chained } from '../sql/chain.ts';
import { toStoredText } from '../sql/stored-text.ts';
import type { Connection } from './client.ts';
import { keyOf } from './place.ts';

/** Batches of one session that follow one another, to be written together or not at all. */
export type Group = { readonly key: string; readonly chain: number; readonly batches: readonly Batch[] };

/** What a lease says, as the tables have it. */
export type Fence = { readonly key: string; readonly holder: string };

const fences = new WeakMap<Lease, Fence>();

export function fenceOf(lease: Lease): Fence {
  let fence = fences.get(lease);
  if (fence === undefined) {
    fence = { key: keyOf(lease.session), holder: keyOf(lease.owner.id) };
    fences.set(lease, fence);
  }
  return fence;
}

/**
 * One statement, and so one transaction and one round trip, for the batches of many sessions. The head of each session
 * is moved only if lease and head are what the writer believes; whatever hangs on a head that did not move is left out.
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
  select key from moved`;

/** The same for a single record, which is the common case of a single writer and costs the server half as much. */
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

const plain = /^[\w:.+-]+$/;

/** One element of a list as the server reads it; what is no plain word is quoted. */
function element(value: string | boolean | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return String(value);
  if (plain.test(value) && value.toUpperCase() !== 'NULL') return value;
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

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

/** What a run of batches changes in the list of sessions: of each thing, what was said last. */
function infoOf(batches: readonly Batch[]): Info {
  let [title, archived, imported]: [string | null, boolean | null, boolean] = [null, null, false];
  for (const { info } of batches) {
    title = info.title === undefined ? title : toStoredText(info.title);
    archived = info.archived ?? archived;
    imported ||= info.imported === true;
  }
  return { updatedAt: toStoredText(last(batches).info.updatedAt), title, archived, imported };
}

/** Lists for the parameters, written out as they grow, because an array for each would cost more than the rest. */
class Lists {
  readonly #texts: string[] = Array.from({ length: 21 }, () => '');

  put(list: number, value: string | number): void {
    const text = this.#texts[list];
    this.#texts[list] = text === '' ? String(value) : `${text},${value}`;
  }

  get written(): string[] {
    return this.#texts.map((text) => `{${text}}`);
  }
}

/** The parameters that are lists, by their place: those of a session, of a record and of an operation. */
const at = { session: 0, record: 12, op: 18 } as const;

type Filling = { readonly lists: Lists; readonly bodies: Uint8Array[]; size: number };

function fillRecords(filling: Filling, { key, chain, batches }: Group): number {
  const { lists, bodies } = filling;
  let link = chain;
  for (const { entries, op } of batches) {
    for (const { seq, bytes } of entries) {
      const crc = chained(link, bytes);
      lists.put(at.record, key);
      lists.put(at.record + 1, seq);
      lists.put(at.record + 2, link);
      lists.put(at.record + 3, crc);
      lists.put(at.record + 4, filling.size + 1);
      lists.put(at.record + 5, bytes.length);
      bodies.push(bytes);
      filling.size += bytes.length;
      link = crc;
    }
    if (op === undefined) continue;
    lists.put(at.op, key);
    lists.put(at.op + 1, keyOf(op));
    lists.put(at.op + 2, last(entries).seq);
  }
  return link;
}

function fill(filling: Filling, group: Group): End {
  const { key, batches } = group;
  const { lists, bodies, size } = filling;
  const { lease, expect } = batches[0] ?? last(batches);
  const count = bodies.length;
  const chain = fillRecords(filling, group);
  const seq = last(last(batches).entries).seq;
  const { updatedAt, title, archived, imported } = infoOf(batches);
  const numbers = [lease.epoch, fenceOf(lease).holder, expect, seq, chain, bodies.length - count, filling.size - size];
  lists.put(at.session, key);
  for (let place = 0; place < numbers.length; place += 1) lists.put(at.session + 1 + place, numbers[place] ?? '');
  lists.put(at.session + 8, element(updatedAt));
  lists.put(at.session + 9, element(title));
  lists.put(at.session + 10, element(archived));
  lists.put(at.session + 11, element(imported));
  return { seq, chain };
}

function manyWrite(text: string, groups: readonly Group[]): Write {
  const filling: Filling = { lists: new Lists(), bodies: [], size: 0 };
  const ends = new Map(groups.map((group) => [group.key, fill(filling, group)]));
  const { written } = filling.lists;
  const values = [...written.slice(0, at.op), Buffer.concat(filling.bodies, filling.size), ...written.slice(at.op)];
  const statement = { name: 'append', text, values };
  const run = async (connection: Connection): Promise<ReadonlySet<string>> => {
    const rows = await connection.run(statement);
    return new Set(rows.map(({ key }) => String(key).replaceAll('-', '')));
  };
  return { run, ends };
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
  const statement = { name: 'append one', text, values };
  const run = async (connection: Connection): Promise<ReadonlySet<string>> =>
    new Set((await connection.change(statement)) === 0 ? [] : [key]);
  return { run, ends: new Map([[key, { seq, chain: crc }]]) };
}

/** The newest record of a session, with its checksum. */
export type End = { readonly seq: number; readonly chain: number };

/** One statement that writes groups. */
export type Write = {
  /** Gives the keys of the groups that were written. May be run again when its outcome is unknown. */
  readonly run: (connection: Connection) => Promise<ReadonlySet<string>>;
  /** The head that each group makes, by its key. */
  readonly ends: ReadonlyMap<string, End>;
};

/** Makes the writes of groups of batches. */
export function createWrites(schema: string): (groups: readonly Group[]) => Write {
  const [one, many] = [oneText(schema), manyText(schema)];
  return (groups) => {
    const [group, another] = groups;
    const [batch, more] = group?.batches ?? [];
    const single = another === undefined && more === undefined && batch?.entries.length === 1;
    return single && group !== undefined ? oneWrite(one, group, batch) : manyWrite(many, groups);
  };
}
