import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import type { Driver, Durability, Entry, Lease } from '../src/driver.ts';
import { openSqlite } from '../src/drivers/sqlite.ts';
import { Jobs } from '../src/drivers/sqlite/jobs.ts';
import { createEnvironment } from '../src/environment.ts';
import { encodeRecord } from '../src/record.ts';
import { StoreError } from '../src/store-error.ts';

const root = mkdtempSync(join(tmpdir(), 'rethread-sqlite-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const environment = createEnvironment();
let folder = root;
let path = '';
let count = 0;
beforeEach(() => {
  folder = join(root, String((count += 1)));
  mkdirSync(folder);
  path = join(folder, 'sessions.db');
});

const open = (durability: Durability = 'strict', place = path): Promise<Driver> =>
  openSqlite(`sqlite:${place}`, { environment, durability });

const begin = async (driver: Driver, session: string): Promise<Lease> => {
  await driver.create(session, { createdAt: 'then', base: 0 });
  return driver.acquire(session, environment.owner(), 60_000);
};

const entry = (seq: number, data: unknown = seq): Entry => ({
  seq,
  id: `${seq}`,
  kind: 'note',
  bytes: encodeRecord({ seq, id: `${seq}`, at: 'now', kind: 'note', data }),
  text: () => (typeof data === 'string' ? data : ''),
});

const tell = (driver: Driver, lease: Lease, one: Entry) =>
  driver.append({ entries: [one], lease, expect: one.seq - 1, info: { updatedAt: 'now' } });

const modes = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );

describe('the file', () => {
  test('and the files next to it are private, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      const driver = await open('strict', join(folder, 'new', 'sessions.db'));
      folder = join(folder, 'new');
      await tell(driver, await begin(driver, 's'), entry(1));
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(modes()).toEqual({ 'sessions.db': '600', 'sessions.db-shm': '600', 'sessions.db-wal': '600' });
      await driver.close();
    } finally {
      process.umask(before);
    }
  });

  test('becomes private if an earlier umask left it open', async () => {
    await (await open()).close();
    chmodSync(path, 0o644);
    await (await open()).close();
    expect(modes()).toEqual({ 'sessions.db': '600' });
  });

  const planted: readonly [what: string, plant: (place: string) => void][] = [
    ['a link', (place) => symlinkSync('/etc/hosts', place)],
    ['a link to nothing', (place) => symlinkSync(join(root, 'elsewhere'), place)],
    ['a directory', (place) => mkdirSync(place)],
    ['a pipe', (place) => void execFileSync('mkfifo', [place])],
  ];
  const places = ['', '-wal', '-shm', '-journal'];
  test.each(planted.flatMap(([what, plant]) => places.map((suffix) => [what, suffix, plant] as const)))(
    'is not opened if %s is in place of the file with suffix "%s"',
    async (_, suffix, plant) => {
      plant(`${path}${suffix}`);
      await expect(open()).rejects.toMatchObject({ code: 'unsafe' });
    },
  );

  test('of another program is left unchanged', async () => {
    const database = new DatabaseSync(path);
    database.exec('create table theirs (x); insert into theirs values (1)');
    database.close();
    const before = readFileSync(path);
    await expect(open()).rejects.toMatchObject({ code: 'not-ours' });
    expect(readFileSync(path).equals(before)).toBe(true);
    writeFileSync(
      path,
      'a letter to somebody, which is longer than a header of a hundred bytes would be, and no database',
    );
    await expect(open()).rejects.toMatchObject({ code: 'not-ours' });
    expect(readFileSync(path, 'utf8')).toMatch(/^a letter/);
  });

  test('of a newer release is refused by name', async () => {
    await (await open()).close();
    const database = new DatabaseSync(path);
    database.exec('pragma user_version = 99');
    database.close();
    await expect(open()).rejects.toMatchObject({ code: 'unsupported', message: /newer release/ });
  });

  test.each(['sqlite:', 'sqlite::memory:'])('needs a path, which %s does not have', async (url) => {
    await expect(openSqlite(url, { environment, durability: 'strict' })).rejects.toMatchObject({ code: 'unsupported' });
  });
});

