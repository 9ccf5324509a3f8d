import type {
  Appended,
  Batch,
  Driver,
  Entry,
  Head,
  Lease,
  ListQuery,
  NewSession,
  OpenDriver,
  Range,
  SearchQuery,
  SessionInfo,
  Stored,
} from '../driver.ts';
import type { Environment } from '../environment.ts';
import { type Owner, ownerName } from '../owner.ts';
import { sharedRecords } from '../shared-records.ts';
import { StoreError } from '../store-error.ts';

/** One session. The lists only grow, so that a reader may go on with what it has seen. */
type Log = {
  readonly id: string;
  about: NewSession & { updatedAt: string; archived: boolean };
  readonly entries: Entry[];
  readonly ops: Map<string, number>;
  readonly watchers: Set<() => void>;
  epoch: number;
  lease: Lease | undefined;
  /** How long the lease was asked for. */
  ttlMs: number;
  /** The owner that the epoch was given to. */
  holder: string;
  bytes: number;
};

type Place = Map<string, Log>;

/** Places with a name are shared by all who open them in this process, as a folder is. */
const places = new Map<string, Place>();

const batchOf = 256;

const seqOf = ({ about, entries }: Log): number => entries.at(-1)?.seq ?? about.base;

const headOf = (log: Log): Head => ({ seq: seqOf(log), epoch: log.epoch });

const infoOf = (log: Log): SessionInfo => ({
  ...log.about,
  id: log.id,
  seq: seqOf(log),
  records: log.entries.length,
  bytes: log.bytes,
});

