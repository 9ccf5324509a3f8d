import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Appended, Batch, Erased, Lease, NewSession } from '../../driver.ts';
import type { Environment } from '../../environment.ts';
import type { Owner } from '../../owner.ts';
import { chained, chainStart } from '../sql/chain.ts';
import { exists, held, missing, moved, sharedRecords, stale } from '../../refusals.ts';
import { newSessionValues, ownerOf, ownerText } from '../sql/session-row.ts';
import { fromStoredText, toStoredText } from '../sql/stored-text.ts';

type State = {
  readonly n: number;
  readonly seq: number;
  readonly chain: number;
  readonly epoch: number;
  readonly holder: string | null;
  readonly owner: string | null;
  readonly expires: number;
  readonly importing: number;
};

/** All writes. Each runs inside a transaction and refuses before it writes. */
export type Writes = {
  readonly create: (session: string, about: NewSession) => void;
  readonly acquire: (session: string, owner: Owner, ttlMs: number) => Lease;
  readonly renew: (lease: Lease, ttlMs: number) => Lease;
  readonly release: (lease: Lease) => void;
  readonly append: (batch: Batch) => Appended;
  readonly erase: (lease: Lease) => Erased;
};

const statements = {
  create: `insert into sessions
    (id, created_at, updated_at, title, parent, fork_from, fork_at, base, importing, seq, chain, epoch)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (select epoch from erased)) on conflict do nothing`,
  state: 'select n, seq, chain, epoch, holder, owner, expires, importing from sessions where id = ?',
  forks: 'select id from sessions where fork_from = ? order by id',
  grant: 'update sessions set epoch = ?, holder = ?, owner = ?, expires = ? where n = ?',
  release: 'update sessions set owner = null where n = ?',
  op: 'select head from ops where session = ? and op = ?',
  addOp: 'insert into ops (session, op, head) values (?, ?, ?)',
  addRecord: 'insert into records (session, seq, link, crc, body) values (?, ?, ?, ?, ?)',
  addWords: 'insert into words (rowid, text) values (?, ?)',
  advance: `update sessions set seq = ?, chain = ?, records = records + ?, bytes = bytes + ?, updated_at = ?,
    title = coalesce(?, title), archived = coalesce(?, archived), importing = importing and not ? where n = ?`,
  counts: 'select records, bytes from sessions where n = ?',
  forgetWords: 'delete from words where rowid in (select n from records where session = ?)',
  forgetRecords: 'delete from records where session = ?',
  forgetOps: 'delete from ops where session = ?',
  forgetSession: 'delete from sessions where n = ?',
  // Deleted words leave the index only in a merge.
  mergeWords: `insert into words (words) values ('optimize')`,
  keepEpoch: 'update erased set epoch = max(epoch, ?), pending = pending + 1',
} as const;

type Prepared = Readonly<Record<keyof typeof statements, StatementSync>>;

const prepare = (database: DatabaseSync): Prepared =>
  Object.fromEntries(Object.entries(statements).map(([name, text]) => [name, database.prepare(text)])) as Prepared;

/** The owner with the requested duration of the lease. */
const holderText = (owner: Owner, ttlMs: number): string =>
  JSON.stringify({ ...(JSON.parse(ownerText(owner)) as object), ttlMs });

/** An expiry far in the future comes from a wrong clock. */
function isOver({ owner, expires }: State, now: number): boolean {
  const { ttlMs } = JSON.parse(owner ?? '{}') as { readonly ttlMs?: number };
  return expires <= now || expires - now > (ttlMs ?? Infinity) * 2;
}

