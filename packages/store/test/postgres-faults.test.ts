import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Driver, Durability, Entry, Lease } from '../src/driver.ts';
import { openPostgres } from '../src/drivers/postgres.ts';
import { Committer } from '../src/drivers/postgres/committer.ts';
import { placeOf } from '../src/drivers/postgres/place.ts';
import { Pool } from '../src/drivers/postgres/pool.ts';
import { type Notice, createEnvironment } from '../src/environment.ts';
import { encodeRecord } from '../src/record.ts';
import { freshDatabase, query, startServer } from './postgres-server.ts';

const notices: Notice[] = [];
const environment = createEnvironment({ tell: (notice) => void notices.push(notice) });
const about = { createdAt: 'then', base: 0 };

const entry = (seq: number): Entry => ({
  seq,
  id: `${seq}`,
  kind: 'note',
  bytes: encodeRecord({ seq, id: `${seq}`, at: 'now', kind: 'note', data: seq }),
});

const open = (url: string, durability: Durability = 'strict', world = environment): Promise<Driver> =>
  openPostgres(url, { environment: world, durability });

const begin = async (driver: Driver, session: string): Promise<Lease> => {
  await driver.create(session, about);
  return driver.acquire(session, environment.owner(), 60_000);
};

const write = async (driver: Driver, lease: Lease, count: number): Promise<void> => {
  for (let seq = 1; seq <= count; seq += 1)
    await driver.append({ entries: [entry(seq)], lease, expect: seq - 1, info: { updatedAt: 'now' } });
};

const seqsOf = async (driver: Driver, session: string): Promise<number[]> => {
  const pages: number[][] = [];
  for await (const page of driver.read(session, {})) pages.push(page.map(({ seq }) => seq));
  return pages.flat();
};

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

let database: string;
beforeAll(async () => {
  database = await freshDatabase();
});

const opened: Driver[] = [];
const keep = async (driver: Promise<Driver>): Promise<Driver> => {
  const kept = await driver;
  opened.push(kept);
  return kept;
};
afterAll(() => Promise.all(opened.map((driver) => driver.close())));

describe('server settings that break a promise', () => {
  test('synchronous_commit=off is refused at strict, and is what os requests', async () => {
    const url = await freshDatabase();
    const { pathname } = new URL(url);
    await query(url, `alter database ${pathname.slice(1)} set synchronous_commit = off`);
    await expect(open(url)).rejects.toMatchObject({ code: 'unsafe', message: /synchronous_commit is off/ });
    const driver = await keep(open(url, 'os'));
    await write(driver, await begin(driver, 's'), 3);
    expect(await seqsOf(driver, 's')).toEqual([1, 2, 3]);
  });

  test('fsync=off is refused at strict and reported at other levels', async () => {
    const server = await startServer({ fsync: 'off', full_page_writes: 'off' });
    try {
      await expect(open(server.url)).rejects.toMatchObject({ code: 'unsafe', message: /fsync is off/ });
      const driver = await open(server.url, { batchMs: 5 });
      await write(driver, await begin(driver, 's'), 3);
      await driver.close();
      expect(notices.map(({ sentence }) => sentence).join('\n')).toMatch(/fsync is off[^]*full_page_writes is off/);
    } finally {
      await server.stop();
    }
  });

  test('a malicious search path has no effect', async () => {
    const url = await freshDatabase();
    const { pathname } = new URL(url);
    await query(url, 'create schema evil');
    await query(url, `create function evil.strpos(text, text) returns integer language sql as 'select 1 / 0'`);
    await query(url, `create function evil.unnest(uuid[]) returns setof uuid language sql as 'select null::uuid'`);
    await query(url, `alter database ${pathname.slice(1)} set search_path = evil, pg_catalog`);
    const driver = await keep(open(url));
    await write(driver, await begin(driver, 's'), 2);
    expect(await seqsOf(driver, 's')).toEqual([1, 2]);
  });
});

