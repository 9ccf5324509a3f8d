import { describe, expect, test } from 'vitest';

import type { Files } from '../../src/drivers/file/files.ts';
import { FaultFiles } from '../fault-files.ts';
import {
  batchOf,
  codeOf,
  entryOf,
  folder,
  Machine,
  openOn,
  readAll,
  root,
  start,
  take,
  textsOf,
} from './torture/world.ts';

const sessions = `${root}/sessions`;
const leaving = `${sessions}/.leaving-s-s`;

/** Files that run an action once, before a certain call. */
function before(files: FaultFiles, isIt: (name: string, args: readonly unknown[]) => boolean, act: () => void): Files {
  let done = false;
  return new Proxy(files, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (!done && isIt(String(key), args)) {
          done = true;
          act();
        }
        return (value as (...all: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

/** Removes a folder like an erasure: the name goes first. */
function remove(files: FaultFiles, path: string): void {
  files.rename(path, `${sessions}/.erased-x`);
  for (const name of files.list(`${sessions}/.erased-x`)) files.drop(`${sessions}/.erased-x/${name}`);
  files.removeFolder(`${sessions}/.erased-x`);
}

describe('a session that was erased and created anew', () => {
  test('keeps its lease when an earlier holder releases a lease with the same number', async () => {
    const files = new FaultFiles();
    const machine = new Machine();
    const [one, two, three] = [machine.environment(), machine.environment(), machine.environment()];
    const slow = await openOn(files, one);
    const lease = await start(slow, one);
    machine.now += 10_000;
    const eraser = await openOn(files, two);
    await eraser.erase(await take(eraser, two));
    const fresh = await start(eraser, two);
    expect(fresh.epoch).toBe(lease.epoch);
    await eraser.append(batchOf(fresh, [entryOf(1, 'one')]));
    expect(await codeOf(slow.renew(lease, 1_000))).toBe('stale');
    await slow.release(lease);
    const third = await openOn(files, three);
    expect(await codeOf(take(third, three))).toBe('conflict');
    await eraser.append(batchOf(fresh, [entryOf(2, 'two')]));
    expect(textsOf(await readAll(third))).toEqual(textsOf([entryOf(1, 'one'), entryOf(2, 'two')]));
    for (const driver of [slow, eraser, third]) await driver.close();
  });

  test('ignores notes about the earlier one, although both have the same creation time', async () => {
    const files = new FaultFiles();
    const machine = new Machine();
    const environment = machine.environment();
    const driver = await openOn(files, environment);
    const lease = await start(driver, environment);
    await driver.append(batchOf(lease, [entryOf(1, 'one'), entryOf(2, 'two')]));
    await driver.release(lease);
    const notes = ['head.json', 'info.json'].map(
      (name) => [`${folder}/${name}`, files.peek(`${folder}/${name}`)] as const,
    );
    await driver.erase(await take(driver, environment));
    await driver.release(await start(driver, environment));
    for (const [path, bytes] of notes) files.poke(path, bytes);
    expect(await driver.verify('s')).toMatchObject({ records: 0, damages: [] });
    expect(await driver.info('s')).toMatchObject({ records: 0, seq: 0 });
    await driver.close();
  });

  test('is not created while the earlier one may return', async () => {
    const files = new FaultFiles();
    const machine = new Machine();
    const environment = machine.environment();
    const driver = await openOn(files, environment);
    await driver.release(await start(driver, environment));
    files.rename(folder, leaving);
    expect(await codeOf(driver.create('s', { createdAt: 'now', base: 0 }))).toBe('exists');
    await driver.close();
  });
});

test('a session being erased returns once its eraser is dead, and not before', async () => {
  const files = new FaultFiles();
  const machine = new Machine();
  const [one, two] = [machine.environment(), machine.environment()];
  const eraser = await openOn(files, one);
  await start(eraser, one);
  files.rename(folder, leaving);
  await (await openOn(files, two)).close();
  expect([files.look(leaving)?.kind, files.look(folder)]).toEqual(['folder', undefined]);
  machine.dead.add(one.pid);
  await (await openOn(files, two)).close();
  expect([files.look(leaving), files.look(folder)?.kind]).toEqual([undefined, 'folder']);
});

test('an opening succeeds while another one restores the same session', async () => {
  const files = new FaultFiles();
  const machine = new Machine();
  const environment = machine.environment();
  const driver = await openOn(files, environment);
  await driver.release(await start(driver, environment));
  await driver.close();
  machine.dead.add(environment.pid);
  files.rename(folder, leaving);
  const racing = before(
    files,
    (name, [path]) => name === 'rename' && path === leaving,
    () => files.rename(leaving, folder),
  );
  const next = await openOn(racing, machine.environment());
  expect(await readAll(next)).toEqual([]);
  await next.close();
});

/** A log at the moment of the first line of a batch, and one whose head is behind all three lines. */
async function halfWritten(): Promise<{ files: FaultFiles; machine: Machine; finish: () => void }> {
  const files = new FaultFiles();
  const machine = new Machine();
  const environment = machine.environment();
  const driver = await openOn(files, environment);
  const lease = await start(driver, environment);
  await driver.append(batchOf(lease, [entryOf(1, 'one')]));
  const short = files.peek(`${folder}/log.jsonl`).length;
  const paths = ['log.jsonl', 'head.json', 'lease-1.json'].map((name) => `${folder}/${name}`);
  const held = paths.map((path) => files.peek(path));
  await driver.append(batchOf(lease, [entryOf(2, 'two'), entryOf(3, 'three'), entryOf(4, 'four')]));
  await driver.release(lease);
  await driver.close();
  const whole = paths.map((path) => files.peek(path));
  const [log = Buffer.alloc(0)] = whole;
  const feed = log.indexOf(10, short) + 1;
  paths.forEach((path, index) => files.poke(path, index === 0 ? log.subarray(0, feed) : (held[index] ?? log)));
  return { files, machine, finish: () => paths.forEach((path, index) => files.poke(path, whole[index] ?? log)) };
}

describe('a batch that another process is writing', () => {
  test('is verified completely or not at all', async () => {
    const seen = new Set<number>();
    for (let [call, counted] = [1, 1]; counted === call; call += 1, counted += 1) {
      const { files, machine, finish } = await halfWritten();
      counted = 0;
      const isIt = (): boolean => (counted += 1) === call;
      const driver = await openOn(before(files, isIt, finish), machine.environment());
      const { head, records, damages } = await driver.verify('s');
      seen.add(records);
      expect([call, head.seq, damages]).toEqual([call, records, []]);
      await driver.close();
    }
    expect(seen).toEqual(new Set([1, 4]));
  });

  test.each(['holds the lease', 'is dead'])('is not damage while that process %s', async (state) => {
    const { files, machine } = await halfWritten();
    if (state === 'is dead') machine.dead.add(1);
    const driver = await openOn(files, machine.environment());
    const { records, damages } = await driver.verify('s');
    const kinds = damages.map(({ kind }) => kind);
    expect([records, kinds]).toEqual([1, state === 'is dead' ? ['torn-tail'] : []]);
    await driver.close();
  });
});

test('a session erased while a dead journal is applied is not reported', async () => {
  const outcomes = new Set<string>();
  for (let [call, counted] = [1, 1]; counted === call; call += 1, counted += 1) {
    const files = new FaultFiles();
    const machine = new Machine();
    const [one, two] = [machine.environment(), machine.environment()];
    const dying = await openOn(files, one);
    const lease = await start(dying, one);
    await dying.append(batchOf(lease, [entryOf(1, 'acknowledged')]));
    machine.dead.add(one.pid);
    counted = 0;
    const isIt = (): boolean => (counted += 1) === call;
    const driver = await openOn(
      before(files, isIt, () => remove(files, folder)),
      two,
    );
    await driver.create('other', { createdAt: 'now', base: 0 });
    outcomes.add(await codeOf(take(driver, two, 'other')));
    expect([call, machine.notices]).toEqual([call, []]);
    await driver.close();
  }
  expect([...outcomes]).toEqual(['done']);
});
