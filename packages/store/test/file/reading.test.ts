import { expect, test } from 'vitest';

import type { Entry, Range, Stored } from '../../src/driver.ts';
import { createEnvironment } from '../../src/environment.ts';
import { FaultFiles } from '../fault-files.ts';
import { batchOf, entryOf, folder, Machine, makeLog, openOn, readAll, start, textsOf } from './torture/world.ts';

const bytesEntry = (seq: number, text: string): Entry => ({ seq, id: 'x', kind: 'x', bytes: Buffer.from(text) });

const open = async (files: FaultFiles, environment = new Machine().environment()) => {
  return { environment, driver: await openOn(files, environment) };
};

async function readRange(files: FaultFiles, range: Range): Promise<Stored[]> {
  const { driver } = await open(files);
  const stored: Stored[] = [];
  for await (const some of driver.read('s', range)) stored.push(...some);
  return stored;
}

test('what was read stays as it is, and one long record makes no later chunk long', async () => {
  // Pieces below the length that is stored apart.
  const long = JSON.stringify(Array.from({ length: 20 }, (_, index) => `${index}`.repeat(30_000)));
  const entries = [
    bytesEntry(1, long),
    ...Array.from({ length: 700 }, (_, index) => entryOf(index + 2, 'z'.repeat(400))),
  ];
  const { files } = await makeLog(entries.map((entry) => [entry]));
  const { driver } = await open(files);
  const stored = await readAll(driver);
  expect(textsOf(stored)).toEqual(textsOf(entries));
  expect(stored[0]?.bytes.buffer.byteLength).toBeGreaterThan(long.length);
  expect(stored.at(-1)?.bytes.buffer.byteLength).toBeLessThanOrEqual(64 * 1024);
});

test('the last records are read without those before them, whatever became of these', async () => {
  const files = new FaultFiles();
  const { driver, environment } = await open(files);
  const lease = await start(driver, environment);
  const entries = [entryOf(1, 'l'.repeat(100_000)), entryOf(2, 'two'), entryOf(3, 'three')];
  await driver.append(batchOf(lease, entries));
  await driver.close();
  for (const name of files.names(`${folder}/blobs`)) files.unlink(`${folder}/blobs/${name}`);
  for (const name of files.names('/store/blobs')) files.unlink(`/store/blobs/${name}`);
  expect(textsOf(await readRange(files, { backward: true, limit: 2 }))).toEqual(textsOf(entries.slice(1).toReversed()));
  await expect(readRange(files, { backward: true })).rejects.toMatchObject({ code: 'damaged' });
  await expect(readRange(files, { backward: true, limit: 3 })).rejects.toMatchObject({ code: 'damaged' });
});

test('who only reads asks for no chance, also beside the journal of somebody else', async () => {
  const files = new FaultFiles();
  const machine = new Machine();
  const writing = await open(files, machine.environment());
  const lease = await start(writing.driver, writing.environment);
  await writing.driver.append(batchOf(lease, [entryOf(1, 'one')]));
  expect(files.names('/store/journal')).not.toEqual([]);
  const noChance = (): never => {
    throw new Error('chance was asked for');
  };
  const { driver } = await open(files, { ...machine.environment(), id: noChance });
  expect(textsOf(await readAll(driver))).toEqual(textsOf([entryOf(1, 'one')]));
  await writing.driver.close();
});

test('an owner has one id for as long as it lives, and no other has it', () => {
  const environment = createEnvironment();
  const [one, two] = [environment.owner(), environment.owner()];
  const copy = { ...one };
  expect(one.id).toBe(copy.id);
  expect(JSON.parse(JSON.stringify(one))).toEqual(copy);
  expect(two.id).not.toBe(one.id);
});
