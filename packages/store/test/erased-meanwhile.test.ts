import { describe, expect, test } from 'vitest';

import { reportChild } from '../src/children.ts';
import type { Driver } from '../src/driver.ts';
import { openMemory } from '../src/drivers/memory.ts';
import { chained, chainStart, type Row } from '../src/drivers/sql/chain.ts';
import { type Log, type Mark, readLog, verifyLog } from '../src/drivers/sql/log.ts';
import { createEnvironment } from '../src/environment.ts';
import { encodeRecord } from '../src/record.ts';
import { StoreError } from '../src/store-error.ts';
import { verifySession } from '../src/verify.ts';

const session = 's';
const codeOf = (error: unknown): string => (error instanceof StoreError ? error.code : String(error));

/** The rows of a log with distinct content. */
function rowsOf(count: number, words: string): Row[] {
  let link = chainStart(session);
  return Array.from({ length: count }, (_, index) => {
    const bytes = Buffer.from(`${words} ${index + 1}`);
    const row = { seq: index + 1, link, crc: chained(link, bytes), bytes };
    link = row.crc;
    return row;
  });
}

/** A database whose rows change after some number of answers; undefined means that the session is gone. */
function changing(call: number, then: Row[] | undefined): { log: Log; calls: () => number } {
  let rows: Row[] | undefined = rowsOf(7, 'before');
  let calls = 0;
  const now = (): Row[] | undefined => {
    calls += 1;
    if (calls === call) rows = then;
    return rows;
  };
  const log: Log = {
    mark: async (): Promise<Mark | undefined> => {
      const all = now();
      return all && { base: 0, seq: all.length, epoch: 1, chain: all.at(-1)?.crc ?? chainStart(session) };
    },
    // Three rows at a time, so that there are several pages.
    page: async (_, { after = 0, before = Infinity, backward = false, limit }) => {
      const found = (now() ?? []).filter(({ seq }) => seq > after && seq < before);
      return (backward ? found.toReversed() : found).slice(0, Math.min(limit, 3));
    },
  };
  return { log, calls: () => calls };
}

async function drain(log: Log, backward: boolean): Promise<void> {
  for await (const some of readLog(log, session, { backward })) expect(some.length).toBeGreaterThan(0);
}

const works = {
  forward: (log: Log) => drain(log, false),
  backward: (log: Log) => drain(log, true),
  verify: async (log: Log) => expect((await verifyLog(log, session)).damages).toEqual([]),
};

const changes: Readonly<Record<string, Row[] | undefined>> = {
  gone: undefined,
  'replaced by an empty one': [],
  'replaced by a shorter one': rowsOf(4, 'after'),
  'replaced by one of the same length': rowsOf(7, 'after'),
};

describe.each(Object.keys(works) as (keyof typeof works)[])('a database session read by %s', (work) => {
  test.each(Object.keys(changes))('is missing rather than damaged if it is %s at any moment', async (change) => {
    const outcomes = new Set<string>();
    for (let [call, going] = [1, true]; going; call += 1) {
      const { log, calls: counted } = changing(call, changes[change]);
      outcomes.add(await works[work](log).then(() => 'done', codeOf));
      going = counted() >= call;
    }
    expect([...outcomes].filter((outcome) => outcome !== 'done' && outcome !== 'missing')).toEqual([]);
    expect(outcomes).toContain('missing');
  });

  test('is damaged if only its end is lost', async () => {
    const { log } = changing(0, undefined);
    const cut: Log = { ...log, page: async (id, range) => (await log.page(id, range)).filter(({ seq }) => seq < 6) };
    if (work === 'verify') expect((await verifyLog(cut, session)).damages).toMatchObject([{ kind: 'tail-lost' }]);
    else expect(await works[work](cut).catch(codeOf)).toBe('damaged');
  });
});

/** A driver with one session, which is erased before it is read. */
async function erasing(): Promise<Driver> {
  const environment = createEnvironment();
  const driver = await openMemory('memory:', { environment, durability: 'none' });
  await driver.create(session, { createdAt: 'then', base: 0 });
  const lease = await driver.acquire(session, environment.owner(), 60_000);
  const bytes = encodeRecord({ seq: 1, id: 'a', at: 'now', kind: 'note', data: 'x' });
  await driver.append({
    entries: [{ seq: 1, id: 'a', kind: 'note', bytes }],
    lease,
    expect: 0,
    info: { updatedAt: 'now' },
  });
  return new Proxy(driver, {
    get: (target, key) => {
      if (key === 'read') {
        return async function* (...args: Parameters<Driver['read']>) {
          await target.erase(lease);
          yield* target.read(...args);
        };
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('a session erased between two reads', () => {
  test('is reported as missing to its parent', async () => {
    expect(await reportChild(await erasing(), { id: session })).toEqual({ id: session, state: 'missing' });
  });

  test('is missing for verify', async () => {
    expect(await verifySession(await erasing(), session).then(() => 'done', codeOf)).toBe('missing');
  });
});
