import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { open } from '@rethread/store';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'rethread-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const copies = 8;
const sessions = 6;

/** Copies from another process, so that files may come and go during the copy. */
const copy = (from: string, to: string): Promise<void> =>
  new Promise((done) => void execFile('cp', ['-r', from, to], () => done()));

/** Writes pairs of records to short and long sessions until it is stopped. */
async function write(url: string, stop: AbortSignal, wrote: () => void): Promise<void> {
  const store = await open(url);
  const writers = Array.from({ length: sessions }, async (_, index) => {
    const session = await store.create({ id: `session ${index}` });
    for (let count = 0; !stop.aborted; count += 1) {
      const long = 'y'.repeat(count % 50 === 0 ? 80_000 : 40);
      await session.append([
        { kind: 'note', data: { count } },
        { kind: 'note', data: long },
      ]);
      wrote();
    }
  });
  await Promise.all(writers);
  await store.close();
}

test('a copy of the directory during writes contains a prefix of every session', async () => {
  const stop = new AbortController();
  const live = join(folder, 'live');
  const done = { batches: 0 };
  const writing = write(`file:${live}`, stop.signal, () => (done.batches += 1));
  for (let index = 0; index < copies; index += 1) {
    // Each copy is taken after something has changed.
    const until = done.batches + 5 * sessions;
    while (done.batches < until) await new Promise((resolve) => void setTimeout(resolve, 1));
    await copy(live, join(folder, `copy-${index}`));
  }
  stop.abort();
  await writing;
  let records = 0;
  for (let index = 0; index < copies; index += 1) {
    // The lease was copied too. Its holder writes to the original and counts as dead here.
    const store = await open(`file:${join(folder, `copy-${index}`)}`, { environment: { alive: () => false } });
    for await (const { id } of store.list()) {
      const session = await store.session(id);
      const log = await session.load();
      const name = `copy ${index}, ${id}`;
      expect([name, log.length % 2, log.findIndex(({ seq }, at) => seq !== at + 1)]).toEqual([name, 0, -1]);
      expect((await session.append({ kind: 'note', data: 'after' })).seq).toBe(log.length + 1);
      expect([name, (await session.verify()).damages]).toEqual([name, []]);
      records += log.length;
    }
    await store.close();
  }
  expect(records).toBeGreaterThan(copies * sessions);
});
