import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Driver, Lease } from '../../src/driver.ts';
import { openFile } from '../../src/drivers/file.ts';
import type { Files } from '../../src/drivers/file/files.ts';
import {
  boundLine,
  claimLine,
  endGroup,
  headerLine,
  readJournal,
  sealLine,
  startGroup,
} from '../../src/drivers/file/journal-lines.ts';
import { encodeLine, seedOf } from '../../src/drivers/file/line.ts';
import { addBatch } from '../../src/drivers/file/writer.ts';
import { createEnvironment } from '../../src/index.ts';
import { FaultFiles, SystemError } from '../fault-files.ts';
import {
  batchOf,
  codeOf,
  entryOf,
  logPath,
  Machine,
  openOn,
  readAll,
  root,
  start,
  storeWith,
  take,
  textsOf,
} from './torture/world.ts';

const journals = `${root}/journal`;
const journalIn = (files: FaultFiles): string => `${journals}/${files.list(journals)[0] ?? ''}`;
const instanceOf = (path: string): string => path.replace(/^.*\//, '').replace(/\..*$/, '');

/** Runs an action before each call of one kind. */
const beforeEach = (files: FaultFiles, call: keyof Files, action: () => void): Files =>
  new Proxy(files, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (key === call) action();
        return value.apply(target, given);
      };
    },
  });

function appendTo(files: FaultFiles, path: string, bytes: Uint8Array): void {
  const file = files.open(path, 'append');
  files.write(file, bytes);
  files.close(file);
}

type Said = 'nothing' | 'claim' | 'all' | 'none' | 'torn';

/** An owner that finds lines of others when it checks after its write. */
async function ownerThatFinds(said: Said): Promise<{ files: FaultFiles; code: string; again: string }> {
  const files = new FaultFiles();
  const machine = new Machine();
  const environment = machine.environment();
  let armed = false;
  const driver = await openOn(
    beforeEach(files, 'isThere', () => {
      if (!armed || said === 'nothing') return;
      armed = false;
      const path = journalIn(files);
      const [instance, claim] = [instanceOf(path), { name: 's-s', epoch: 2 }];
      const bound = (at: number): Buffer => boundLine(instance, { ...claim, at });
      const whole = claimLine(instance, claim);
      appendTo(files, path, said === 'torn' ? whole.subarray(0, whole.length - 9) : whole);
      if (said === 'all') appendTo(files, path, bound(1_000_000));
      if (said === 'none') appendTo(files, path, Buffer.concat([bound(1), bound(1_000_000)]));
    }),
    environment,
  );
  const lease = await start(driver, environment);
  await driver.append(batchOf(lease, [entryOf(1, 'before')]));
  armed = true;
  // The check first reads behind the end, then asks for the name; the other process acts in between.
  await driver.append(batchOf(lease, [entryOf(2, 'unseen')]));
  const code = await codeOf(driver.append(batchOf(lease, [entryOf(3, 'in between')])));
  const again = await codeOf(driver.append(batchOf(lease, [entryOf(4, 'behind')])));
  machine.dead.add(environment.pid);
  return { files: files.afterKill(), code, again };
}

describe('an owner that finds a claim after its write', () => {
  test.each([
    { said: 'nothing', code: 'done', again: 'done', stored: 4 },
    { said: 'claim', code: 'done', again: 'stale', stored: 3 },
    { said: 'all', code: 'done', again: 'stale', stored: 3 },
    { said: 'none', code: 'stale', again: 'stale', stored: 0 },
    { said: 'torn', code: 'done', again: 'done', stored: 4 },
  ] as const)('obeys the first bound: $said', async ({ said, code, again, stored }) => {
    const found = await ownerThatFinds(said);
    expect([found.code, found.again]).toEqual([code, again]);
    const machine = new Machine();
    machine.dead.add(1);
    const next = machine.environment();
    const driver = await openOn(found.files, next);
    machine.now += 60_000;
    const lease = await take(driver, next);
    // Records acknowledged before the claim are in the log, whatever the journal says later.
    expect(lease.head).toBe(Math.max(stored, said === 'none' ? 2 : 0));
    await driver.append(batchOf(lease, [entryOf(lease.head + 1, 'and on')]));
    expect((await driver.verify('s')).damages).toEqual([]);
    await driver.close();
  });

  test('sets a missing bound itself, and an earlier claimant obeys it', async () => {
    const { files } = await ownerThatFinds('claim');
    const path = journalIn(files);
    const source = { bytes: files.peek(path) };
    const read = readJournal(
      {
        size: source.bytes.length,
        read: (into, at) => {
          const part = source.bytes.subarray(at, at + into.length);
          into.set(part);
          return part.length;
        },
      },
      instanceOf(path),
    );
    expect([read.claims.open('s-s'), read.entries.length, read.entries.at(-1)?.end]).toEqual([[], 3, read.end]);
  });
});

