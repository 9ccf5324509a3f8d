import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { openFileOn } from '../../src/drivers/file.ts';
import { type Files, realFiles } from '../../src/drivers/file/files.ts';
import { nameOf } from '../../src/drivers/file/layout.ts';
import { type Driver, type Lease, type Owner, createEnvironment } from '../../src/index.ts';
import { codeOf, id, readIds, stoppedFiles } from './stopped/world.ts';

const around = mkdtempSync(join(tmpdir(), 'rethread-overtaken-'));
afterAll(() => rmSync(around, { recursive: true }));

let places = 0;
const newPlace = (): string => join(around, `place-${(places += 1)}`);

const ttlMs = 60_000;
const at = '2026-11-18T06:00:00.000Z';
const folderIn = (place: string): string => join(place, 'sessions', nameOf(id));

const openOn = (place: string, files: Files, told: string[] = []): Promise<Driver> => {
  const environment = createEnvironment({ tell: ({ kind }) => void told.push(kind) });
  return openFileOn(files)(place, { environment, durability: 'os' });
};

const owner = (name: string): Owner => ({ ...createEnvironment().owner(), id: name });

/** Appends records that name their writer. */
async function write(driver: Driver, lease: Lease, count: number): Promise<void> {
  const by = lease.owner.id;
  for (let [head, left] = [lease.head, count]; left > 0; [head, left] = [head + 1, left - 1]) {
    const record = { v: 1, seq: head + 1, id: `${by}-${head + 1}`, at, kind: 'note', data: by };
    const entry = { seq: head + 1, id: record.id, kind: record.kind, bytes: Buffer.from(JSON.stringify(record)) };
    await driver.append({ entries: [entry], lease, expect: head, info: { updatedAt: at } });
  }
  await driver.release(lease);
}

/** A session with existing records, while the second of two other processes writes to it, and after that. */
async function course(): Promise<{ before: string; during: string; after: string }> {
  const [before, during, after] = [newPlace(), newPlace(), newPlace()];
  const first = await openOn(before, realFiles);
  await first.create(id, { createdAt: at, base: 0 });
  await write(first, await first.acquire(id, owner('first'), ttlMs), 3);
  await first.close();
  cpSync(before, after, { recursive: true });
  for (const by of ['second', 'third']) {
    const driver = await openOn(after, realFiles);
    const lease = await driver.acquire(id, owner(by), ttlMs);
    if (by === 'third') cpSync(after, during, { recursive: true });
    await write(driver, lease, 4);
    await driver.close();
  }
  return { before, during, after };
}

/** Lets a log grow by a number of bytes. */
function growLog(place: string, after: string, short: number): void {
  const log = join(folderIn(place), 'log.jsonl');
  const later = readFileSync(join(folderIn(after), 'log.jsonl'));
  appendFileSync(log, later.subarray(readFileSync(log).length, later.length - short));
}

/** Changes a place like the two other processes: replaces the small files and removes old leases. */
function replaceSmall(place: string, after: string): void {
  const [folder, from] = [folderIn(place), folderIn(after)];
  const isLease = (name: string): boolean => name.startsWith('lease-') && name.endsWith('.json');
  const old = readdirSync(folder).filter(isLease);
  for (const name of readdirSync(from).filter((each) => each.endsWith('.json'))) {
    copyFileSync(join(from, name), join(folder, `${name}.copy`));
    renameSync(join(folder, `${name}.copy`), join(folder, name));
  }
  const left = readdirSync(from);
  for (const name of old.filter((each) => !left.includes(each))) rmSync(join(folder, name));
}

// Writers with journal records are found during a takeover; the journal tests cover that.
test.each([
  { when: 'the others are done', done: true, outcomes: ['stale', 'written'] },
  { when: 'the last of them is writing a line', done: false, outcomes: ['conflict', 'stale'] },
])('a process overtaken while it acquires a session is refused, wherever it is stopped: $when', async (world) => {
  const { before, during, after } = await course();
  const written = await readAll(after);
  const outcomes = new Map<string, number>();
  for (let [call, calls] = [1, 1]; call <= calls; call += 1) {
    const place = newPlace();
    cpSync(before, place, { recursive: true });
    const told: string[] = [];
    const halted = stoppedFiles(() => {
      growLog(place, after, world.done ? 0 : 20);
      replaceSmall(place, world.done ? after : during);
    });
    const driver = await openOn(place, halted.files, told);
    halted.arm(call);
    const lease = await driver.acquire(id, owner('overtaken'), ttlMs).catch(codeOf);
    calls = halted.calls();
    growLog(place, after, 0);
    const outcome = typeof lease === 'string' ? lease : await write(driver, lease, 1).then(() => 'written', codeOf);
    await driver.close();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const ids = await readAll(place);
    expect([call, ids]).toEqual([call, outcome === 'written' ? [...written, 'overtaken-12'] : written]);
    expect([call, told, readdirSync(folderIn(place)).includes('quarantine')]).toEqual([call, [], false]);
    rmSync(place, { recursive: true });
  }
  console.log(`overtaken at each call: ${JSON.stringify(Object.fromEntries(outcomes))}`);
  expect([...outcomes.keys()].sort()).toEqual(world.outcomes);
});

/** The records of an undamaged session. */
async function readAll(place: string): Promise<string[]> {
  const driver = await openOn(place, realFiles);
  try {
    expect((await driver.verify(id)).damages).toEqual([]);
    return await readIds(driver);
  } finally {
    await driver.close();
  }
}
