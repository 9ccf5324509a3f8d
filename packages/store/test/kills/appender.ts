import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';

import { at, entryBy } from './entry.ts';
import { openDriver, owner } from './open-driver.ts';

// Appends until it is killed, several batches on their way at a time, and prints the number of every record that was
// acknowledged, in one write each.
const [url = '', session = ''] = process.argv.slice(2);
const driver = await openDriver(url);
// Whoever is killed leaves nothing for the next to start faster with.
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