test('a journal removed from its owner acknowledges nothing more', async () => {
  const files = new FaultFiles();
  const machine = new Machine();
  const environment = machine.environment();
  const driver = await openOn(files, environment);
  const lease = await start(driver, environment);
  await driver.append(batchOf(lease, [entryOf(1, 'one')]));
  files.unlink(journalIn(files));
  expect(await codeOf(driver.append(batchOf(lease, [entryOf(2, 'into nothing')])))).toBe('stale');
  const again = await take(driver, environment);
  await driver.append(batchOf(again, [entryOf(2, 'two')]));
  expect(textsOf(await readAll(driver)).length).toBe(2);
  await driver.close();
  expect([files.list(journals), files.openFiles]).toEqual([[], 0]);
});

/** A journal as version 1 wrote it: it grew with each group, with seals in between. */
function firstVersion(log: Buffer, seal: 'before' | 'behind' | 'none'): { bytes: Buffer; path: string } {
  const instance = 'xold';
  const owner = { id: 'process-1', host: 'here', pid: 1, started: 'now' };
  const meta = { journal: 1, instance, owner };
  const header = encodeLine({ seq: 0, record: Buffer.from('null'), meta }, seedOf(instance)).bytes;
  const first = log.indexOf(10) + 1;
  const crc = Number.parseInt(log.subarray(10, 18).toString(), 16);
  const sheet = startGroup([{ name: 's-s', bytes: 1_000 }]);
  const { seq, bytes: record } = entryOf(1, 'left behind');
  const from = { tip: { offset: first, seq: 0, crc }, pad: 0 };
  const { lines } = addBatch(sheet, from, {
    entries: [{ seq, record, bytes: record.length }],
    info: { updatedAt: '' },
  });
  const batch = { name: 's-s', offset: first, pad: 0, epoch: 1, attempt: 1, log: undefined, lines };
  const group = endGroup(sheet, instance, [batch]);
  const line = sealLine(instance, { name: 's-s', epoch: 2 });
  const parts = { before: [header, line, group], behind: [header, group, line], none: [header, group] };
  return { bytes: Buffer.concat(parts[seal]), path: `${journals}/${instance}.1.journal` };
}

describe('a journal of version 1', () => {
  test.each([
    { seal: 'none', owner: 'dead', records: 1 },
    { seal: 'behind', owner: 'dead', records: 1 },
    { seal: 'before', owner: 'dead', records: 0 },
    { seal: 'none', owner: 'alive', records: 1 },
    { seal: 'behind', owner: 'alive', records: 1 },
    { seal: 'before', owner: 'alive', records: 0 },
  ] as const)('is applied up to its seal: $seal, owner $owner', async ({ seal, owner, records }) => {
    const empty = new FaultFiles();
    const machine = new Machine();
    const first = machine.environment();
    const maker = await openOn(empty, first);
    await maker.create('s', { createdAt: '2026-01-02T03:04:05.678Z', base: 0 });
    await maker.close();
    const files = storeWith(empty.peek(logPath));
    const { bytes, path } = firstVersion(empty.peek(logPath), seal);
    files.poke(path, bytes);
    if (owner === 'dead') machine.dead.add(1);
    const next = machine.environment();
    const driver = await openOn(files, next);
    const lease = await take(driver, next);
    expect(lease.head).toBe(records);
    expect(files.has(path)).toBe(owner === 'alive');
    // A live old owner finds the seal at the end of its own groups.
    if (owner === 'alive') expect(files.peek(path).subarray(bytes.length).toString()).toContain('"seal":"s-s"');
    await driver.append(batchOf(lease, [entryOf(records + 1, 'and on')]));
    await driver.close();
  });
});