export function createWrites(database: DatabaseSync, environment: Environment): Writes {
  const run = prepare(database);
  const stateOf = (session: string): State => {
    const state = run.state.get(toStoredText(session)) as State | undefined;
    if (state === undefined) throw missing(session);
    return state;
  };
  const own = (lease: Lease): State => {
    const state = stateOf(lease.session);
    const newest = state.epoch === lease.epoch && state.holder === toStoredText(lease.owner.id);
    if (!newest) throw stale(lease.session, { head: state.seq, owner: ownerOf(state.owner) });
    return state;
  };
  const grant = (
    { n, seq, importing }: State,
    { session, owner, epoch }: Omit<Lease, 'expires' | 'head'>,
    ttlMs: number,
  ): Lease => {
    const expires = environment.now() + ttlMs;
    run.grant.run(epoch, toStoredText(owner.id), holderText(owner, ttlMs), expires, n);
    return { session, owner, epoch, expires, head: seq, ...(importing === 0 ? {} : { importing: true as const }) };
  };
  return {
    create: (session, about) => {
      const values = newSessionValues(session, about);
      if (about.fork !== undefined) stateOf(about.fork.from);
      if (run.create.run(...values, about.base, chainStart(session)).changes === 0) throw exists(session);
    },
    acquire: (session, owner, ttlMs) => {
      const state = stateOf(session);
      const holder = ownerOf(state.owner);
      const free = holder === undefined || holder.id === owner.id || isOver(state, environment.now());
      if (!free && environment.alive(holder) !== false) throw held(session, { head: state.seq, owner: holder });
      return grant(state, { session, owner, epoch: state.epoch + 1 }, ttlMs);
    },
    renew: (lease, ttlMs) => grant(own(lease), lease, ttlMs),
    release: ({ session, epoch }) => {
      const state = run.state.get(toStoredText(session)) as State | undefined;
      if (state?.epoch === epoch) run.release.run(state.n);
    },
    append: (batch) => append(run, own, batch),
    erase: (lease) => {
      const { n, epoch } = own(lease);
      const forks = run.forks.all(toStoredText(lease.session)) as { id: string }[];
      if (forks.length > 0) {
        throw sharedRecords(
          lease.session,
          forks.map(({ id }) => fromStoredText(id)),
        );
      }
      const { records, bytes } = run.counts.get(n) as { records: number; bytes: number };
      for (const forget of [run.forgetWords, run.forgetRecords, run.forgetOps, run.forgetSession]) forget.run(n);
      run.mergeWords.run();
      run.keepEpoch.run(epoch);
      return { records, bytes };
    },
  };
}

/** The head of a batch that was stored before. */
function written(run: Prepared, { lease, op }: Batch): Appended | undefined {
  if (op === undefined) return undefined;
  const state = run.state.get(toStoredText(lease.session)) as State | undefined;
  if (state === undefined) throw missing(lease.session);
  const row = run.op.get(state.n, toStoredText(op)) as { head: number } | undefined;
  return row && { seq: row.head, epoch: state.epoch, again: true };
}

function append(run: Prepared, own: (lease: Lease) => State, batch: Batch): Appended {
  const { lease, entries, expect, op, info } = batch;
  const before = written(run, batch);
  if (before !== undefined) return before;
  const { n, seq, chain, epoch } = own(lease);
  if (seq !== expect) throw moved(lease.session, { head: seq, expected: expect });
  let [head, link, size] = [seq, chain, 0];
  for (const entry of entries) {
    const crc = chained(link, entry.bytes);
    const { lastInsertRowid } = run.addRecord.run(n, entry.seq, link, crc, entry.bytes);
    const words = entry.text?.() ?? '';
    if (words !== '') run.addWords.run(lastInsertRowid, words);
    [head, link, size] = [entry.seq, crc, size + entry.bytes.length];
  }
  if (op !== undefined) run.addOp.run(n, toStoredText(op), head);
  const { updatedAt, title, archived, imported } = info;
  const change = [
    toStoredText(updatedAt),
    title === undefined ? null : toStoredText(title),
    archived === undefined ? null : Number(archived),
    imported === true ? 1 : 0,
  ] as const;
  run.advance.run(head, link, entries.length, size, ...change, n);
  return { seq: head, epoch };
}
