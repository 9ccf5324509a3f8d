import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';

import { at, entryBy } from './entry.ts';
import { openDriver, owner } from './open-driver.ts';

// Appends batches in parallel until it is killed, and prints the number of every acknowledged record in one write each.
const [url = '', session = ''] = process.argv.slice(2);
const driver = await openDriver(url);
// A compile cache would be written at exit, which a killed process never reaches.
flushCompileCache();
const lease = await driver.acquire(session, owner, 60_000);
let seq = lease.head;
const width = 3;
for (;;) {
  const batches = Array.from({ length: width }, async (_, index) => {
    const first = seq + 1 + index * 2;
    const entries = [entryBy(String(process.pid), first), entryBy(String(process.pid), first + 1)];
    const head = await driver.append({ entries, lease, expect: first - 1, op: `op ${first}`, info: { updatedAt: at } });
    writeSync(1, `${head.seq}\n`);
  });
  await Promise.all(batches);
  seq += width * 2;
}
