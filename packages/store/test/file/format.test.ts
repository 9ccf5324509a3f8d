import { expect, test } from 'vitest';

import type { Entry } from '../../src/driver.ts';
import { openFileOn } from '../../src/drivers/file.ts';
import {
  batchesOf,
  batchOf,
  codeOf,
  entryOf,
  folder,
  logPath,
  Machine,
  makeLog,
  openOn,
  readAll,
  root,
  start,
  storeWith,
  take,
  textsOf,
} from './torture/world.ts';
import { FaultFiles } from '../fault-files.ts';

const open = async (files: FaultFiles, machine = new Machine()) => {
  const environment = machine.environment();
  return { environment, machine, driver: await openOn(files, environment) };
};

// Written by the first version of this format, byte for byte. It must stay readable.
const firstVersion = [
  '["15fa204d2153325b",0,4,null,{"v":1,"session":"s","about":{"createdAt":"2026-01-02T03:04:05.678Z","base":0},"mended":0}]',
  '["2153325ba1472d2b",1,79,{"v":1,"seq":1,"id":"a","at":"2026-01-02T03:04:05.678Z","kind":"note","data":1}]',
  '["a1472d2b355ac616",2,92,{"v":7,"seq":2,"id":"b","at":"2027-01-02T03:04:05.678Z","kind":"dream","data":[],"new":true}]',
];

const bytesEntry = (seq: number, text: string): Entry => ({ seq, id: 'x', kind: 'x', bytes: Buffer.from(text) });

test('a log is JSON lines that contain the original records', async () => {
  const { bytes } = await makeLog([[entryOf(1, 'one')], [entryOf(2, 'two'), entryOf(3, 'three')]]);
  const lines = bytes.toString().split('\n').slice(0, -1);
  const records = lines.map((line) => (JSON.parse(line) as unknown[])[3]);
  expect(records).toEqual([null, ...[1, 2, 3].map((seq) => expect.objectContaining({ seq }))]);
});

test('a line adds at most 32 bytes to its record', async () => {
  const machine = new Machine();
  const files = new FaultFiles();
  const { driver, environment } = await open(files, machine);
  const lease = await start(driver, environment);
  const header = files.peek(logPath).length;
  let length = 0;
  for (let seq = 1; seq <= 2_000; seq += 1) {
    const entry = entryOf(seq, 'z'.repeat(seq % 700));
    length += entry.bytes.length + 1;
    await driver.append(batchOf(lease, [entry]));
  }
  await driver.close();
  expect((files.peek(logPath).length - header - length) / 2_000).toBeLessThanOrEqual(32);
}, 60_000);

test('a log of the first version is read, including records of later versions and unknown kinds', async () => {
  const { driver } = await open(storeWith(Buffer.from(`${firstVersion.join('\n')}\n`)));
  const { damages } = await driver.verify('s');
  expect(damages).toEqual([]);
  expect(textsOf(await readAll(driver))).toEqual([
    '{"v":1,"seq":1,"id":"a","at":"2026-01-02T03:04:05.678Z","kind":"note","data":1}',
    '{"v":7,"seq":2,"id":"b","at":"2027-01-02T03:04:05.678Z","kind":"dream","data":[],"new":true}',
  ]);
});

test('files next to the log are caches: missing or corrupt ones change nothing', async () => {
  const batches = batchesOf(77, 40);
  const { files } = await makeLog(batches);
  const texts = textsOf(batches.flat());
  const { driver: before } = await open(files);
  const told = await before.info('s');
  const names = files.list(folder).filter((name) => name !== 'log.jsonl');
  expect(names).toEqual(['head.json', 'info.json', 'lease-1.json']);
  for (const name of names) {
    for (const harm of ['removed', 'garbage', 'empty'] as const) {
      const { files: fresh } = await makeLog(batches);
      const path = `${folder}/${name}`;
      if (harm === 'removed') fresh.drop(path);
      else fresh.poke(path, Buffer.from(harm === 'garbage' ? '["0123' : ''));
      const { driver, environment } = await open(fresh);
      expect(textsOf(await readAll(driver))).toEqual(texts);
      expect(await driver.info('s')).toEqual(told);
      const lease = await take(driver, environment);
      const next = entryOf(texts.length + 1, 'on');
      expect((await driver.append(batchOf(lease, [next]))).seq).toBe(texts.length + 1);
      expect((await driver.verify('s')).damages).toEqual([]);
      await driver.close();
    }
  }
});

