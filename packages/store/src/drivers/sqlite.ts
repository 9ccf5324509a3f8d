import type { DatabaseSync } from 'node:sqlite';

import type { Driver, DriverOptions, ListQuery, OpenDriver, SessionInfo } from '../driver.ts';
import { StoreError } from '../store-error.ts';
import { pathInUrl } from './path-in-url.ts';
import { keepAlive } from './sql/keep-alive.ts';
import { followLog, readLog, verifyLog, type Waiting } from './sql/log.ts';
import { closed } from './sql/refusals.ts';
import { createWake } from './sql/wake.ts';
import { closeToOthers, prepareFile } from './sqlite/database-file.ts';
import { failure, isBusy } from './sqlite/failure.ts';
import { createForgetting } from './sqlite/forgetting.ts';
import { createJobs } from './sqlite/jobs.ts';
import { createReads, type Reads } from './sqlite/reads.ts';
import { setUpDatabase } from './sqlite/schema.ts';
import { createWrites } from './sqlite/writes.ts';

/** How often a follower looks whether another process has written. */
const lookMs = 50;
const listLength = 500;
const openPatienceMs = 10_000;

type Place = DriverOptions & { readonly path: string };

async function loadSqlite(): Promise<typeof import('node:sqlite')> {
  try {
    return await import('node:sqlite');
  } catch (cause) {
    throw new StoreError('unsupported', 'sqlite: needs a Node with node:sqlite and FTS5, which is 22.16 or newer', {
      cause,
    });
  }
}

/** Another process may be making the file at this moment, which takes a few milliseconds. */
async function connect(place: Place): Promise<DatabaseSync> {
  const { DatabaseSync } = await loadSqlite();
  const { path, environment } = place;
  const until = environment.elapsed() + openPatienceMs;
  while (true) {
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      setUpDatabase(database, place);
      return database;
    } catch (error) {
      database.close();
      if (!isBusy(error) || environment.elapsed() >= until) throw error;
    }
    await new Promise<void>((done) => void environment.after(10, done));
  }
}

function pathOf(url: string): string {
  if (/^sqlite:(?::memory:)?$/.test(url))
    throw new StoreError('unsupported', 'sqlite: needs the path of a file; memory: keeps sessions in memory');
  return pathInUrl(url);
}

/** Opens the sessions in one SQLite file, which many processes of one machine may use at once. */
export const openSqlite: OpenDriver = async (url, options) => {
  const place = { ...options, path: pathOf(url) };
  try {
    prepareFile(place.path, options.environment);
    const database = await keepAlive(connect(place));
    closeToOthers(place.path);
    return createDriver(database, place);
  } catch (error) {
    throw failure(error, place.path);
  }
};

/** At the level of a batch, a checkpoint syncs the log some time after the first write that it has not seen. */
function createSyncs(database: DatabaseSync, { durability, environment }: Place): () => void {
  if (typeof durability === 'string') return () => undefined;
  let pending = false;
  return () => {
    if (pending) return;
    pending = true;
    environment.after(durability.batchMs, () => {
      pending = false;
      if (database.isOpen) database.exec('pragma wal_checkpoint(passive)');
    });
  };
}

function createDriver(database: DatabaseSync, place: Place): Driver {
  const { environment, path, durability } = place;
  const url = `sqlite:${path}`;
  const wake = createWake(environment);
  const end = new AbortController();
  const wait: Waiting = (session, signal) => wake.wait(session, lookMs, signal);
  const jobs = createJobs({ database, environment, path, committed: createSyncs(database, place) });
  const writes = createWrites(database, environment);
  const forgetting = createForgetting({ database, environment, path, jobs });
  forgetting.resume();
  const reads = createReads(database, path);
  const open = (): Reads => {
    if (!database.isOpen) throw closed(url);
    return reads;
  };
  return {
    url,
    durability,
    create: (session, about) => jobs.add(() => writes.create(session, about)),
    acquire: (session, owner, ttlMs) => jobs.add(() => writes.acquire(session, owner, ttlMs)),
    renew: (lease, ttlMs) => jobs.add(() => writes.renew(lease, ttlMs)),
    release: (lease) => jobs.add(() => writes.release(lease)),
    append: async (batch) => {
      const head = await jobs.add(() => writes.append(batch));
      wake.ring(batch.lease.session);
      return head;
    },
    head: async (session) => open().head(session),
    info: async (session) => open().info(session),
    read: (session, range) => guarded(open, (now) => readLog(now.log, session, range)),
    list: (query) => guarded(open, (now) => listAll(now, query)),
    search: (query) =>
      guarded(open, async function* (now) {
        yield* now.search(query);
      }),
    follow: (session, { after, signal }) =>
      guarded(open, ({ log }) =>
        followLog({ log, session, after, signal: AbortSignal.any([signal, end.signal]), wait }),
      ),
    verify: async (session) => verifyLog(open().log, session),
    erase: async (lease) => {
      const erased = await jobs.add(() => writes.erase(lease));
      const remains = await forgetting.finish();
      if (remains === undefined) return erased;
      environment.tell({ kind: 'erasure-unfinished', sentence: remains, session: lease.session });
      return { ...erased, remains: [remains] };
    },
    close: async () => {
      end.abort();
      forgetting.close();
      await jobs.close();
      if (database.isOpen) database.close();
    },
  };
}

/** A generator that asks whether the driver is open when it is started, and not when it is made. */
async function* guarded<T>(open: () => Reads, work: (reads: Reads) => AsyncIterable<T>): AsyncIterable<T> {
  yield* work(open());
}

async function* listAll(reads: Reads, query: ListQuery): AsyncIterable<SessionInfo> {
  let [after, left] = [query.after, query.limit ?? Number.POSITIVE_INFINITY];
  while (left > 0) {
    const found = reads.list({ ...query, ...(after === undefined ? {} : { after }) }, Math.min(left, listLength));
    yield* found;
    after = found.at(-1)?.id;
    left -= found.length;
    if (after === undefined) return;
  }
}
