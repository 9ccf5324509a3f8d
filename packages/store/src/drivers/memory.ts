import {
  type Appended,
  type Batch,
  type Driver,
  type DriverVerdict,
  type Head,
  type Hit,
  type Lease,
  type ListQuery,
  type NewSession,
  type OpenDriver,
  type Range,
  type SearchQuery,
  type SessionInfo,
  type Stored,
  isListed,
} from '../driver.ts';
import type { Environment } from '../environment.ts';
import type { Owner } from '../owner.ts';
import { closed, exists, held, missing, moved, sharedRecords, stale } from '../refusals.ts';
import { isFound } from '../search-text.ts';
import { chained, chainStart, type Row } from './sql/chain.ts';
import { followLog, type Log as Records, readLog, verifyLog } from './sql/log.ts';
import { createWake, type Wake } from './wake.ts';

type Log = {
  readonly id: string;
  about: NewSession & { updatedAt: string; archived: boolean };
  readonly rows: Row[];
  readonly ops: Map<string, number>;
  epoch: number;
  lease: Lease | undefined;
  /** The requested duration of the lease. */
  ttlMs: number;
  /** The owner of the current epoch. */
  holder: string;
  bytes: number;
};

type Place = { readonly logs: Map<string, Log>; readonly wake: Wake };

/** Named places, shared by everyone in this process who opens the same name. */
const places = new Map<string, Place>();

/** The longest timer of Node. */
const longestMs = 2 ** 31 - 1;

const seqOf = ({ about, rows }: Log): number => rows.at(-1)?.seq ?? about.base;

const headOf = (log: Log): Head => ({ seq: seqOf(log), epoch: log.epoch });

const infoOf = (log: Log): SessionInfo => ({
  ...log.about,
  id: log.id,
  seq: seqOf(log),
  records: log.rows.length,
  bytes: log.bytes,
});

