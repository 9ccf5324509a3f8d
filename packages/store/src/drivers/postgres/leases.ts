import type { Erased, Lease, NewSession } from '../../driver.ts';
import type { Environment } from '../../environment.ts';
import type { Owner } from '../../owner.ts';
import { chainStart } from '../sql/chain.ts';
import { exists, held, missing, sharedRecords, stale } from '../../refusals.ts';
import { newSessionValues, ownerOf, ownerText } from '../sql/session-row.ts';
import { fromStoredText } from '../sql/stored-text.ts';
import type { Connection, Rows } from './client.ts';
import { keyOf } from './place.ts';
import type { Pool } from './pool.ts';

/** A lease and the checksum that the next record is chained to. */
export type Granted = { readonly lease: Lease; readonly chain: number };

/** Leases, creation and erasure. Each may be repeated after an unknown outcome. */
export type Leases = {
  readonly create: (session: string, about: NewSession) => Promise<void>;
  readonly acquire: (session: string, owner: Owner, ttlMs: number) => Promise<Granted>;
  readonly renew: (lease: Lease, ttlMs: number) => Promise<Granted>;
  readonly release: (lease: Lease) => Promise<void>;
  readonly erase: (lease: Lease) => Promise<Erased>;
};

/** The database's clock, which all workers share. */
const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** An expiry far in the future means that the clock was set back. */
const over = `(expires <= ${now} or (ttl > 0 and expires - ${now} > ttl * 2))`;

const statements = (schema: string) => ({
  // Locks the source while the fork is created: an eraser either waits and finds the fork, or came first.
  create: `with source as (select key from ${schema}.sessions where key = $12 for key share)
    insert into ${schema}.sessions
      (id, created_at, updated_at, title, parent, fork_from, fork_at, base, seq, importing,
       key, parent_key, fork_key, chain, made, epoch)
    select $1, $2, $3, $4, $5, $6, $7::bigint, $8::bigint, $8::bigint, $9::integer = 1,
      $10, $11, $12, $13::integer, $14, epoch
    from ${schema}.erased where $12::uuid is null or exists (select from source) on conflict (key) do nothing`,
  made: `select made from ${schema}.sessions where key = $1`,
  acquire: `update ${schema}.sessions
    set epoch = epoch + 1, holder = $2, owner = $3, expires = ${now} + $4::bigint, ttl = $4::bigint
    where key = $1 and (owner is null or holder = $2 or owner = $5 or ${over})
    returning seq, epoch, chain, expires, importing`,
  renew: `update ${schema}.sessions set owner = $4, expires = ${now} + $5::bigint, ttl = $5::bigint
    where key = $1 and epoch = $2 and holder = $3 returning seq, epoch, chain, expires, importing`,
  release: `update ${schema}.sessions set owner = null where key = $1 and epoch = $2 and holder = $3`,
  standing: `select seq, owner from ${schema}.sessions where key = $1`,
  lock: `select records, bytes from ${schema}.sessions where key = $1 and epoch = $2 and holder = $3 for update`,
  forks: `select id from ${schema}.sessions where fork_key = $1 order by id`,
  forget: [
    `delete from ${schema}.records where session = $1`,
    `delete from ${schema}.ops where session = $1`,
    `delete from ${schema}.words where session = $1`,
    `update ${schema}.erased set epoch = greatest(epoch, (select epoch from ${schema}.sessions where key = $1))`,
    `delete from ${schema}.sessions where key = $1`,
  ],
});

type Standing = { readonly head: number; readonly owner: Owner | undefined };

const standingOf = ([row]: Rows, session: string): Standing => {
  if (row === undefined) throw missing(session);
  return { head: Number(row['seq']), owner: ownerOf(row['owner']) };
};

const grantOf = ([row]: Rows, session: string, owner: Owner): Granted | undefined =>
  row && {
    lease: {
      session,
      owner,
      epoch: Number(row['epoch']),
      expires: Number(row['expires']),
      head: Number(row['seq']),
      ...(row['importing'] === true ? { importing: true as const } : {}),
    },
    chain: Number(row['chain']),
  };

