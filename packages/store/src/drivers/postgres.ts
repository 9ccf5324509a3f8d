import type { Driver, DriverOptions, OpenDriver, Stored } from '../driver.ts';
import { closed } from '../refusals.ts';
import { createSyncs } from './sql/batch-sync.ts';
import { listAll, whenStarted } from './sql/iterate.ts';
import { followLog, readLog, verifyLog } from './sql/log.ts';
import { Committer } from './postgres/committer.ts';
import { failure } from './postgres/failure.ts';
import { createFollowers, type Followers } from './postgres/followers.ts';
import { createLeases, type Granted } from './postgres/leases.ts';
import { type Place, placeOf } from './postgres/place.ts';
import { Pool } from './postgres/pool.ts';
import { createReads } from './postgres/reads.ts';
import { setUpSchema } from './postgres/schema.ts';

/** Opens the sessions in a schema of a PostgreSQL database, for any number of machines. */
export const openPostgres: OpenDriver = async (url, options) => {
  const place = placeOf(url);
  const pool = new Pool({ ...place, ...options }, place.connections);
  try {
    await setUpSchema(pool, place);
  } catch (error) {
    pool.close();
    throw failure(error, place.url);
  }
  return createDriver(place, pool, options);
};

function createDriver(place: Place, pool: Pool, options: DriverOptions): Driver {
  const connecting = { ...place, ...options };
  const { url, schema } = place;
  const leases = createLeases(pool, schema, options.environment);
  const reads = createReads(pool, schema);
  const followers = createFollowers({ connecting, pool, schema });
  const committer = new Committer(pool, place, followers.grown);
  // A commit that waits for the disk makes all earlier ones durable.
  const text = `select set_config('synchronous_commit', 'on', true), pg_current_xact_id()`;
  const sync = createSyncs(options, () => void pool.run({ text }).catch(() => undefined));
  const end = new AbortController();
  const know = ({ lease, chain }: Granted): Granted['lease'] => {
    committer.know(lease.session, { seq: lease.head, chain });
    return lease;
  };
  const open = <T>(work: () => T): T => {
    if (end.signal.aborted) throw closed(url);
    return work();
  };
  return {
    url,
    durability: options.durability,
    create: async (session, about) => open(() => leases.create(session, about)),
    acquire: async (session, owner, ttlMs) => know(await open(() => leases.acquire(session, owner, ttlMs))),
    renew: async (lease, ttlMs) => (await open(() => leases.renew(lease, ttlMs))).lease,
    release: async (lease) => {
      committer.forget(lease.session);
      await open(() => leases.release(lease));
    },
    append: async (batch) => {
      const head = await committer.append(batch);
      sync();
      return head;
    },
    head: async (session) => open(() => reads.head(session)),
    info: async (session) => open(() => reads.info(session)),
    read: (session, range) => whenStarted(() => open(() => readLog(reads.log, session, range))),
    list: (query) => whenStarted(() => open(() => listAll(query, reads.list))),
    search: (query) => whenStarted(() => open(() => reads.search(query))),
    follow: (session, { after, signal }) => {
      const following = { log: reads.log, session, after, signal: AbortSignal.any([signal, end.signal]) };
      return whenStarted(() => open(() => follow(followers, following)));
    },
    verify: async (session) => open(() => verifyLog(reads.log, session)),
    erase: async (lease) => {
      const receipt = await open(() => leases.erase(lease));
      committer.forget(lease.session);
      followers.grown(lease.session);
      return receipt;
    },
    close: async () => {
      if (end.signal.aborted) return;
      end.abort();
      await committer.close();
      await followers.close();
      pool.close();
    },
  };
}

type Following = Omit<Parameters<typeof followLog>[0], 'wait'>;

/** A read that fails after the iteration has ended is not an error. */
async function* follow({ join, wait }: Followers, following: Following): AsyncIterable<readonly Stored[]> {
  const leave = join(following.session);
  try {
    yield* followLog({ ...following, wait });
  } catch (error) {
    if (!following.signal.aborted) throw error;
  } finally {
    leave();
  }
}
