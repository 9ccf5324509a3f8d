import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Store, StoreError, open } from '@rethread/store';
import { afterAll, expect, test } from 'vitest';

import { freshDatabase } from './postgres-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'rethread-moving-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const message = (role: string, content: unknown): { kind: string; data: unknown } => ({
  kind: 'message',
  data: { dialect: 'anthropic-messages', wire: { role, content } },
});

/** A session with everything that is hard to transport. */
async function fill(store: Store): Promise<void> {
  const session = await store.create({ id: 'moved \u0000 \ud800 ../x', title: 'a title \u0000' });
  await session.append([message('user', 'one \u0000 \ud83d'), message('assistant', 'ü'.repeat(100_000))], {
    op: 'first',
  });
  await session.append({ kind: 'from the future', data: { deep: [[[{ x: '\ufeff' }]]] } });
  await session.compact({ from: 1, to: 2, summary: 'summary' });
  await session.revert({ to: 3 });
  await session.pin(1);
  const fork = await session.fork({ id: 'fork' });
  await fork.append(message('user', 'other'));
  await fork.archive();
}

test('a session moves between any two drivers with the same digest and content', async () => {
  const urls = [
    'memory:',
    `file:${join(folder, 'files')}`,
    `sqlite:${join(folder, 'sessions.db')}`,
    await freshDatabase(),
  ];
  const stores: Store[] = [];
  for (const url of urls) stores.push(await open(url));
  const [first] = stores;
  if (first === undefined) throw new RangeError('there is a first store');
  await fill(first);
  const ids: string[] = [];
  for await (const { id } of first.list({ archived: 'any' })) ids.push(id);
  expect(ids).toHaveLength(2);
  for (const id of ids) {
    const expected = await (await first.session(id)).verify();
    const history = JSON.stringify(await (await first.session(id)).project());
    for (const [from, store] of stores.entries()) {
      for (const [to, other] of stores.entries()) {
        if (from !== to) {
          const source = await store.session(id);
          const made = await other.import(source.export(), from === 0 ? {} : { id: `${id} ${from} ${to}` });
          const there = await other.session(made.id);
          expect([from, to, made.digest]).toEqual([from, to, expected.digest]);
          expect([from, to, (await there.verify()).digest]).toEqual([from, to, expected.digest]);
          expect(JSON.stringify(await there.project())).toBe(history);
        }
      }
    }
  }
  for (const store of stores) await store.close();
});

test('a URL sets place and durability; an invalid one is refused by name', async () => {
  const levels: unknown[] = [];
  for (const query of ['', '?durability=strict', '?durability=os', '?durability=batch(50)']) {
    const store = await open(`file:${join(folder, 'levels')}${query}`);
    levels.push(store.durability);
    await store.close();
  }
  expect(levels).toEqual(['strict', 'strict', 'os', { batchMs: 50 }]);
  for (const url of ['', 'nothing', 'ftp://x', '__proto__:x', 'file:x?durability=maybe', 'file:x?durability=none']) {
    const code = await open(url).catch((error: unknown) => (error instanceof StoreError ? error.code : error));
    expect([url, code]).toEqual([url, 'unsupported']);
  }
});