describe('clocks', () => {
  const day = 86_400_000;
  const decade = 3_652 * day;
  const ownerOn = (host: string) => ({ ...environment.owner(), host });

  test('years apart on different workers do not affect a lease', async () => {
    const url = await freshDatabase();
    const worlds = [0, decade, -decade].map((off) => createEnvironment({ now: () => Date.now() + off }));
    const [ours, ahead, behind] = await Promise.all(worlds.map((world) => keep(open(url, 'strict', world))));
    await ours?.create('s', about);
    const lease = await ours?.acquire('s', ownerOn('here'), 60_000);
    for (const other of [ahead, behind]) {
      await expect(other?.acquire('s', ownerOn('elsewhere'), 60_000)).rejects.toMatchObject({ code: 'conflict' });
    }
    if (lease !== undefined) await ours?.release(lease);
    const short = await behind?.acquire('s', ownerOn('here'), 30);
    await new Promise((resolve) => void setTimeout(resolve, 60));
    expect(await ahead?.acquire('s', ownerOn('elsewhere'), 60_000)).toMatchObject({ epoch: 3 });
    if (short !== undefined) await expect(behind?.renew(short, 30)).rejects.toMatchObject({ code: 'stale' });
  });

  test('set back years on the server block nobody for longer than a lease', async () => {
    const url = await freshDatabase();
    const driver = await keep(open(url));
    await driver.create('s', about);
    await driver.acquire('s', ownerOn('here'), 60_000);
    await expect(driver.acquire('s', ownerOn('elsewhere'), 60_000)).rejects.toMatchObject({ code: 'conflict' });
    await query(url, `update rethread.sessions set expires = expires + ${decade}`);
    expect(await driver.acquire('s', ownerOn('elsewhere'), 60_000)).toMatchObject({ epoch: 2 });
  });

  test('that jump during retries neither shorten nor extend the patience', async () => {
    const url = await freshDatabase();
    for (const step of [day, -day]) {
      let now = Date.now();
      const world = createEnvironment({ now: () => (now += step) });
      const driver = await keep(open(url, 'strict', world));
      const lease = await begin(driver, `s ${step}`);
      await query(url, 'create sequence if not exists rethread.tries');
      await query(
        url,
        `create or replace function rethread.fail() returns trigger language plpgsql as $$ begin
           if nextval('rethread.tries') % 4 <> 0 then raise exception 'again' using errcode = '40001'; end if;
           return new;
         end $$;
         create or replace trigger fail before insert on rethread.records
           for each row execute function rethread.fail()`,
      );
      await write(driver, lease, 3);
      expect(await seqsOf(driver, `s ${step}`)).toEqual([1, 2, 3]);
    }
    let now = Date.now();
    const backward = createEnvironment({ now: () => (now -= day) });
    const began = performance.now();
    await expect(open('postgres://nobody@127.0.0.1:1/x', 'strict', backward)).rejects.toMatchObject({ code: 'io' });
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

test('a schema of the first release is migrated with its contents', async () => {
  const url = await freshDatabase();
  const driver = await open(url);
  await write(driver, await begin(driver, 's'), 2);
  await driver.close();
  await query(url, 'alter table rethread.sessions drop column importing, drop column ttl');
  await query(url, 'update rethread.schema_version set version = 1');
  const next = await keep(open(url));
  expect(await next.info('s')).toMatchObject({ seq: 2, records: 2 });
  expect(await seqsOf(next, 's')).toEqual([1, 2]);
});

describe('failures that pass', () => {
  /** Makes the server fail some appends, as it would under load. */
  const failing = async (url: string, code: string): Promise<void> => {
    await query(url, 'create sequence rethread.attempts');
    await query(
      url,
      `create function rethread.fail() returns trigger language plpgsql as $$
       begin
         if nextval('rethread.attempts') % 3 <> 0 then raise exception 'made to fail' using errcode = '${code}'; end if;
         return new;
       end $$`,
    );
    await query(
      url,
      'create trigger fail before insert on rethread.records for each row execute function rethread.fail()',
    );
  };

  test.each(['40001', '40P01', '55P03', '57P01'])('%s is retried, and every record is stored once', async (code) => {
    const url = await freshDatabase();
    const driver = await keep(open(url));
    const lease = await begin(driver, 's');
    await failing(url, code);
    await write(driver, lease, 20);
    expect(await seqsOf(driver, 's')).toEqual(upTo(20));
    const [row] = await query(url, `select last_value from rethread.attempts`);
    expect(Number(row?.['last_value'])).toBeGreaterThanOrEqual(60);
  });

  test('repeatedly terminated backends lose nothing', async () => {
    const url = await freshDatabase();
    const driver = await keep(open(url));
    const lease = await begin(driver, 's');
    let killed = 0;
    const enough = (): boolean => killed > 3;
    let written = 0;
    // Even on a fast disk there must be appends left to interrupt.
    const writing = (async () => {
      for (; written < 200 || !enough(); written += 1) {
        const seq = written + 1;
        await driver.append({ entries: [entry(seq)], lease, expect: written, info: { updatedAt: 'now' } });
      }
    })();
    while (!enough()) {
      const rows = await query(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
      killed += rows.length;
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    await writing;
    expect(await seqsOf(driver, 's')).toEqual(upTo(written));
  });

  test('a permanent failure is reported at once and leaves the session as it was', async () => {
    const url = await freshDatabase();
    const driver = await keep(open(url));
    const lease = await begin(driver, 's');
    await query(url, `alter table rethread.records add constraint small check (seq < 3)`);
    await expect(write(driver, lease, 3)).rejects.toMatchObject({ code: 'io', details: { system: '23514' } });
    await query(url, `alter table rethread.records drop constraint small`);
    await driver.append({ entries: [entry(3)], lease, expect: 2, info: { updatedAt: 'now' } });
    expect(await seqsOf(driver, 's')).toEqual([1, 2, 3]);
  });
});

test('256 sessions write through 4 connections and share their statements', async () => {
  const url = new URL(await freshDatabase());
  url.searchParams.set('connections', '4');
  const driver = await keep(open(url.href));
  const leases = await Promise.all(upTo(256).map((n) => begin(driver, `session ${n}`)));
  await Promise.all(leases.map((lease) => write(driver, lease, 8)));
  const [{ most } = {}] = await query(
    url.href.replace(/\?.*/, ''),
    `select count(*) as most from pg_stat_activity
     where application_name = 'rethread' and datname = current_database()`,
  );
  expect(Number(most)).toBeLessThanOrEqual(4);
  const [{ transactions } = {}] = await query(
    url.href.replace(/\?.*/, ''),
    'select count(distinct xmin::text) as transactions from rethread.records',
  );
  expect(Number(transactions)).toBeLessThan((256 * 8) / 10);
  for (const lease of leases) expect(await driver.head(lease.session)).toMatchObject({ seq: 8 });
});

test('a lost or released session is forgotten', async () => {
  const url = await freshDatabase();
  const driver = await keep(open(url));
  const place = placeOf(url);
  const pool = new Pool({ ...place, environment, durability: 'strict' }, 2);
  const committer = new Committer(pool, place, () => undefined);
  const leases = await Promise.all(upTo(20).map((n) => begin(driver, `s ${n}`)));
  const tell = (lease: Lease, seq: number) =>
    committer.append({ entries: [entry(seq)], lease, expect: seq - 1, info: { updatedAt: 'now' } });
  await Promise.all(leases.map((lease) => tell(lease, 1)));
  expect(committer.known).toBe(20);
  for (const lease of leases.slice(0, 10)) committer.forget(lease.session);
  for (const lease of leases.slice(10)) await driver.release(lease);
  for (const { session } of leases.slice(10)) await driver.acquire(session, environment.owner(), 1_000);
  for (const lease of leases.slice(10)) await expect(tell(lease, 2)).rejects.toMatchObject({ code: 'stale' });
  expect(committer.known).toBe(0);
  await committer.close();
  pool.close();
});

describe('the schema', () => {
  test('workers that start together create an empty database once', async () => {
    const url = await freshDatabase();
    const drivers = await Promise.all(upTo(6).map(() => keep(open(url))));
    await drivers[0]?.create('s', about);
    expect(await drivers[5]?.head('s')).toEqual({ seq: 0, epoch: 0 });
  });

  test('a newer schema is refused, and so is a foreign one', async () => {
    const url = await freshDatabase();
    await query(url, 'create schema rethread; create table rethread.sessions (whatever text)');
    await expect(open(url)).rejects.toMatchObject({ code: 'not-ours' });
    await query(url, 'drop schema rethread cascade');
    await (await open(url)).close();
    await query(url, 'update rethread.schema_version set version = 99');
    await expect(open(url)).rejects.toMatchObject({ code: 'unsupported', message: /newer release/ });
  });

  test.each(['a"; drop schema public; --', 'pg_catalog', 'Ünicode', '', 'x'.repeat(41)])(
    '%j is not a valid name',
    async (name) => {
      const url = new URL(database);
      url.searchParams.set('schema', name);
      await expect(open(url.href)).rejects.toMatchObject({ code: 'unsafe' });
    },
  );

  test('a user without schema permission can use it', async () => {
    const url = new URL(await freshDatabase());
    await (await open(url.href)).close();
    const role = `worker_${Date.now()}`;
    await query(url.href, `create role ${role} login password 'secret'`);
    await query(url.href, `grant usage on schema rethread to ${role}`);
    await query(url.href, `grant select, insert, update, delete on all tables in schema rethread to ${role}`);
    url.username = role;
    url.password = 'secret';
    const driver = await keep(open(url.href));
    await write(driver, await begin(driver, 's'), 2);
    expect(driver.url).not.toContain('secret');
  });
});

test('a follower continues with the next record after its connection is lost', async () => {
  const url = await freshDatabase();
  const [writer, follower] = [await keep(open(url)), await keep(open(url))];
  const lease = await begin(writer, 's');
  const stop = new AbortController();
  const seen: number[] = [];
  const following = (async () => {
    for await (const page of follower.follow('s', { after: 0, signal: stop.signal })) {
      seen.push(...page.map(({ seq }) => seq));
      if (seen.length === 3) stop.abort();
    }
  })();
  const tell = (seq: number) =>
    writer.append({ entries: [entry(seq)], lease, expect: seq - 1, info: { updatedAt: 'now' } });
  await tell(1);
  await query(url, `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`);
  await tell(2);
  await tell(3);
  await following;
  expect(seen).toEqual([1, 2, 3]);
});

test('without the package pg, one clear sentence says so', async () => {
  const source = (path: string): string => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href);
  const program = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) => {
      if (name === 'pg') throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(name, context);
    } });
    const { openPostgres } = await import(${source('drivers/postgres.ts')});
    const { createEnvironment } = await import(${source('environment.ts')});
    const options = { environment: createEnvironment(), durability: 'strict' };
    const told = (error) => console.log(error.code, error.message);
    await openPostgres('postgres://nobody@127.0.0.1:1/x', options).catch(told);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  await once(child, 'close');
  expect(said.trim()).toBe(
    'unsupported a postgres: store needs the package pg, which is not installed: npm install pg',
  );
});