describe('durability', () => {
  const levels: readonly [Durability, number][] = [
    ['strict', 2],
    ['os', 1],
    [{ batchMs: 5 }, 1],
  ];
  test.each(levels)('%j selects the sync mode of SQLite, with a write-ahead log', async (level, expected) => {
    // Connection settings can only be read on that connection, so this one is set up like the driver's.
    const { setUpDatabase } = await import('../src/drivers/sqlite/schema.ts');
    const database = new DatabaseSync(path);
    setUpDatabase(database, { path, environment, durability: level });
    expect(database.prepare('pragma synchronous').get()).toEqual({ synchronous: expected });
    expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
    database.close();
  });

  test('appends of one tick share one transaction', async () => {
    const database = new DatabaseSync(path);
    database.exec('create table t (n integer)');
    const jobs = new Jobs({ database, environment, path, committed: () => undefined });
    const add = database.prepare('insert into t values (?)');
    const refused = jobs.add(() => {
      throw new StoreError('stale', 'made to fail');
    });
    await Promise.all([
      ...Array.from({ length: 64 }, (_, n) => jobs.add(() => add.run(n))),
      refused.catch(() => undefined),
    ]);
    expect(jobs.commits).toBe(1);
    await expect(refused).rejects.toMatchObject({ code: 'stale' });
    await jobs.close();
    expect(database.prepare('select count(*) as n from t').get()).toEqual({ n: 64 });
    database.close();
  });

  test('a full disk refuses what does not fit, keeps what is stored and accepts what fits', async () => {
    const database = new DatabaseSync(path);
    database.exec('pragma page_size = 4096; create table t (b blob); pragma max_page_count = 20');
    const jobs = new Jobs({ database, environment, path, committed: () => undefined });
    const add = database.prepare('insert into t values (?)');
    const write = (bytes: number): Promise<unknown> => jobs.add(() => add.run(new Uint8Array(bytes)));
    await write(100);
    const outcomes = await Promise.allSettled([write(100), write(1_000_000), write(200)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(write(1_000_000)).rejects.toMatchObject({ code: 'full' });
    expect(database.prepare('select length(b) as n from t').all()).toEqual([{ n: 100 }, { n: 100 }, { n: 200 }]);
    await jobs.close();
    database.close();
  });
});

test.each([0, 86_400_000, -86_400_000])(
  'a write waits for the lock of another process, however the clock jumps (by %i ms each time)',
  async (step) => {
    let now = Date.now();
    const jumping = createEnvironment({ now: () => (now += step) });
    const driver = await openSqlite(`sqlite:${path}`, { environment: jumping, durability: 'strict' });
    const lease = await begin(driver, 's');
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    setTimeout(() => other.exec('commit'), 100);
    expect(await tell(driver, lease, entry(1))).toEqual({ seq: 1, epoch: 1 });
    other.close();
    await driver.close();
  },
);

test('a write waits for the lock of another process without blocking the event loop', async () => {
  const driver = await open();
  const lease = await begin(driver, 's');
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  let ticks = 0;
  const ticking = setInterval(() => void (ticks += 1), 5);
  setTimeout(() => other.exec('commit'), 200);
  expect(await tell(driver, lease, entry(1))).toEqual({ seq: 1, epoch: 1 });
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(5);
  other.close();
  await driver.close();
});

/** All files that contain a word. */
const filesWith = (word: string): string[] =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(word));

/** A read connection that keeps its snapshot, as a backup does. */
function holdSnapshot(): DatabaseSync {
  const reader = new DatabaseSync(path);
  reader.exec('begin');
  reader.prepare('select count(*) from sessions').get();
  return reader;
}

async function until(met: () => boolean): Promise<void> {
  for (const end = performance.now() + 20_000; !met() && performance.now() < end;) {
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
}

describe('an erasure during a read', () => {
  const secret = 'plughsecret';
  const eraseBesideReader = async (): Promise<{ driver: Driver; reader: DatabaseSync; remains: readonly string[] }> => {
    const driver = await open();
    const lease = await begin(driver, 'secret');
    for (let seq = 1; seq <= 20; seq += 1) await tell(driver, lease, entry(seq, `${secret}${seq} ${'.'.repeat(900)}`));
    const reader = holdSnapshot();
    const { remains = [] } = await driver.erase(lease);
    return { driver, reader, remains };
  };

  test('reports what is left and removes it when the reader is done', async () => {
    const { driver, reader, remains } = await eraseBesideReader();
    expect(remains).toEqual([expect.stringMatching(/sessions\.db-wal" could not be emptied yet/)]);
    expect(filesWith(secret)).not.toEqual([]);
    reader.close();
    await until(() => filesWith(secret).length === 0);
    expect(filesWith(secret)).toEqual([]);
    await driver.close();
  });

  test('is completed by the next process that opens the file, if the eraser has ended', async () => {
    const { driver, reader } = await eraseBesideReader();
    await driver.close();
    // The last connection would empty the log on close, so another one stays open.
    const other = new DatabaseSync(path);
    other.prepare('select count(*) from sessions').get();
    reader.close();
    expect(filesWith(secret)).not.toEqual([]);
    const next = await open();
    await until(() => filesWith(secret).length === 0);
    expect(filesWith(secret)).toEqual([]);
    other.close();
    await next.close();
  });

  test('waits for a short read, and then nothing is left', async () => {
    const driver = await open();
    const lease = await begin(driver, 'secret');
    await tell(driver, lease, entry(1, secret));
    const reader = holdSnapshot();
    setTimeout(() => reader.close(), 100);
    expect(await driver.erase(lease)).toEqual({ records: 1, bytes: entry(1, secret).bytes.length });
    expect(filesWith(secret)).toEqual([]);
    await driver.close();
  });
});

test('a database of the first release is migrated with its contents', async () => {
  const driver = await open();
  await tell(driver, await begin(driver, 's'), entry(1));
  await driver.close();
  const database = new DatabaseSync(path);
  database.exec(`alter table sessions drop column importing; alter table erased drop column pending;
    pragma user_version = 1`);
  database.close();
  const next = await open();
  expect(await next.info('s')).toMatchObject({ seq: 1, records: 1 });
  expect((await next.info('s'))?.importing).toBe(undefined);
  await next.close();
});

test('the files contain nothing of an erased session', async () => {
  const driver = await open();
  const secret = 'xyzzysecret';
  const lease = await begin(driver, `name ${secret}`);
  for (let seq = 1; seq <= 50; seq += 1) await tell(driver, lease, entry(seq, `${secret}${seq} ${'.'.repeat(5_000)}`));
  const kept = await begin(driver, 'kept');
  await tell(driver, kept, entry(1, 'kept words'));
  const found = (): number =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(secret)).length;
  expect(found()).toBeGreaterThan(0);
  expect(await driver.erase(lease)).toMatchObject({ records: 50 });
  expect(found()).toBe(0);
  const hits = [];
  for await (const hit of driver.search({ words: ['kept'] })) hits.push(hit);
  expect(hits).toEqual([{ session: 'kept', seq: 1 }]);
  await driver.close();
  expect(found()).toBe(0);
});
