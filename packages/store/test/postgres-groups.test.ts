import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Batch, Driver, Entry, Lease } from '../src/driver.ts';
import { openPostgres } from '../src/drivers/postgres.ts';
import { Column } from '../src/drivers/postgres/columns.ts';
import { createEnvironment } from '../src/environment.ts';
import { encodeRecord } from '../src/record.ts';
import { freshDatabase, query, startServer } from './postgres-server.ts';
import { type Passing, startProxy } from './postgres/proxy.ts';

const environment = createEnvironment();
const open = (url: string): Promise<Driver> => openPostgres(url, { environment, durability: 'strict' });

const entry = (seq: number, data: unknown = seq): Entry => {
  const id = `${seq}`;
  return { seq, id, kind: 'note', bytes: encodeRecord({ seq, id, at: 'now', kind: 'note', data }) };
};

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const begin = async (driver: Driver, session: string): Promise<Lease> => {
  await driver.create(session, { createdAt: 'then', base: 0 });
  return driver.acquire(session, environment.owner(), 60_000);
};

const seqsOf = async (driver: Driver, session: string): Promise<number[]> => {
  const pages: number[][] = [];
  for await (const page of driver.read(session, {})) pages.push(page.map(({ seq }) => seq));
  return pages.flat();
};

/** The kinds of batches in a group: one record each, or some with several records or a new title. */
const shapes: readonly (readonly [string, (lease: Lease, at: number) => Omit<Batch, 'lease'>])[] = [
  ['one record each', () => ({ entries: [entry(1)], expect: 0, info: { updatedAt: 'now' } })],
  [
    'several records and titles',
    (_, at) => ({
      entries: upTo(1 + (at % 3)).map((seq) => entry(seq)),
      expect: 0,
      info: { updatedAt: 'now', ...(at % 2 === 0 ? { title: `"${at}", {of} many\\` } : {}) },
    }),
  ],
];

describe.each(shapes)('a group with %s', (_name, batchOf) => {
  test('with invalid appends writes all the others', async () => {
    const driver = await open(await freshDatabase());
    const leases = await Promise.all(upTo(20).map((n) => begin(driver, `s ${n}`)));
    const thief = await driver.acquire('s 7', { ...environment.owner(), id: leases[6]?.owner.id ?? '' }, 60_000);
    const outcomes = await Promise.allSettled(
      leases.map((lease, at) => {
        const batch = { ...batchOf(lease, at), lease };
        return driver.append(at === 11 ? { ...batch, entries: [entry(6)], expect: 5 } : batch);
      }),
    );
    const refused = outcomes.flatMap((outcome, at) => (outcome.status === 'fulfilled' ? [] : [[at, outcome.reason]]));
    expect(refused).toMatchObject([
      [6, { code: 'stale' }],
      [11, { code: 'conflict' }],
    ]);
    for (const [at, { session }] of leases.entries()) {
      const count = at === 6 || at === 11 ? 0 : batchOf(thief, at).entries.length;
      expect(await seqsOf(driver, session)).toEqual(upTo(count));
      const { damages, records } = await driver.verify(session);
      expect({ damages, records }).toEqual({ damages: [], records: count });
    }
    await driver.close();
  });
});

describe('a connection cut in the middle of a group', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  const steps: readonly (readonly ['client' | 'server', string, 'before' | 'inside' | 'after'])[] = [
    ['client', 'B', 'before'],
    ['client', 'B', 'inside'],
    ['client', 'S', 'before'],
    ['client', 'S', 'after'],
    ['server', '2', 'after'],
    ['server', 'n', 'before'],
    ['server', 'C', 'before'],
    ['server', 'Z', 'before'],
  ];

  test.each(steps)('at %s %s, %s it, leaves every operation exactly once', async (from, type, where) => {
    const direct = new URL(await freshDatabase(server.url));
    let cuts = -1;
    const proxy = await startProxy(server.port, (message: Passing) => {
      if (cuts < 0 || message.from !== from || message.type !== type) return 'pass';
      cuts += 1;
      return cuts === 1 || cuts === 2 ? where : 'pass';
    });
    const through = new URL(direct);
    through.port = `${proxy.port}`;
    const [judge, driver] = [await open(direct.href), await open(through.href)];
    const leases = await Promise.all(upTo(24).map((n) => begin(driver, `s ${n}`)));
    const append = (lease: Lease, seq: number) =>
      driver.append({ entries: [entry(seq)], lease, expect: seq - 1, op: `op ${seq}`, info: { updatedAt: 'now' } });
    await Promise.all(leases.map((lease) => append(lease, 1)));
    cuts = 0;
    await Promise.all(leases.map((lease) => append(lease, 2)));
    expect(cuts).toBeGreaterThan(0);
    await Promise.all(leases.map((lease) => append(lease, 3)));
    // Once more, like a writer that never got the response.
    for (const lease of leases) expect(await append(lease, 2)).toMatchObject({ seq: 2 });
    for (const { session } of leases) {
      expect(await seqsOf(judge, session)).toEqual([1, 2, 3]);
      expect((await judge.verify(session)).damages).toEqual([]);
    }
    const [{ ops } = {}] = await query(direct.href, 'select count(*) as ops from rethread.ops');
    expect(Number(ops)).toBe(24 * 3);
    await Promise.all([driver.close(), judge.close()]);
    await proxy.close();
  });
});

describe('a list in the server format', () => {
  const told = async (type: string, column: Column): Promise<unknown> => {
    const url = await freshDatabase();
    const [row] = await query(url, `select to_json($1::${type}[]) as told`, [column.written]);
    return row?.['told'];
  };

  test('is read as the values put into it', async () => {
    const [bigints, integers, texts] = [new Column('bigint', 2), new Column('integer', 0), new Column('text', 1)];
    const numbers = [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 999_999_999_999_999, Number.MAX_SAFE_INTEGER];
    for (const number of numbers) bigints.bigint(number);
    expect(await told('bigint', bigints)).toEqual(numbers);
    const signed = [0, -1, 2 ** 31 - 1, -(2 ** 31)];
    for (const number of signed) integers.integer(number);
    expect(await told('integer', integers)).toEqual(signed);
    const words = ['', 'NULL', '"a", {b}\\', 'ä😀'.repeat(500), '\n'];
    for (const word of words) {
      texts.text(word);
      texts.null();
    }
    expect(await told('text', texts)).toEqual(words.flatMap((word) => [word, null]));
    const keys = new Column('uuid', 1);
    keys.uuid(Buffer.from('00112233445566778899aabbccddeeff', 'hex'));
    expect(await told('uuid', keys)).toEqual(['00112233-4455-6677-8899-aabbccddeeff']);
    const flags = new Column('boolean', 3);
    flags.boolean(true);
    flags.boolean(false);
    flags.null();
    expect(await told('boolean', flags)).toEqual([true, false, null]);
  });

  test('may be empty', async () => {
    expect(await told('uuid', new Column('uuid', 0))).toEqual([]);
  });
});