const fenceOf = ({ session, epoch, owner }: Lease): readonly unknown[] => [keyOf(session), epoch, keyOf(owner.id)];

export function createLeases(pool: Pool, schema: string, environment: Environment): Leases {
  const sql = statements(schema);
  const standing = async (session: string): Promise<Standing> =>
    standingOf(await pool.run({ text: sql.standing, values: [keyOf(session)] }), session);
  const take = async (session: string, owner: Owner, { ttlMs, dead }: { ttlMs: number; dead: Owner | undefined }) => {
    const proved = dead === undefined ? null : ownerText(dead);
    const values = [keyOf(session), keyOf(owner.id), ownerText(owner), Math.ceil(ttlMs), proved];
    return grantOf(await pool.run({ text: sql.acquire, values }), session, owner);
  };
  return {
    create: async (session, about) => {
      const made = keyOf(environment.id());
      const optional = [about.parent, about.fork?.from].map((id) => (id === undefined ? null : keyOf(id)));
      const values = [...newSessionValues(session, about), keyOf(session), ...optional, chainStart(session), made];
      await pool.run({ text: sql.create, values });
      // The row may come from an earlier attempt of this call whose connection broke.
      const [row] = await pool.run({ text: sql.made, values: [keyOf(session)] });
      if (row === undefined && about.fork !== undefined) throw missing(about.fork.from);
      if (String(row?.['made']).replaceAll('-', '') !== made) throw exists(session);
    },
    acquire: async (session, owner, ttlMs) => {
      let dead: Owner | undefined;
      while (true) {
        const granted = await take(session, owner, { ttlMs, dead });
        if (granted !== undefined) return granted;
        const { head, owner: holder } = await standing(session);
        // The lease was released meanwhile, so the next attempt succeeds.
        if (holder === undefined) continue;
        if (environment.alive(holder) !== false) throw held(session, { head, owner: holder });
        dead = holder;
      }
    },
    renew: async (lease, ttlMs) => {
      const { session, owner } = lease;
      const values = [...fenceOf(lease), ownerText(owner), Math.ceil(ttlMs)];
      const granted = grantOf(await pool.run({ text: sql.renew, values }), session, owner);
      if (granted === undefined) throw stale(session, await standing(session));
      return granted;
    },
    release: async (lease) => void (await pool.run({ text: sql.release, values: fenceOf(lease) })),
    erase: (lease) => erase(pool, sql, lease),
  };
}

type Sql = ReturnType<typeof statements>;

async function eraseOnce(connection: Connection, sql: Sql, lease: Lease): Promise<Erased | Standing> {
  const { session } = lease;
  // The row lock waits for a running append; the next statements see its records.
  const [row] = await connection.run({ text: sql.lock, values: fenceOf(lease) });
  if (row === undefined)
    return standingOf(await connection.run({ text: sql.standing, values: [keyOf(session)] }), session);
  const forks = await connection.run({ text: sql.forks, values: [keyOf(session)] });
  if (forks.length > 0) {
    throw sharedRecords(
      session,
      forks.map(({ id }) => fromStoredText(String(id))),
    );
  }
  for (const text of sql.forget) await connection.run({ text, values: [keyOf(session)] });
  return { records: Number(row['records']), bytes: Number(row['bytes']) };
}

async function erase(pool: Pool, sql: Sql, lease: Lease): Promise<Erased> {
  let counted: Erased | undefined;
  return pool.persist(async (connection) => {
    await connection.run({ text: 'begin' });
    try {
      const done = await eraseOnce(connection, sql, lease);
      if ('head' in done) throw stale(lease.session, done);
      counted = done;
      await connection.run({ text: 'commit' });
      return done;
    } catch (error) {
      if (!connection.broken()) await connection.run({ text: 'rollback' }).catch(() => undefined);
      // An earlier attempt of this call erased it and had counted its records.
      if (counted !== undefined && isMissing(error)) return counted;
      throw error;
    }
  });
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'missing';
