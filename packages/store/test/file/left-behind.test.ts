import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { openFileOn } from '../../src/drivers/file.ts';
import { nameOf } from '../../src/drivers/file/layout.ts';
import { encodeLine, findLine } from '../../src/drivers/file/line.ts';
import { patched } from '../../src/drivers/file/byte-source.ts';
import { type Store, type Stored, decodeRecord, open } from '../../src/index.ts';
import { FaultFiles } from '../fault-files.ts';
import { batchOf, codeOf, entryOf, Machine, openOn, readAll, root, start, take } from './torture/world.ts';

const around = mkdtempSync(join(tmpdir(), 'rethread-left-'));
afterAll(() => rmSync(around, { recursive: true }));

const textsOf = (stored: readonly Stored[]): unknown[] => stored.map(({ bytes }) => decodeRecord(bytes)?.data);

let places = 0;
const newPlace = (): string => join(around, `place-${(places += 1)}`);
const note = (data: unknown): { kind: string; data: unknown } => ({ kind: 'note', data });
const openAt = (place: string): Promise<Store> => open(`file:${place}`, { durability: 'os' });

describe('opening', () => {
  test('removes only its own files, and a foreign one does not stop it', async () => {
    const place = newPlace();
    await (await openAt(place)).close();
    const sessions = join(place, 'sessions');
    const old = new Date(Date.now() - 86_400_000);
    writeFileSync(join(sessions, '.DS_Store'), 'x');
    mkdirSync(join(sessions, '.git'));
    writeFileSync(join(sessions, '.git', 'HEAD'), 'x');
    mkdirSync(join(sessions, '.new-left'));
    writeFileSync(join(sessions, '.new-file'), 'x');
    for (const name of readdirSync(sessions)) utimesSync(join(sessions, name), old, old);
    await (await openAt(place)).close();
    expect(readdirSync(sessions).sort()).toEqual(['.DS_Store', '.git', '.new-file']);
    expect(existsSync(join(sessions, '.git', 'HEAD'))).toBe(true);
  });
});

describe('a folder planted as a link', () => {
  test('accepts no long string and no torn tail', async () => {
    const [place, outside] = [newPlace(), newPlace()];
    mkdirSync(outside);
    const store = await openAt(place);
    const session = await store.create({ id: 'a' });
    await session.append(note('one'));
    await session.close();
    const folder = join(place, 'sessions', 's-a');
    symlinkSync(outside, join(folder, 'blobs'));
    symlinkSync(outside, join(folder, 'quarantine'));
    expect(await codeOf(session.append(note('z'.repeat(100_000))))).toBe('unsafe');
    await session.close();
    writeFileSync(join(folder, 'log.jsonl'), 'torn', { flag: 'a' });
    expect(await codeOf((await store.session('a')).append(note('two')))).toBe('unsafe');
    expect(readdirSync(outside)).toEqual([]);
    await store.close();
  });

  test('reveals nothing about a session', async () => {
    const [place, outside] = [newPlace(), newPlace()];
    const store = await openAt(place);
    const session = await store.create({ id: 'a', title: 'elsewhere' });
    await session.append(note('one'));
    await session.close();
    renameSync(join(place, 'sessions', 's-a'), outside);
    symlinkSync(outside, join(place, 'sessions', 's-a'));
    expect(await codeOf(session.info())).toBe('unsafe');
    for await (const { title, damaged } of store.list()) expect([title, typeof damaged]).toEqual([undefined, 'string']);
    await store.close();
  });
});

/** A directory of sessions with hashed names; two of them have lost their id. */
async function placeWithNameless(): Promise<string> {
  const place = newPlace();
  const store = await openAt(place);
  for (let index = 0; index < 8; index += 1) {
    const session = await store.create({ id: `Name ${index}` });
    await session.append(note('needle'));
  }
  await store.close();
  const folder = join(place, 'sessions');
  const names = readdirSync(folder).sort();
  for (const index of [2, 5]) {
    unlinkSync(join(folder, names[index] ?? '', 'info.json'));
    writeFileSync(join(folder, names[index] ?? '', 'log.jsonl'), 'garbage\n');
  }
  return place;
}