test('a long string is stored once for all sessions and removed with the last one', async () => {
  const files = new FaultFiles();
  const { driver, environment } = await open(files);
  const long = 'a picture '.repeat(10_000);
  for (const id of ['one', 'two']) {
    const lease = await start(driver, environment, id);
    await driver.append(batchOf(lease, [entryOf(1, long), entryOf(2, long)]));
  }
  const pool = files.list(`${root}/blobs`);
  expect(pool).toHaveLength(1);
  expect(files.look(`${root}/blobs/${pool[0] ?? ''}`)?.links).toBe(3);
  expect(files.peek(`${root}/sessions/s-one/log.jsonl`).length).toBeLessThan(2_000);
  expect(textsOf(await readAll(driver, 'two'))).toEqual(textsOf([entryOf(1, long), entryOf(2, long)]));
  for (const [id, left] of [
    ['one', 1],
    ['two', 0],
  ] as const) {
    const lease = await take(driver, environment, id);
    const receipt = await driver.erase(lease);
    expect(receipt.records).toBe(2);
    expect(files.list(`${root}/blobs`)).toHaveLength(left);
  }
  expect(files.list(`${root}/journal`)).toEqual([]);
  expect(files.list(`${root}/sessions`)).toEqual([]);
  await driver.close();
});

test('a lost long string is reported as a damaged record, and all others come back', async () => {
  const files = new FaultFiles();
  const { driver, environment } = await open(files);
  const lease = await start(driver, environment);
  await driver.append(batchOf(lease, [entryOf(1, 'before'), entryOf(2, 'p'.repeat(99_999)), entryOf(3, 'after')]));
  const [hash = ''] = files.list(`${folder}/blobs`);
  files.poke(`${folder}/blobs/${hash}`, Buffer.from('"rotten"'));
  expect(await codeOf(readAll(driver))).toBe('damaged');
  const { damages } = await driver.verify('s');
  expect(damages).toEqual([expect.objectContaining({ kind: 'blob', seq: 2 })]);
  const verdict = await driver.mend?.(lease, 'salvage');
  expect(verdict?.records).toBe(2);
  expect((await readAll(driver)).map(({ seq }) => seq)).toEqual([1, 3]);
  await driver.close();
});

test('bytes that are not JSON are stored unchanged', async () => {
  const files = new FaultFiles();
  const { driver, environment } = await open(files);
  const lease = await start(driver, environment);
  const entries = [bytesEntry(1, '{"any":"thing"}'), bytesEntry(2, '{}'), bytesEntry(3, '{"a":"\\u0000\\ud800"}')];
  await driver.append(batchOf(lease, entries));
  expect(textsOf(await readAll(driver))).toEqual(textsOf(entries));
  await driver.close();
});

test('a failed sync poisons the handle: it writes nothing more, and a new handle continues', async () => {
  const files = new FaultFiles();
  const machine = new Machine();
  const { driver, environment } = await open(files, machine);
  const lease = await start(driver, environment);
  await driver.append(batchOf(lease, [entryOf(1, 'durable')]));
  files.trace = [];
  const calls = files.calls;
  await driver.append(batchOf(lease, [entryOf(2, 'durable too')]));
  const at = files.calls + files.trace.indexOf('sync') + 1;
  expect(files.trace).toContain('sync');
  files.fault = { at, code: 'EIO' };
  expect(await codeOf(driver.append(batchOf(lease, [entryOf(3, 'in doubt')])))).toBe('poisoned');
  files.fault = undefined;
  const syncs = files.syncs;
  for (let again = 0; again < 3; again += 1) {
    expect(await codeOf(driver.append(batchOf(lease, [entryOf(3, 'in doubt')])))).toBe('poisoned');
  }
  expect(files.syncs).toBe(syncs);
  expect(files.calls).toBeGreaterThan(calls);
  machine.now += 60_000;
  const next = await open(files, machine);
  const taken = await take(next.driver, next.environment);
  await next.driver.append(batchOf(taken, [entryOf(taken.head + 1, 'and on')]));
  expect((await readAll(next.driver)).length).toBe(taken.head + 1);
  await next.driver.close();
  await driver.close();
});

test('the batch level syncs after its interval, and the os level never does', async () => {
  for (const durability of ['os', { batchMs: 20 }] as const) {
    const files = new FaultFiles();
    const waiting: (() => void)[] = [];
    const environment = {
      ...new Machine().environment(),
      after: (ms: number, callback: () => void) => {
        // Idle journals are checked from time to time, which syncs nothing here.
        if (ms === 20) waiting.push(callback);
        return () => undefined;
      },
    };
    const driver = await openFileOn(files)(`file:${root}`, { environment, durability });
    const lease = await start(driver, environment);
    await driver.append(batchOf(lease, [entryOf(1, 'one')]));
    const before = files.syncs;
    await driver.append(batchOf(lease, [entryOf(2, 'two')]));
    expect(files.syncs).toBe(before);
    const calls = waiting.length;
    for (const callback of waiting) callback();
    await new Promise((resolve) => void setImmediate(resolve));
    expect([calls, files.syncs - before]).toEqual(durability === 'os' ? [0, 0] : [1, 1]);
    expect((await readAll(driver)).length).toBe(2);
    await driver.close();
  }
});
