import { expect, test } from 'vitest';

import type { Entry, Stored } from '../../src/driver.ts';
import { createEnvironment } from '../../src/environment.ts';
import { FaultFiles } from '../fault-files.ts';
import {
  batchOf,
  entryOf,
  folder,
  Machine,
  makeLog,
  openOn,
  readAll,
  readRange,
  start,
  textsOf,
} from './torture/world.ts';

const bytesEntry = (seq: number, text: string): Entry => ({ seq, id: 'x', kind: 'x', bytes: Buffer.from(text) });

const open = async (files: FaultFiles, environment = new Machine().environment()) => {
  return { environment, driver: await openOn(files, environment) };
};

async function lastOf(files: FaultFiles, limit?: number): Promise<Stored[]> {
  const { driver } = await open(files);
  return readRange(driver, 's', { backward: true, ...(limit === undefined ? {} : { limit }) });
}

// Shorter than the strings stored separately.
const long = JSON.stringify(Array.from({ length: 20 }, (_, index) => `${index}`.repeat(30_000)));
const short = Array.from({ length: 700 }, (_, index) => entryOf(index + 2, `${index} `.repeat(100)));

test('chunks reuse one buffer, and a long record does not enlarge later chunks', async () => {
  const entries = [bytesEntry(1, long), ...short];
  const { files } = await makeLog(entries.map((entry) => [entry]));
  const { driver } = await open(files);
  const texts: string[] = [];
  const places = new Set<ArrayBufferLike>();
  for await (const records of driver.read('s', {})) {
    texts.push(...textsOf(records));
    for (const { bytes } of records) places.add(bytes.buffer);
    const size = records.reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(records[0]?.seq === 1 || size <= 64 * 1024).toBe(true);
  }
  expect(texts).toEqual(textsOf(entries));
  expect(places.size).toBe(1);
});

test.each([long, 'short'])('a batch of many chunks is returned complete', async (first) => {
  const entries = [bytesEntry(1, first), ...short];
  const { files } = await makeLog([entries, [entryOf(702, 'behind it')]]);
  const { driver } = await open(files);
  expect(textsOf(await readAll(driver))).toEqual(textsOf([...entries, entryOf(702, 'behind it')]));
});

test('the last records are readable, whatever happened to earlier ones', async () => {
  const files = new FaultFiles();
  const { driver, environment } = await open(files);
  const lease = await start(driver, environment);
  const entries = [entryOf(1, 'l'.repeat(100_000)), entryOf(2, 'two'), entryOf(3, 'three')];
  await driver.append(batchOf(lease, entries));
  await driver.close();
  for (const name of files.names(`${folder}/blobs`)) files.unlink(`${folder}/blobs/${name}`);
  for (const name of files.names('/store/blobs')) files.unlink(`/store/blobs/${name}`);
  expect(textsOf(await lastOf(files, 2))).toEqual(textsOf(entries.slice(1).toReversed()));
  await expect(lastOf(files)).rejects.toMatchObject({ code: 'damaged' });
  await expect(lastOf(files, 3)).rejects.toMatchObject({ code: 'damaged' });
});

test('an owner keeps one unique id', () => {
  const environment = createEnvironment();
  const [one, two] = [environment.owner(), environment.owner()];
  const copy = { ...one };
  expect(one.id).toBe(copy.id);
  expect(JSON.parse(JSON.stringify(one))).toEqual(copy);
  expect(two.id).not.toBe(one.id);
});