describe('a session whose id is unknown', () => {
  test('neither hides nor repeats others in a paged list', async () => {
    const store = await openAt(await placeWithNameless());
    const seen: string[] = [];
    for (let after: string | undefined; seen.length < 20;) {
      const before = seen.length;
      for await (const { id } of store.list({ limit: 1, ...(after === undefined ? {} : { after }) })) seen.push(id);
      if (seen.length === before) break;
      after = seen.at(-1);
    }
    expect([seen.length, new Set(seen).size]).toEqual([8, 8]);
    await store.close();
  });

  test('does not stop a search in the others', async () => {
    const store = await openAt(await placeWithNameless());
    let found = 0;
    for await (const { seq } of store.search('needle')) found += seq;
    expect(found).toBe(6);
    await store.close();
  });
});

test('a session with a very long title is listed by its id', async () => {
  const store = await openAt(newPlace());
  const session = await store.create({ id: 'Long Title', title: 't'.repeat(1_200_000) });
  await session.append(note(1));
  await session.close();
  for await (const { id, damaged } of store.list()) expect([id, damaged]).toEqual(['Long Title', undefined]);
  await store.close();
});

/** A machine whose first process died with a record that is only in its journal. */
async function diedWith(id: string): Promise<{ files: FaultFiles; machine: Machine; log: string }> {
  const files = new FaultFiles();
  const machine = new Machine();
  const environment = machine.environment();
  const driver = await openOn(files, environment);
  const lease = await start(driver, environment, id);
  const log = `${root}/sessions/${nameOf(id)}/log.jsonl`;
  await driver.append(batchOf(lease, [entryOf(1, 'acknowledged')]));
  machine.dead.add(environment.pid);
  return { files, machine, log };
}

const journalsIn = (files: FaultFiles): string[] => files.names(`${root}/journal`);

describe('the journal of a dead process', () => {
  test('is kept while one of its sessions has no known id', async () => {
    const { files, machine, log } = await diedWith('Not Plain');
    const sound = files.peek(log);
    files.poke(log, Buffer.from('garbage\n'));
    files.drop(log.replace('log.jsonl', 'info.json'));
    const next = machine.environment();
    const driver = await openOn(files, next);
    await start(driver, next, 'other');
    expect(journalsIn(files).length).toBe(1);
    // Only the first line, as in a backup: the record is in the journal.
    files.poke(log, sound.subarray(0, sound.indexOf(10) + 1));
    expect(textsOf(await readAll(driver, 'Not Plain'))).toEqual(['acknowledged']);
    await driver.close();
  });

  test('is removed with its records when the session is erased', async () => {
    const files = new FaultFiles();
    const machine = new Machine();
    const [one, two, three] = [machine.environment(), machine.environment(), machine.environment()];
    const eraser = await openOn(files, one);
    await start(eraser, one, 'swept');
    const dying = await openOn(files, two);
    const lease = await start(dying, two, 'plain');
    await dying.append(batchOf(lease, [entryOf(1, 'secret words')]));
    machine.dead.add(two.pid);
    await eraser.erase(await take(eraser, one, 'plain'));
    expect(journalsIn(files)).toEqual([]);
    const later = await openOn(files, three);
    await start(later, three, 'later');
    expect(machine.notices.filter(({ kind }) => kind === 'journal-kept')).toEqual([]);
    await eraser.close();
    await later.close();
  });

  test('is removed although one of its sessions was erased before', async () => {
    const { files, machine } = await diedWith('plain');
    const folder = `${root}/sessions/s-plain`;
    for (const name of files.list(folder)) files.drop(`${folder}/${name}`);
    files.removeFolder(folder);
    const next = machine.environment();
    const driver = await openOn(files, next);
    await start(driver, next, 'other');
    expect([journalsIn(files), machine.notices]).toEqual([[], []]);
    await driver.close();
  });
});