describe('the length of a journal', () => {
  const place = mkdtempSync(join(tmpdir(), 'rethread-journal-'));
  const folder = join(place, 'journal');
  const environment = createEnvironment();
  const append = (driver: Driver, lease: Lease, entries: ReturnType<typeof entryOf>[]): Promise<unknown> =>
    driver.append(batchOf(lease, entries));

  test('matches what is written, and no journal is left', async () => {
    const driver = await openFile(`file:${place}`, { environment, durability: 'strict' });
    const lease = await start(driver, environment, 'long');
    await append(driver, lease, [entryOf(1, 'short')]);
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).size)).toEqual([64 * 1024]);
    // Much more than the reserved room, and than any journal holds.
    let seq = 1;
    for (const count of [1, 40, 800, 1]) {
      const entries = Array.from({ length: count }, (_, index) => entryOf(seq + 1 + index, 'z'.repeat(30_000)));
      await append(driver, lease, entries);
      seq += count;
    }
    for (let turn = 0; turn < 40; turn += 1) await append(driver, lease, [entryOf((seq += 1), 'y'.repeat(9_000))]);
    expect((await driver.head('long'))?.seq).toBe(seq);
    await driver.close();
    expect(readdirSync(folder)).toEqual([]);
    rmSync(place, { recursive: true });
  });

  test('is not read where nothing was written', () => {
    const [instance, room] = ['xlong', 16 * 1024 * 1024];
    const owner = { id: 'o', host: 'here', pid: 1, started: 'now' };
    const header = headerLine(instance, { owner, room });
    const claim = claimLine(instance, { name: 's-s', epoch: 3 });
    const bytes = Buffer.alloc(room + claim.length);
    bytes.set(header, 0);
    bytes.set(claim, room);
    let read = 0;
    const contents = readJournal(
      {
        size: bytes.length,
        read: (into, at) => {
          const part = bytes.subarray(at, at + into.length);
          into.set(part);
          read += part.length;
          return part.length;
        },
      },
      instance,
    );
    expect([contents.owner, contents.claims.open('s-s')]).toEqual([owner, [3]]);
    expect(read).toBeLessThan(300_000);
  });
});

test('a disk without room for zeros still accepts a record', async () => {
  const files = new FaultFiles();
  let taken = 0;
  const cramped: Files = new Proxy(files, {
    get: (target, key) => {
      if (key !== 'writeLater') {
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return async (file: number, bytes: Uint8Array, at: number): Promise<number> => {
        if (bytes.length > 4_096) throw new SystemError('ENOSPC', 'zeros');
        taken += 1;
        return target.write(file, bytes, at);
      };
    },
  });
  const environment = new Machine().environment();
  const driver = await openOn(cramped, environment);
  const lease = await start(driver, environment);
  for (let seq = 1; seq <= 3; seq += 1) {
    expect(await codeOf(driver.append(batchOf(lease, [entryOf(seq, 'small')])))).toBe('done');
  }
  expect(taken).toBe(3);
  expect((await readAll(driver)).length).toBe(3);
  await driver.close();
  expect([files.list(journals), files.openFiles]).toEqual([[], 0]);
});

test('an incomplete journal of a dead process is removed', async () => {
  const files = new FaultFiles();
  const machine = new Machine();
  const [one, two] = [machine.environment(), machine.environment()];
  await openOn(files, one);
  const owner = one.owner();
  files.poke(`${journals}/xdead.7.journal.new`, headerLine('xdead', { owner, room: 65_536 }));
  files.poke(`${journals}/xlives.7.journal.new`, headerLine('xlives', { owner: two.owner(), room: 65_536 }));
  files.poke(`${journals}/xtorn.7.journal.new`, Buffer.alloc(10));
  machine.dead.add(one.pid);
  machine.now = 1_000;
  const driver = await openOn(files, two);
  await start(driver, two, 'other');
  expect(files.list(journals)).toEqual(['xlives.7.journal.new', 'xtorn.7.journal.new']);
  machine.now += 7_200_000;
  const later = await openOn(files, machine.environment());
  await start(later, machine.environment(), 'third');
  expect(files.list(journals)).toEqual(['xlives.7.journal.new']);
});

test('the journal of a dead process is removed even if nothing can be appended to it', async () => {
  const files = new FaultFiles();
  const machine = new Machine();
  const [one, two] = [machine.environment(), machine.environment()];
  const dying = await openOn(files, one);
  await dying.append(batchOf(await start(dying, one), [entryOf(1, 'acknowledged')]));
  machine.dead.add(one.pid);
  const dead = files.list(journals);
  const full: Files = new Proxy(files, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (key === 'open' && given[1] === 'append') throw new SystemError('ENOSPC', 'append');
        return value.apply(target, given);
      };
    },
  });
  const driver = await openOn(full, two);
  await start(driver, two, 'other');
  expect([dead.length, files.list(journals)]).toEqual([1, []]);
  expect((await readAll(driver)).length).toBe(1);
  await driver.close();
});
