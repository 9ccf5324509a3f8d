import { expect, test } from 'vitest';

import { FaultFiles } from '../fault-files.ts';
import { batchOf, entryOf, folder, logPath, Machine, openOn, readAll, start, take, textsOf } from './torture/world.ts';

/** A session whose last two records are only in the journal of a dead process, and its log. */
async function leave(machine: Machine): Promise<{ files: FaultFiles; log: Buffer }> {
  const files = new FaultFiles();
  const first = machine.environment();
  const driver = await openOn(files, first);
  const lease = await start(driver, first);
  for (const seq of [1, 2, 3]) await driver.append(batchOf(lease, [entryOf(seq, `logged ${seq}`)]));
  await driver.release(lease);
  await driver.close();
  const second = machine.environment();
  const dying = await openOn(files, second);
  const held = await take(dying, second);
  for (const seq of [4, 5]) await dying.append(batchOf(held, [entryOf(seq, `stranded ${seq}`)]));
  for (const { pid } of [first, second]) machine.dead.add(pid);
  machine.now += 60_000;
  const left = files.afterPowerCut(() => 'dropped');
  left.drop(`${folder}/head.json`);
  return { files: left, log: left.peek(logPath) };
}

async function salvage(files: FaultFiles, machine: Machine): Promise<string[]> {
  const environment = machine.environment();
  const driver = await openOn(files, environment);
  await driver.mend?.(await take(driver, environment), 'salvage');
  const texts = textsOf(await readAll(driver)).map((text) => (JSON.parse(text) as { data: string }).data);
  expect((await driver.verify('s')).damages).toEqual([]);
  await driver.close();
  return texts;
}

const lineOf = (log: Buffer, text: string): { from: number; to: number } => {
  const at = log.indexOf(text);
  return { from: log.lastIndexOf(0x0a, at) + 1, to: log.indexOf(0x0a, at) };
};

test('records in a journal return behind the line they follow, whichever earlier line is damaged', async () => {
  const machine = new Machine();
  const { files, log } = await leave(machine);
  log.write('nope', log.indexOf('logged 2'));
  files.poke(logPath, log);
  expect(await salvage(files, machine)).toEqual(['logged 1', 'logged 3', 'stranded 4', 'stranded 5']);
});

test('records in a journal return behind a damaged line that still has its checksum', async () => {
  const machine = new Machine();
  const { files, log } = await leave(machine);
  log.write('nope', log.indexOf('logged 3'));
  files.poke(logPath, log);
  expect(await salvage(files, machine)).toEqual(['logged 1', 'logged 2', 'stranded 4', 'stranded 5']);
});

test('records in a journal return if the first line of the log is damaged', async () => {
  const machine = new Machine();
  const { files, log } = await leave(machine);
  log.write('no', 30);
  files.poke(logPath, log);
  expect(await salvage(files, machine)).toEqual(['logged 1', 'logged 2', 'logged 3', 'stranded 4', 'stranded 5']);
});

test('records in a journal return behind a lost line, which is reported', async () => {
  const machine = new Machine();
  const { files, log } = await leave(machine);
  const { from, to } = lineOf(log, 'logged 3');
  files.poke(logPath, log.fill(0, from, to + 1));
  const driver = await openOn(files, machine.environment());
  expect((await driver.verify('s')).damages).toEqual([expect.objectContaining({ kind: 'tail-lost', seq: 3 })]);
  await driver.close();
  expect(await salvage(files, machine)).toEqual(['logged 1', 'logged 2', 'stranded 4', 'stranded 5']);
});

test('a log shorter than a journal expects may be an older copy and is a valid prefix', async () => {
  const machine = new Machine();
  const { files, log } = await leave(machine);
  const { from } = lineOf(log, 'logged 3');
  files.poke(logPath, log.subarray(0, from));
  const environment = machine.environment();
  const driver = await openOn(files, environment);
  const lease = await take(driver, environment);
  expect(await readAll(driver)).toHaveLength(2);
  await driver.append(batchOf(lease, [entryOf(3, 'anew')]));
  expect((await driver.verify('s')).damages).toEqual([]);
  await driver.close();
});