/** The index of the first record with a number above the given one. */
function firstAfter(entries: readonly Entry[], seq: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

const toStored = ({ seq, bytes }: Entry): Stored => ({ seq, bytes: bytes.slice() });

function* slices(log: Log, { after = -1, before, backward = false, limit = Infinity }: Range): Generator<Stored[]> {
  const from = firstAfter(log.entries, after);
  const to = before === undefined ? log.entries.length : firstAfter(log.entries, before - 1);
  let rest = Math.min(limit, to - from);
  let next = backward ? to : from;
  while (rest > 0) {
    const count = Math.min(rest, batchOf);
    if (backward) next -= count;
    const slice = log.entries.slice(next, next + count).map(toStored);
    yield backward ? slice.reverse() : slice;
    if (!backward) next += count;
    rest -= count;
  }
}

const changeOf = (log: Log, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      log.watchers.delete(done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    log.watchers.add(done);
    signal.addEventListener('abort', done);
  });

const wake = (log: Log): void => {
  // Each watcher takes itself out, and those that come in meanwhile have seen what there is.
  for (const watcher of log.watchers) watcher();
};

class MemoryDriver implements Driver {
  readonly url: string;
  readonly durability = 'none';
  readonly #place: Place;
  readonly #environment: Environment;
  readonly #end = new AbortController();

  constructor(url: string, place: Place, environment: Environment) {
    this.url = url;
    this.#place = place;
    this.#environment = environment;
  }

  #log(session: string): Log {
    this.#check();
    const log = this.#place.get(session);
    if (log === undefined) {
      throw new StoreError('missing', `there is no session ${JSON.stringify(session)}`, { session });
    }
    return log;
  }

  #check(): void {
    if (this.#end.signal.aborted) throw new StoreError('closed', `the store ${this.url} is closed`);
  }

  /** The log, for the newest lease only. */
  #fenced({ session, epoch, owner: { id } }: Lease): Log {
    const log = this.#log(session);
    if (log.epoch === epoch && log.holder === id) return log;
    const owner = log.lease?.owner;
    const by = owner === undefined ? '' : ` by ${ownerName(owner)}`;
    throw new StoreError('stale', `session ${JSON.stringify(session)} was taken over${by}`, {
      session,
      head: seqOf(log),
      ...(owner === undefined ? {} : { owner }),
    });
  }

  async create(session: string, about: NewSession): Promise<void> {
    this.#check();
    const source = about.fork?.from;
    if (source !== undefined) this.#log(source);
    if (this.#place.has(session)) {
      throw new StoreError('exists', `there is a session ${JSON.stringify(session)} already`, { session });
    }
    this.#place.set(session, {
      id: session,
      about: { ...about, updatedAt: about.createdAt, archived: false },
      entries: [],
      ops: new Map(),
      watchers: new Set(),
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
    const held = log.lease;
    // One that lasts much longer than it was asked for is from a clock that went wrong.
    const runs = held !== undefined && held.expires > now && held.expires - now <= log.ttlMs * 2;
    const busy = runs && held.owner.id !== owner.id;
    if (held !== undefined && busy && this.#environment.alive(held.owner) !== false) {
      const sentence = `session ${JSON.stringify(session)} is written by ${ownerName(held.owner)}`;
      throw new StoreError('conflict', sentence, { session, owner: held.owner, head: seqOf(log) });
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
    const log = this.#place.get(lease.session);
    if (log?.epoch === lease.epoch) log.lease = undefined;
  }

  async append({ entries, lease, expect, op, info }: Batch): Promise<Appended> {
    const { session } = lease;
    const log = this.#log(session);
    const made = op === undefined ? undefined : log.ops.get(op);
    if (made !== undefined) return { seq: made, epoch: log.epoch, again: true };
    this.#fenced(lease);
    const head = seqOf(log);
    if (head !== expect) {
      const sentence = `session ${JSON.stringify(session)}: expected record ${expect} to be the newest, found ${head}`;
      throw new StoreError('conflict', sentence, { session, head, expected: expect });
    }
    for (const entry of entries) {
      log.entries.push({ ...entry, bytes: entry.bytes.slice() });
      log.bytes += entry.bytes.length;
    }
    if (op !== undefined) log.ops.set(op, seqOf(log));
    const { imported, ...change } = info;
    const { importing: _importing, ...finished } = log.about;
    log.about = { ...(imported === true ? finished : log.about), ...change };
    wake(log);
    return headOf(log);
  }

  async head(session: string): Promise<Head | undefined> {
    this.#check();
    const log = this.#place.get(session);
    return log === undefined ? undefined : headOf(log);
  }

  async info(session: string): Promise<SessionInfo | undefined> {
    this.#check();
    const log = this.#place.get(session);
    return log === undefined ? undefined : infoOf(log);
  }

  async *read(session: string, range: Range): AsyncGenerator<readonly Stored[]> {
    yield* slices(this.#log(session), range);
  }

  async *list({ archived, parent, forkOf, after, limit = Infinity }: ListQuery): AsyncGenerator<SessionInfo> {
    this.#check();
    let rest = limit;
    for (const id of [...this.#place.keys()].sort()) {
      const log = this.#place.get(id);
      if (rest <= 0) return;
      if (log === undefined || (after !== undefined && id <= after)) continue;
      if (archived !== undefined && log.about.archived !== archived) continue;
      if (parent !== undefined && log.about.parent !== parent) continue;
      if (forkOf !== undefined && log.about.fork?.from !== forkOf) continue;
      rest -= 1;
      yield infoOf(log);
    }
  }

  async *search({ words, session, limit = Infinity }: SearchQuery): AsyncGenerator<{ session: string; seq: number }> {
    this.#check();
    let rest = limit;
    const logs = session === undefined ? [...this.#place.values()] : [this.#log(session)];
    for (const { id, entries } of logs) {
      for (const { seq, text } of entries) {
        if (rest <= 0) return;
        const has = ` ${text?.() ?? ''}`;
        if (!words.every((word) => has.includes(` ${word}`))) continue;
        rest -= 1;
        yield { session: id, seq };
      }
    }
  }

  async *follow(
    session: string,
    { after, signal }: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncGenerator<readonly Stored[]> {
    const log = this.#log(session);
    const ended = AbortSignal.any([signal, this.#end.signal]);
    let seen = after;
    while (!ended.aborted && this.#place.get(session) === log) {
      for (const slice of slices(log, { after: seen })) {
        yield slice;
        seen = slice.at(-1)?.seq ?? seen;
        if (ended.aborted) return;
      }
      // Whoever was busy with what it got has not heard that the session was erased.
      const isThere = this.#place.get(session) === log;
      if (isThere && seqOf(log) <= seen) await changeOf(log, ended);
    }
  }

  async verify(session: string): Promise<{ head: Head; records: number; bytes: number; damages: readonly never[] }> {
    const log = this.#log(session);
    return { head: headOf(log), records: log.entries.length, bytes: log.bytes, damages: [] };
  }

  async erase(lease: Lease): Promise<{ records: number; bytes: number }> {
    const log = this.#fenced(lease);
    const forks = [...this.#place.values()].filter(({ about }) => about.fork?.from === lease.session);
    if (forks.length > 0) throw sharedRecords(lease.session, forks.map(({ id }) => id).sort());
    this.#place.delete(lease.session);
    log.epoch += 1;
    wake(log);
    return { records: log.entries.length, bytes: log.bytes };
  }

  async close(): Promise<void> {
    this.#end.abort();
  }
}

/** Keeps sessions in this process only: `memory:` by itself, or `memory:name` for all who give the same name. */
export const openMemory: OpenDriver = async (url, { environment }) => {
  const name = url.slice('memory:'.length);
  const place = places.get(name) ?? new Map<string, Log>();
  if (name !== '') places.set(name, place);
  return new MemoryDriver(url, place, environment);
};