/** The index of the first record after a number. */
function firstAfter(rows: readonly Row[], seq: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Presents the records of a place to the shared log readers. */
const recordsIn = ({ logs }: Place): Records => ({
  mark: async (session) => {
    const log = logs.get(session);
    return log && { ...headOf(log), base: log.about.base, chain: log.rows.at(-1)?.crc ?? chainStart(session) };
  },
  page: async (session, { after = -1, before = Infinity, backward = false, limit }) => {
    const { rows = [] } = logs.get(session) ?? {};
    const [from, to] = [firstAfter(rows, after), firstAfter(rows, before - 1)];
    const page = backward
      ? rows.slice(Math.max(from, to - limit), to).reverse()
      : rows.slice(from, Math.min(to, from + limit));
    return page.map((row) => ({ ...row, bytes: row.bytes.slice() }));
  },
});

class MemoryDriver implements Driver {
  readonly url: string;
  readonly durability = 'none';
  readonly #place: Place;
  readonly #records: Records;
  readonly #environment: Environment;
  readonly #end = new AbortController();

  constructor(url: string, place: Place, environment: Environment) {
    this.url = url;
    this.#place = place;
    this.#records = recordsIn(place);
    this.#environment = environment;
  }

  #log(session: string): Log {
    this.#check();
    const log = this.#place.logs.get(session);
    if (log === undefined) throw missing(session);
    return log;
  }

  #check(): void {
    if (this.#end.signal.aborted) throw closed(this.url);
  }

  /** The log, if the lease is the newest. */
  #fenced({ session, epoch, owner: { id } }: Lease): Log {
    const log = this.#log(session);
    if (log.epoch === epoch && log.holder === id) return log;
    throw stale(session, { head: seqOf(log), owner: log.lease?.owner });
  }

  async create(session: string, about: NewSession): Promise<void> {
    this.#check();
    const source = about.fork?.from;
    if (source !== undefined) this.#log(source);
    if (this.#place.logs.has(session)) throw exists(session);
    this.#place.logs.set(session, {
      id: session,
      about: { ...about, updatedAt: about.createdAt, archived: false },
      rows: [],
      ops: new Map(),
      epoch: 0,
      lease: undefined,
      ttlMs: 0,
      holder: '',
      bytes: 0,
    });
  }

  async acquire(session: string, owner: Owner, ttlMs: number): Promise<Lease> {
    const log = this.#log(session);
    const now = this.#environment.now();
    const last = log.lease;
    // An expiry far in the future comes from a wrong clock.
    const runs = last !== undefined && last.expires > now && last.expires - now <= log.ttlMs * 2;
    const busy = runs && last.owner.id !== owner.id;
    if (busy && this.#environment.alive(last.owner) !== false) {
      throw held(session, { owner: last.owner, head: seqOf(log) });
    }
    log.epoch += 1;
    log.ttlMs = ttlMs;
    log.holder = owner.id;
    const { importing } = log.about;
    log.lease = {
      session,
      owner,
      epoch: log.epoch,
      expires: now + ttlMs,
      head: seqOf(log),
      ...(importing === true ? { importing } : {}),
    };
    return log.lease;
  }

  async renew(lease: Lease, ttlMs: number): Promise<Lease> {
    const log = this.#fenced(lease);
    log.ttlMs = ttlMs;
    log.lease = { ...lease, expires: this.#environment.now() + ttlMs, head: seqOf(log) };
    return log.lease;
  }

  async release(lease: Lease): Promise<void> {
    this.#check();
    const log = this.#place.logs.get(lease.session);
    if (log?.epoch === lease.epoch) log.lease = undefined;
  }

  async append({ entries, lease, expect, op, info }: Batch): Promise<Appended> {
    const { session } = lease;
    const log = this.#log(session);
    const made = op === undefined ? undefined : log.ops.get(op);
    if (made !== undefined) return { seq: made, epoch: log.epoch, again: true };
    this.#fenced(lease);
    const head = seqOf(log);
    if (head !== expect) throw moved(session, { head, expected: expect });
    let link = log.rows.at(-1)?.crc ?? chainStart(session);
    for (const { seq, bytes } of entries) {
      const crc = chained(link, bytes);
      log.rows.push({ seq, link, crc, bytes: bytes.slice() });
      log.bytes += bytes.length;
      link = crc;
    }
    if (op !== undefined) log.ops.set(op, seqOf(log));
    const { imported, ...change } = info;
    const { importing: _importing, ...finished } = log.about;
    log.about = { ...(imported === true ? finished : log.about), ...change };
    this.#place.wake.ring(session);
    return headOf(log);
  }

  async head(session: string): Promise<Head | undefined> {
    this.#check();
    const log = this.#place.logs.get(session);
    return log === undefined ? undefined : headOf(log);
  }

  async info(session: string): Promise<SessionInfo | undefined> {
    this.#check();
    const log = this.#place.logs.get(session);
    return log === undefined ? undefined : infoOf(log);
  }

  async *read(session: string, range: Range): AsyncGenerator<readonly Stored[]> {
    this.#check();
    yield* readLog(this.#records, session, range);
  }

  async *list(query: ListQuery): AsyncGenerator<SessionInfo> {
    this.#check();
    const { after, limit = Infinity } = query;
    let rest = limit;
    for (const id of [...this.#place.logs.keys()].sort()) {
      const log = this.#place.logs.get(id);
      if (rest <= 0) return;
      if (log === undefined || (after !== undefined && id <= after)) continue;
      if (!isListed(log.about, query)) continue;
      rest -= 1;
      yield infoOf(log);
    }
  }

  async *search({ words, session, limit = Infinity }: SearchQuery): AsyncGenerator<Hit> {
    this.#check();
    let rest = limit;
    const logs = session === undefined ? [...this.#place.logs.values()] : [this.#log(session)];
    for (const { id, rows } of logs) {
      for (const { seq, bytes } of rows) {
        if (rest <= 0) return;
        if (!isFound(bytes, words)) continue;
        rest -= 1;
        yield { session: id, seq };
      }
    }
  }

  async *follow(
    session: string,
    { after, signal }: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncGenerator<readonly Stored[]> {
    this.#check();
    const ended = AbortSignal.any([signal, this.#end.signal]);
    const { wake } = this.#place;
    const wait = (id: string, until: AbortSignal): Promise<void> => wake.wait(id, longestMs, until);
    yield* followLog({ log: this.#records, session, after, signal: ended, wait });
  }

  async verify(session: string): Promise<DriverVerdict> {
    this.#check();
    return verifyLog(this.#records, session);
  }

  async erase(lease: Lease): Promise<{ records: number; bytes: number }> {
    const log = this.#fenced(lease);
    const forks = [...this.#place.logs.values()].filter(({ about }) => about.fork?.from === lease.session);
    if (forks.length > 0) throw sharedRecords(lease.session, forks.map(({ id }) => id).sort());
    this.#place.logs.delete(lease.session);
    log.epoch += 1;
    this.#place.wake.ring(lease.session);
    return { records: log.rows.length, bytes: log.bytes };
  }

  async close(): Promise<void> {
    this.#end.abort();
  }
}

/** Stores sessions in this process: `memory:` is private, `memory:name` is shared by that name. */
export const openMemory: OpenDriver = async (url, { environment }) => {
  const name = url.slice('memory:'.length);
  const place = places.get(name) ?? { logs: new Map<string, Log>(), wake: createWake(environment) };
  if (name !== '') places.set(name, place);
  return new MemoryDriver(url, place, environment);
};