test('records in a journal without any link to the log are quarantined and reported', async () => {
  const machine = new Machine();
  const { files, log } = await leave(machine);
  const { from, to } = lineOf(log, 'logged 3');
  log.fill(0, from, to).write('no', 30);
  files.poke(logPath, log);
  expect(await salvage(files, machine)).toEqual(['logged 1', 'logged 2']);
  const told = machine.notices.filter(({ kind }) => kind === 'batch-aside');
  expect(told.map(({ session }) => session)).toEqual(['s', 's']);
  const names = told.map(({ sentence }) => /they are now in (\S+)$/.exec(sentence)?.[1] ?? '');
  const kept = names.map((name) => files.peek(`${folder}/quarantine/${name}`).toString());
  expect(kept).toEqual([expect.stringContaining('stranded 4'), expect.stringContaining('stranded 5')]);
});

test('records in a journal that follow another line do not belong to a new log', async () => {
  const machine = new Machine();
  const { files, log } = await leave(machine);
  const other = new FaultFiles();
  const environment = machine.environment();
  const driver = await openOn(other, environment);
  const lease = await start(driver, environment);
  for (const seq of [1, 2, 3]) await driver.append(batchOf(lease, [entryOf(seq, `newest ${seq}`)]));
  await driver.release(lease);
  await driver.close();
  const anew = other.peek(logPath);
  expect(anew.length).toBe(log.length);
  anew.write('nope', anew.indexOf('newest 2'));
  files.poke(logPath, anew);
  expect(await salvage(files, machine)).toEqual(['newest 1', 'newest 3']);
  expect(machine.notices.map(({ kind }) => kind)).not.toContain('batch-aside');
});

test('a second mend finds nothing left in the journals', async () => {
  const machine = new Machine();
  const { files, log } = await leave(machine);
  log.write('nope', log.indexOf('logged 1'));
  files.poke(logPath, log);
  const environment = machine.environment();
  const driver = await openOn(files, environment);
  const lease = await take(driver, environment);
  await driver.mend?.(lease, 'salvage');
  await driver.mend?.(lease, 'prefix');
  expect(await readAll(driver)).toHaveLength(4);
  expect(machine.notices.map(({ kind }) => kind)).not.toContain('batch-aside');
  expect(files.list('/store/journal')).toEqual([]);
  await driver.close();
});

test('failed batches replaced by a shorter one are not damage, whichever call failed', async () => {
  let written = 0;
  for (let call = 1; ; call += 1) {
    const machine = new Machine();
    const environment = machine.environment();
    const files = new FaultFiles();
    const driver = await openOn(files, environment);
    const lease = await start(driver, environment);
    await driver.append(batchOf(lease, [entryOf(1, 'first')]));
    const at = files.calls + call;
    files.fault = { at, code: 'EIO' };
    const long = [2, 3].map((seq) => driver.append(batchOf(lease, [entryOf(seq, 'long '.repeat(20))])));
    const kept = (await Promise.allSettled(long)).filter(({ status }) => status === 'fulfilled').length;
    if (files.calls < at) break;
    const short = driver.append(batchOf(lease, [entryOf(kept + 2, 'short')]));
    const acknowledged = kept + 1 + (await short.then(() => 1).catch(() => 0));
    written += acknowledged - kept - 1;
    machine.dead.add(environment.pid);
    machine.now += 60_000;
    for (const fate of ['kept', 'dropped'] as const) {
      const later = machine.environment();
      const left = await openOn(
        files.afterPowerCut(() => fate),
        later,
      );
      await take(left, later);
      expect((await left.verify('s')).damages, `call ${call}, ${fate}`).toEqual([]);
      expect((await readAll(left)).length, `call ${call}, ${fate}`).toBeGreaterThanOrEqual(acknowledged);
      await left.close();
    }
  }
  expect(written).toBeGreaterThan(0);
});