test('a journal that cannot be removed is closed once, and never another file instead', async () => {
  const files = new FaultFiles();
  const machine = new Machine();
  const environment = machine.environment();
  const closed: number[] = [];
  let refuse = true;
  const stubborn = new Proxy(files, {
    get: (target, key) => {
      if (key === 'close') {
        return (file: number): void => {
          closed.push(file);
          target.close(file);
        };
      }
      if (key === 'unlink') {
        return (path: string): void => {
          if (refuse && path.endsWith('.journal')) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
          target.unlink(path);
        };
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const driver = await openOn(stubborn, environment);
  const lease = await start(driver, environment);
  const other = await start(driver, environment, 'other');
  await driver.append(batchOf(lease, [entryOf(1, 'one')]));
  expect(await codeOf(driver.erase(other))).toBe('io');
  refuse = false;
  await driver.append(batchOf(lease, [entryOf(2, 'two')]));
  await driver.release(lease);
  await driver.close();
  expect(closed.length).toBe(new Set(closed).size);
  expect(files.openFiles).toBe(0);
  expect(journalsIn(files)).toEqual([]);
});

test('with batch durability, a later journal is synced after the interval too', async () => {
  const files = new FaultFiles();
  const waiting: (() => void)[] = [];
  const machine = new Machine();
  const environment = {
    ...machine.environment(),
    after: (_ms: number, callback: () => void) => {
      waiting.push(callback);
      return () => undefined;
    },
  };
  const driver = await openFileOn(files)(`file:${root}`, { environment, durability: { batchMs: 20 } });
  const lease = await start(driver, environment);
  const other = await start(driver, environment, 'other');
  const long = JSON.stringify(
    Array.from({ length: 300_000 }, () => 'sixty letters of text that is much shorter than a blob'),
  );
  await driver.append(batchOf(lease, [{ ...entryOf(1, ''), bytes: Buffer.from(`{"seq":1,"data":${long}}`) }]));
  await driver.append(batchOf(other, [entryOf(1, 'in the new journal')]));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  for (const callback of waiting.splice(0)) callback();
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  machine.dead.add(environment.pid);
  const after = await openOn(
    files.afterPowerCut(
      () => 'dropped',
      () => true,
    ),
    machine.environment(),
  );
  expect([(await readAll(after)).length, textsOf(await readAll(after, 'other'))]).toEqual([1, ['in the new journal']]);
  await driver.close();
});

test('a writer whose session was erased and created anew is refused', async () => {
  const files = new FaultFiles();
  const machine = new Machine();
  const [one, two] = [machine.environment(), machine.environment()];
  const slow = await openOn(files, one);
  const lease = await start(slow, one);
  machine.now += 10_000;
  const quick = await openOn(files, two);
  await quick.erase(await take(quick, two));
  machine.now += 10_000;
  const fresh = await start(quick, two);
  expect(await codeOf(slow.append(batchOf(lease, [entryOf(1, 'to the one before')])))).toBe('stale');
  await quick.append(batchOf(fresh, [entryOf(1, 'to the new one')]));
  await slow.close();
  expect(textsOf(await readAll(quick))).toEqual(['to the new one']);
  await quick.close();
});

test('an acknowledged fork stays readable, whenever its source is erased', async () => {
  const store = await openAt(newPlace());
  const outcomes = new Set<string>();
  for (let index = 0; index < 60; index += 1) {
    const source = await store.create({ id: `source-${index}` });
    await source.append(note('shared'));
    const erased = codeOf(source.erase());
    for (let turn = 0; turn < index; turn += 1) await Promise.resolve();
    const forked = codeOf(source.fork({ id: `fork-${index}` }));
    const outcome = `erase ${await erased}, fork ${await forked}`;
    outcomes.add(outcome);
    if ((await forked) === 'done') expect((await (await store.session(`fork-${index}`)).load()).length).toBe(2);
    if ((await erased) === 'conflict') await source.append(note('still writable'));
  }
  expect([...outcomes]).not.toContain('erase done, fork done');
  await store.close();
});

test('a record full of apparent lines is scanned in linear time', () => {
  const unit = '["0123456789abcdef",1,1,3,4],';
  const torn = Buffer.from(`x${unit.repeat(100_000)}0]\n`);
  const sound = encodeLine({ seq: 7, record: Buffer.from(`[${unit.repeat(1_000)}0]`), meta: { op: 'x' } }, 123).bytes;
  const began = performance.now();
  expect(findLine(torn, 0)).toBe(undefined);
  expect(performance.now() - began).toBeLessThan(10_000);
  const glued = Buffer.concat([torn.subarray(0, 100_000), sound, torn]);
  expect(findLine(glued, 0)).toEqual({ at: 100_000, to: 100_000 + sound.length - 1, end: 100_000 + sound.length });
  for (const place of [25, 500, 20_000, sound.length - 5]) {
    const flipped = Buffer.from(glued);
    flipped[100_000 + place] = (flipped[100_000 + place] ?? 0) ^ 1;
    expect(findLine(flipped, 0)).toBe(undefined);
  }
});

test('a log may lack as many batches as the journals can hold', () => {
  const bytes = Buffer.from('x');
  const patches = Array.from({ length: 300_000 }, (_, at) => ({ at, bytes }));
  expect(patched({ size: 0, read: () => 0 }, patches).size).toBe(300_000);
});

test('a reader sees no lost tail if the head moves while it opens the log', async () => {
  const files = new FaultFiles();
  const machine = new Machine();
  const [one, two] = [machine.environment(), machine.environment()];
  const writer = await openOn(files, one);
  const lease = await start(writer, one);
  await writer.append(batchOf(lease, [entryOf(1, 'one')]));
  const folder = `${root}/sessions/s-s`;
  const before = { log: files.peek(`${folder}/log.jsonl`), head: files.peek(`${folder}/head.json`) };
  await writer.append(batchOf(lease, [entryOf(2, 'two')]));
  await writer.release(lease);
  const after = { log: files.peek(`${folder}/log.jsonl`), head: files.peek(`${folder}/head.json`) };
  files.poke(`${folder}/log.jsonl`, before.log);
  files.poke(`${folder}/head.json`, before.head);
  // As if another process wrote and released the lease between two calls of the reader.
  let looked = false;
  const racing = new Proxy(files, {
    get: (target, key) => {
      if (key === 'state') {
        return (file: number) => {
          const state = target.state(file);
          if (looked || state.size !== before.log.length) return state;
          looked = true;
          files.poke(`${folder}/log.jsonl`, after.log);
          files.poke(`${folder}/head.json`, after.head);
          return state;
        };
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const reader = await openOn(racing, two);
  expect(textsOf(await readAll(reader))).toEqual(['one']);
  expect(looked).toBe(true);
  await reader.close();
  await writer.close();
});

test('the event loop turns during a long read or search', async () => {
  const store = await openAt(newPlace());
  const session = await store.create();
  for (let batch = 0; batch < 20; batch += 1) {
    await session.append(Array.from({ length: 500 }, () => note('y'.repeat(2_000))));
  }
  for (const records of [session.read(), session.read({ backward: true }), store.search('nowhere')]) {
    let [turns, going] = [0, true];
    const turn = (): void => {
      turns += 1;
      if (going) setImmediate(turn);
    };
    setImmediate(turn);
    for await (const record of records) expect(record.seq).toBeGreaterThan(0);
    going = false;
    expect(turns).toBeGreaterThan(2);
  }
  await store.close();
});
