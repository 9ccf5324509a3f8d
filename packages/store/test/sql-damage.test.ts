import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';

import type { Driver } from '../src/driver.ts';
import { openPostgres } from '../src/drivers/postgres.ts';
import { keyOf } from '../src/drivers/postgres/place.ts';
import { openSqlite } from '../src/drivers/sqlite.ts';
import { createEnvironment } from '../src/environment.ts';
import { encodeRecord } from '../src/record.ts';
import { freshDatabase, query } from './postgres-server.ts';

/** A driver, and a way to change its tables directly. */
type Bench = {
  readonly driver: Driver;
  readonly run: (sql: string) => Promise<unknown>;
  readonly key: (id: string) => string;
};

const options = { environment: createEnvironment(), durability: 'strict' } as const;
const folder = mkdtempSync(join(tmpdir(), 'rethread-damage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  SQLite: async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const driver = await openSqlite(`sqlite:${path}`, options);
    const run = async (sql: string): Promise<void> => {
      const database = new DatabaseSync(path);
      database.exec(sql.replaceAll('store.', ''));
      database.close();
    };
    return { driver, run, key: (id) => `(select n from sessions where id = '${id}')` };
  },
  PostgreSQL: async () => {
    const url = await freshDatabase();
    const driver = await openPostgres(url, options);
    const run = (sql: string): Promise<unknown> =>
      query(url, sql.replaceAll('store.', 'rethread.').replaceAll("x'", "'\\x"));
    return { driver, run, key: (id) => `'${keyOf(id)}'` };
  },
};

const about = { createdAt: 'then', base: 0 };
const bytesOf = (seq: number, data: string): Uint8Array =>
  encodeRecord({ seq, id: `${seq}`, at: 'now', kind: 'note', data });

async function fill({ driver }: Bench, session: string): Promise<void> {
  await driver.create(session, about);
  const lease = await driver.acquire(session, options.environment.owner(), 60_000);
  const entries = Array.from({ length: 9 }, (_, index) => index + 1).map((seq) => ({
    seq,
    id: `${seq}`,
    kind: 'note',
    bytes: bytesOf(seq, `${session} ${seq}`),
  }));
  await driver.append({ entries, lease, expect: 0, info: { updatedAt: 'now' } });
}

const readUntilDamage = async (driver: Driver, backward: boolean): Promise<[number[], unknown]> => {
  const seqs: number[] = [];
  try {
    for await (const page of driver.read('s', { backward })) seqs.push(...page.map(({ seq }) => seq));
  } catch (error) {
    return [seqs, (error as { code?: unknown }).code];
  }
  return [seqs, undefined];
};

type Damaged = readonly [
  what: string,
  sql: (key: (id: string) => string) => string,
  told: string[],
  forward: number[],
  backward: number[],
];

const altered = Buffer.from(bytesOf(4, 's x')).toString('hex');

const damages: readonly Damaged[] = [
  [
    'altered bytes are noticed',
    (key) => `update store.records set body = x'${altered}' where session = ${key('s')} and seq = 4`,
    ['checksum 4'],
    [1, 2, 3],
    [9, 8, 7, 6, 5],
  ],
  [
    'a missing record is noticed by the next one',
    (key) => `delete from store.records where session = ${key('s')} and seq = 4`,
    ['missing 5'],
    [1, 2, 3],
    [9, 8, 7, 6, 5],
  ],
  [
    'a lost end is noticed by the stored head',
    (key) => `delete from store.records where session = ${key('s')} and seq > 7`,
    ['tail-lost 9'],
    [1, 2, 3, 4, 5, 6, 7],
    [],
  ],
  [
    'a lost beginning is noticed',
    (key) => `delete from store.records where session = ${key('s')} and seq < 3`,
    ['missing 3'],
    [],
    [9, 8, 7, 6, 5, 4, 3],
  ],
  [
    'a record of another session is noticed',
    (key) => `delete from store.records where session = ${key('s')} and seq = 4;
      update store.records set session = ${key('s')} where session = ${key('other')} and seq = 4`,
    ['missing 4', 'missing 5'],
    [1, 2, 3],
    [9, 8, 7, 6, 5],
  ],
  [
    'an empty log with acknowledged records is noticed',
    (key) => `delete from store.records where session = ${key('s')}`,
    ['tail-lost 9'],
    [],
    [],
  ],
];

describe.each(Object.entries(benches))('in %s', (_, open) => {
  test.each(damages)('%s', async (...[, sql, told, forward, backward]) => {
    const bench = await open();
    const { driver } = bench;
    try {
      await fill(bench, 's');
      await fill(bench, 'other');
      expect((await driver.verify('s')).damages).toEqual([]);
      await bench.run(sql(bench.key));
      const verdict = await driver.verify('s');
      expect(verdict.damages.map(({ kind, seq }) => `${kind} ${seq}`)).toEqual(told);
      expect(await readUntilDamage(driver, false)).toEqual([forward, 'damaged']);
      expect(await readUntilDamage(driver, true)).toEqual([backward, 'damaged']);
    } finally {
      await driver.close();
    }
  });
});
