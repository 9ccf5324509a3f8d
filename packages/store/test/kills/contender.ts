import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { StoreError } from '../../src/store-error.ts';
import { at, entryBy } from './entry.ts';
import { openDriver, owner } from './open-driver.ts';

// Acquires the session whenever possible, with a short lease, and appends until its input ends. Prints one line of JSON
// when ready, for every acknowledgement and every refusal.
const [url = '', session = '', leaseMs = '60'] = process.argv.slice(2);
const over = new AbortController();
process.stdin.resume().on('end', () => over.abort());
const driver = await openDriver(url);
const tell = (value: unknown): void => void writeSync(1, `${JSON.stringify(value)}\n`);
tell({ ready: true });

async function contend(): Promise<void> {
  const lease = await driver.acquire(session, owner, Number(leaseMs));
  let head = lease.head;
  tell({ taken: lease.epoch, head });
  // Never renews, and continues until another process has acquired the session.
  while (!over.signal.aborted) {
    const entry = entryBy(`${process.pid}`, head + 1);
    await driver.append({ entries: [entry], lease, expect: head, info: { updatedAt: at } });
    head += 1;
    tell({ seq: head, id: entry.id, epoch: lease.epoch });
    await pause(Math.random() * 4);
  }
}

while (!over.signal.aborted) {
  try {
    await contend();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    tell({ refused: error.code, owner: error.details.owner?.pid ?? null, why: error.message });
    await pause(5 + Math.random() * 20);
  }
}
await driver.close();
