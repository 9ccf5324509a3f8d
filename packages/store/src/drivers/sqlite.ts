import type { DatabaseSync } from 'node:sqlite';

import type { Driver, DriverOptions, OpenDriver } from '../driver.ts';
import { StoreError } from '../store-error.ts';
import { pathInUrl } from './path-in-url.ts';
import { keepAlive } from './waiting.ts';
import { createSyncs } from './sql/batch-sync.ts';
import { listAll, whenStarted } from './sql/iterate.ts';
import { followLog, readLog, verifyLog, type Waiting } from './sql/log.ts';
import { closed } from '../refusals.ts';
import { createWake } from './wake.ts';
import { closeToOthers, prepareFile } from './sqlite/database-file.ts';
import { failure, isBusy } from './sqlite/failure.ts';
import { createForgetting } from './sqlite/wal-cleanup.ts';
import { Jobs } from './sqlite/jobs.ts';
import { createReads, type Reads } from './sqlite/reads.ts';
import { setUpDatabase } from './sqlite/schema.ts';
import { createWrites } from './sqlite/writes.ts';

/** How often a follower checks for writes of other processes. */
const lookMs = 50;
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

/** Another process may be creating the file, which takes a few milliseconds. */
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
    throw new StoreError('unsupported', 'sqlite: needs the path of a file; use memory: to keep sessions in memory');
  return pathInUrl(url);
}

/** Opens the sessions in one SQLite file, for all processes of one machine. */
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

function createDriver(database: DatabaseSync, place: Place): Driver {
  const { environment, path, durability } = place;
  const url = `sqlite:${path}`;
  const wake = createWake(environment);
  const end = new AbortController();
  const wait: Waiting = (session, signal) => wake.wait(session, lookMs, signal);
  const committed = createSyncs(place, () => {
    if (database.isOpen) database.exec('pragma wal_checkpoint(passive)');
  });
  const jobs = new Jobs({ database, environment, path, committed });
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
    read: (session, range) => whenStarted(() => readLog(open().log, session, range)),
    list: (query) => whenStarted(() => listAll(query, open().list)),
    search: (query) =>
      whenStarted(async function* () {
        yield* open().search(query);
      }),
    follow: (session, { after, signal }) =>
      whenStarted(() =>
        followLog({ log: open().log, session, after, signal: AbortSignal.any([signal, end.signal]), wait }),
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
