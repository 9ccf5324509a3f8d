import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { createSession } from '../src/context.ts';
import { openFile } from '../src/drivers/file.ts';
import { FileDriver } from '../src/drivers/file/file-driver.ts';
import { Operations, rememberedRecords } from '../src/drivers/file/operations.ts';
import { openMemory } from '../src/drivers/memory.ts';
import { createWake } from '../src/drivers/wake.ts';
import { type DriverOptions, createEnvironment } from '../src/index.ts';
import { Session } from '../src/session.ts';
import type { Context } from '../src/context.ts';

const around = mkdtempSync(join(tmpdir(), 'rethread-growth-'));
afterAll(() => rmSync(around, { recursive: true }));

const environment = createEnvironment();
const options: DriverOptions = { environment, durability: 'os' };
const about = { createdAt: '2026-01-01T00:00:00.000Z', base: 0 };
const note = { kind: 'note', data: 'x' };

test('a store keeps a writer only while it holds a lease, however many sessions it has seen', async () => {
  const driver = await openMemory('memory:', { environment, durability: 'none' });
  const owner = environment.owner();
  const context: Context = {
    driver,
    environment,
    owner,
    leaseMs: 30_000,
    recordLimit: 1e6,
    writers: new Map(),
    recoveries: new Map(),
  };
  const ids: string[] = [];
  for (let index = 0; index < 2_000; index += 1) ids.push(await createSession(context, {}));
  for (const id of ids) expect(await new Session(id, context).load()).toEqual([]);
  expect(context.writers.size).toBe(0);
  for (const id of ids) {
    const session = new Session(id, context);
    await session.append(note);
    if (id === ids[0]) expect(context.writers.size).toBe(1);
    await session.close();
    await session.append(note);
    await session.close();
  }
  expect(context.writers.size).toBe(0);
  const [one, two] = [new Session(ids[0] ?? '', context), new Session(ids[0] ?? '', context)];
  await Promise.all([one.append(note), two.append(note), one.close(), two.append(note)]);
  await one.append(note);
  expect(context.writers.size).toBe(1);
  await two.close();
  await one.append(note);
  await two.append(note);
  expect((await one.load()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  await new Session(ids[0] ?? '', context).close();
  expect(context.writers.size).toBe(0);
  for (const made of [await one.fork(), await one.delegate()]) {
    expect(context.writers.has(made.id)).toBe(true);
    await made.close();
    expect(context.writers.has(made.id)).toBe(false);
  }
  await one.erase({ forks: 'erase' });
  expect(context.writers.size).toBe(0);
});

test('a writer without its lease is referenced only by its handle', async () => {
  const place = `memory:${around}`;
  const drivers = [await openMemory(place, { environment, durability: 'none' })] as const;
  const contextOf = (): Context => ({
    driver: drivers[0],
    environment: createEnvironment({ alive: () => false }),
    owner: environment.owner(),
    leaseMs: 30_000,
    recordLimit: 1e6,
    writers: new Map(),
    recoveries: new Map(),
  });
  const [mine, theirs] = [contextOf(), contextOf()];
  const id = await createSession(mine, { id: 's' });
  const session = new Session(id, mine);
  await session.append(note);
  await drivers[0].release((await drivers[0].acquire(id, mine.owner, 1)) ?? assertNever());
  await new Session(id, theirs).append(note);
  await expect(session.append(note)).rejects.toMatchObject({ code: 'stale' });
  expect(mine.writers.size).toBe(0);
  await expect(session.append(note)).rejects.toMatchObject({ code: 'stale' });
});

const assertNever = (): never => {
  throw new Error('there is always a lease');
};

test('operations are remembered for the newest records only', () => {
  const operations = new Operations();
  let most = 0;
  for (let seq = 1; seq <= 200_000; seq += 1) {
    operations.add(`op ${seq}`, seq);
    most = Math.max(most, operations.size);
  }
  expect(most).toBeLessThanOrEqual(2 * rememberedRecords + 1);
  expect(operations.get('op 190000')).toBe(190_000);
  expect(operations.get('op 1')).toBe(undefined);
});

const openDriver = async (name: string): Promise<FileDriver> => {
  const driver = await openFile(`file:${join(around, name)}`, options);
  if (!(driver instanceof FileDriver)) throw new TypeError('file: is opened by its driver');
  return driver;
};

const entryOf = (seq: number, text: string) => ({
  seq,
  id: `${seq}`,
  kind: 'note',
  bytes: Buffer.from(JSON.stringify({ v: 1, seq, id: `${seq}`, at: about.createdAt, kind: 'note', data: text })),
});

test('an open directory forgets journals that are gone', async () => {
  const reader = await openDriver('journals');
  await reader.create('theirs', about);
  for (let round = 0; round < 30; round += 1) {
    const other = await openDriver('journals');
    const lease = await other.acquire('theirs', environment.owner(), 1);
    const text = 'y'.repeat(2_000);
    await other.append({ entries: [entryOf(round + 1, text)], lease, expect: round, info: { updatedAt: '' } });
    await new Promise((resolve) => void setTimeout(resolve, 3));
    // Taking a session over reads the journals of the previous holder.
    const mine = await reader.acquire('theirs', environment.owner(), 1);
    expect(reader.kept.journals).toBe(1);
    await other.close();
    await reader.release(mine);
  }
  await reader.create('last', about);
  await reader.release(await reader.acquire('last', environment.owner(), 1));
  expect(reader.kept).toMatchObject({ journals: 0, owners: 0, bytes: 0, writers: 0, operations: 0 });
  await reader.close();
});

test('an open directory forgets writers and watchers of unused sessions', async () => {
  const driver = await openDriver('blobs');
  for (let round = 0; round < 20; round += 1) {
    const id = `s-${round}`;
    await driver.create(id, about);
    const lease = await driver.acquire(id, environment.owner(), 60_000);
    const entries = [entryOf(1, `${round} `.padEnd(70_000))];
    await driver.append({ entries, lease, expect: 0, op: 'one', info: { updatedAt: '' } });
    const stop = new AbortController();
    for await (const records of driver.follow(id, { after: 0, signal: stop.signal })) {
      expect(records.length).toBe(1);
      setTimeout(() => stop.abort(), 1);
    }
    expect(driver.kept).toMatchObject({ writers: 1, operations: 1 });
    await driver.release(lease);
  }
  expect(driver.kept).toMatchObject({ writers: 0, operations: 0, watched: 0 });
  await driver.close();
});

test('a finished wait for a session leaves nothing behind', async () => {
  const wake = createWake(environment);
  for (let round = 0; round < 100; round += 1) await wake.wait(`s-${round}`, 0, new AbortController().signal);
  const [ended, going] = [AbortSignal.abort(), wake.wait('rung', 60_000, new AbortController().signal)];
  await wake.wait('ended', 60_000, ended);
  expect(wake.awaited()).toBe(1);
  wake.ring('rung');
  await going;
  expect(wake.awaited()).toBe(0);
});
