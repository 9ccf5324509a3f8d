import type { Driver, Entry, Lease } from '../../../src/driver.ts';
import { StoreError } from '../../../src/store-error.ts';
import { FaultFiles } from '../../fault-files.ts';
import { add, batchOf, chanceOf, entryOf, Machine, must, openOn, readAll, type Tally, take, textsOf } from './world.ts';

type Rival = {
  readonly driver: Driver;
  readonly environment: ReturnType<Machine['environment']>;
  lease: Lease | undefined;
  head: number;
};

/** Several openings of one directory compete for a session in random order. The log must be consistent. */
async function fight(seed: number, tally: Tally): Promise<void> {
  const chance = chanceOf(seed);
  const machine = new Machine();
  const files = new FaultFiles();
  const rivals: Rival[] = [];
  for (let index = 0; index < 3; index += 1) {
    const environment = machine.environment();
    rivals.push({ driver: await openOn(files, environment), environment, lease: undefined, head: 0 });
  }
  await rivals[0]?.driver.create('s', { createdAt: '2026-01-02T03:04:05.678Z', base: 0 });
  const acknowledged: Entry[] = [];
  const refused: Entry[] = [];
  const working: Promise<void>[] = [];
  for (let step = 0; step < 60; step += 1) {
    const rival = rivals[Math.floor(chance() * rivals.length)];
    if (rival === undefined) continue;
    const kind = chance();
    if (kind < 0.15) machine.now += 700;
    if (kind < 0.4) working.push(acquire(rival, tally));
    else if (kind < 0.45 && rival.lease !== undefined) working.push(rival.driver.release(rival.lease));
    else working.push(append(rival, { step, acknowledged, refused, tally }));
    if (chance() < 0.5) await Promise.all(working.splice(0));
  }
  await Promise.all(working);
  const reader = await openOn(files, machine.environment());
  const stored = textsOf(await readAll(reader));
  const known = textsOf(acknowledged.toSorted((a, b) => a.seq - b.seq));
  must(new Set(known).size === known.length, () => `seed ${seed}: acknowledged twice`);
  for (const [index, text] of known.entries()) {
    must(stored[(acknowledged.toSorted((a, b) => a.seq - b.seq)[index]?.seq ?? 0) - 1] === text, () => `seed ${seed}`);
  }
  for (const text of textsOf(refused)) must(!stored.includes(text), () => `seed ${seed}: refused and stored`);
  must((await reader.verify('s')).damages.length === 0, () => `seed ${seed}: damaged`);
  for (const { driver } of rivals) await driver.close();
  must(textsOf(await readAll(reader)).join() === stored.join(), () => `seed ${seed}: changed by closing`);
  await reader.close();
  add(tally, 'fights');
}

async function acquire(rival: Rival, tally: Tally): Promise<void> {
  try {
    rival.lease = await take(rival.driver, rival.environment);
    rival.head = rival.lease.head;
    add(tally, 'leases taken');
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'conflict') throw error;
    must(error.details.owner !== undefined, () => 'a conflict without an owner');
  }
}

type Outcome = {
  readonly step: number;
  readonly acknowledged: Entry[];
  readonly refused: Entry[];
  readonly tally: Tally;
};

async function append(rival: Rival, to: Outcome): Promise<void> {
  const { lease, head } = rival;
  if (lease === undefined) return;
  const entry = entryOf(head + 1, `by ${rival.environment.pid} in step ${to.step}`);
  try {
    await rival.driver.append(batchOf(lease, [entry]));
    to.acknowledged.push(entry);
    rival.head = Math.max(rival.head, head + 1);
    add(to.tally, 'appends in fights');
  } catch (error) {
    if (!(error instanceof StoreError) || !['stale', 'conflict'].includes(error.code)) throw error;
    to.refused.push(entry);
    add(to.tally, `refused as ${error.code}`);
  }
}

export async function fightOften(count: number, tally: Tally, firstSeed = 1): Promise<void> {
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) await fight(seed, tally);
}
