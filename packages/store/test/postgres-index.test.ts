import { expect, test } from 'vitest';

import type { Driver } from '../src/driver.ts';
import { openPostgres } from '../src/drivers/postgres.ts';
import { placeOf } from '../src/drivers/postgres/place.ts';
import { Pool } from '../src/drivers/postgres/pool.ts';
import { createReads } from '../src/drivers/postgres/reads.ts';
import { search } from '../src/drivers/postgres/search.ts';
import { createEnvironment } from '../src/environment.ts';
import { encodeRecord } from '../src/record.ts';
import { freshDatabase } from './postgres-server.ts';

const session = 's';
const options = { environment: createEnvironment(), durability: 'strict' } as const;
const owner = options.environment.owner();

async function make(driver: Driver, data: string): Promise<void> {
  await driver.create(session, { createdAt: 'then', base: 0 });
  const lease = await driver.acquire(session, owner, 60_000);
  const bytes = encodeRecord({ seq: 1, id: 'a', at: 'now', kind: 'note', data });
  const entries = [{ seq: 1, id: 'a', kind: 'note', bytes }];
  await driver.append({ entries, lease, expect: 0, info: { updatedAt: 'now' } });
}

test('an overtaken search indexes no words of an erased session for a new one', async () => {
  const url = await freshDatabase();
  const driver = await openPostgres(url, options);
  await make(driver, 'secret');
  const place = placeOf(url);
  const pool = new Pool({ ...place, ...options }, 2);
  const { log } = createReads(pool, place.schema);
  const overtaken: typeof log = {
    ...log,
    page: async (id, range) => {
      const rows = await log.page(id, range);
      await driver.erase(await driver.acquire(session, owner, 60_000));
      await make(driver, 'public');
      return rows;
    },
  };
  const found: number[] = [];
  const searched = { pool, schema: place.schema, log: overtaken };
  for await (const { seq } of search(searched, { words: ['secret'] })) found.push(seq);
  for await (const { seq } of driver.search({ words: ['secret'] })) found.push(seq);
  expect(found).toEqual([]);
  for await (const { seq } of driver.search({ words: ['public'] })) found.push(seq);
  expect(found).toEqual([1]);
  pool.close();
  await driver.close();
});
