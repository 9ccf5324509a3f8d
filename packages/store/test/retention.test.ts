import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Session, type Store, StoreError, open } from '@rethread/store';
import { afterAll, expect, test } from 'vitest';

import { blocksOf } from '../../../tools/docs-blocks.ts';
import { root } from '../../../tools/node.mjs';

const around = mkdtempSync(join(tmpdir(), 'rethread-retention-'));
afterAll(() => rmSync(around, { recursive: true }));

type Expire = (store: Store, before: string) => Promise<void>;

/** The function shown in the docs, executed as it is. */
async function expireOfThePage(): Promise<Expire> {
  const page = join(root, 'docs/session-management.md');
  const block = blocksOf(page, readFileSync(page, 'utf8')).find(({ body }) => body.includes('function expire('));
  const path = join(around, 'expire.ts');
  writeFileSync(path, block?.body ?? '');
  return ((await import(path)) as { readonly expire: Expire }).expire;
}

const day = 86_400_000;
const note = { kind: 'note', data: 'x' };
const urls = (): string[] => ['memory:', `file:${join(around, 'files')}`, `sqlite:${join(around, 'all.db')}`];

const idsOf = async (store: Store): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of store.list({ archived: 'any' })) ids.push(id);
  return ids.sort();
};

test('the documented retention function erases old sessions and nothing a newer one needs', async () => {
  const expire = await expireOfThePage();
  for (const url of urls()) {
    let now = Date.UTC(2026, 0, 1);
    const store = await open(url, { environment: { now: () => now }, durability: 'os' });
    const make = async (id: string): Promise<Session> => {
      const session = await store.create({ id });
      await session.append(note);
      return session;
    };
    await make('alone');
    await (await make('archived')).archive();
    // Parents and forks in both list orders.
    for (const [parent, fork] of [
      ['a', 'b'],
      ['d', 'c'],
    ] as const) {
      await (await (await make(`old-${parent}`)).fork({ id: `old-${fork}` })).append(note);
      await (await make(`shared-${parent}`)).fork({ id: `live-${fork}` });
    }
    const cutoff = new Date(now + day).toISOString();
    now += 2 * day;
    for (const fork of ['b', 'c']) await (await store.session(`live-${fork}`)).append(note);
    await make('new');
    await expire(store, cutoff);
    expect([url, await idsOf(store)]).toEqual([url, ['live-b', 'live-c', 'new', 'shared-a', 'shared-d']]);
    for (const fork of ['b', 'c']) expect(await (await store.session(`live-${fork}`)).load()).toHaveLength(3);
    await store.close();
  }
});

test('a damaged session without a time is not taken for an old one', async () => {
  const url = `file:${join(around, 'damaged')}`;
  const first = await open(url, { durability: 'os' });
  await (await first.create({ id: 's' })).append(note);
  await first.close();
  rmSync(join(around, 'damaged/sessions/s-s/info.json'), { force: true });
  writeFileSync(join(around, 'damaged/sessions/s-s/log.jsonl'), 'not a log\n');
  const store = await open(url, { durability: 'os' });
  await (
    await expireOfThePage()
  )(store, new Date(0).toISOString().replace('1970', '2999'));
  expect(await idsOf(store)).toEqual(['s']);
  await store.close();
});

test('an erasure refused because of forks blocks no writer', async () => {
  const url = `file:${join(around, 'leases')}`;
  const [one, two] = [await open(url, { durability: 'os' }), await open(url, { durability: 'os' })];
  const session = await one.create({ id: 's' });
  await session.append(note);
  await session.fork({ id: 'fork' });
  await session.close();
  await expect((await two.session('s')).erase()).rejects.toThrow(/shares its records/);
  expect((await session.append(note)).seq).toBe(2);
  await one.close();
  await two.close();
});

test('a session written since the caller looked is not erased with `expect`', async () => {
  for (const url of urls().map((each) => each.replace(/(files|all)/, 'seen-$1'))) {
    const store = await open(url, { durability: 'os' });
    const session = await store.create({ id: 's' });
    await session.append(note);
    const { seq } = await session.info();
    await session.append(note);
    const error = await session.erase({ expect: seq }).catch((refused: unknown) => refused);
    expect(error instanceof StoreError && [error.code, error.details.head]).toEqual(['conflict', seq + 1]);
    const odd = await session.erase({ expect: Number.NaN }).catch((refused: unknown) => refused);
    expect(odd instanceof StoreError && odd.code).toBe('unsupported');
    await session.append(note);
    expect((await session.erase({ expect: seq + 2 })).records).toBe(3);
    await store.close();
  }
});
