import type { Mending } from '../../../src/driver.ts';
import { type Fate, FaultFiles, PowerCut } from '../../fault-files.ts';
import {
  add,
  batchOf,
  chanceOf,
  entryOf,
  folder,
  logPath,
  Machine,
  must,
  openOn,
  readAll,
  start,
  take,
  type Tally,
  textsOf,
} from './world.ts';

/** The damage of the session, besides one record of its log. */
type Hurt = 'torn' | 'unlogged' | 'headless';
/** How a process ends, and what remains of its writes. */
type Stop = 'kill' | 'dropped' | 'garbage';

type Case = { readonly hurt: Hurt; readonly how: Mending; readonly stop: Stop };

const early = [1, 2, 3, 4, 5, 6].map((seq) => `early ${seq}`);
const late = [7, 8, 9].map((seq) => `late ${seq}`);
const rotten = 'early 4';
const torn = 'half of a write '.repeat(60);

function afterStop(files: FaultFiles, { stop }: Case): FaultFiles {
  if (stop === 'kill') return files.afterKill();
  const chance = chanceOf(files.calls);
  return files.afterPowerCut(
    (): Fate => stop,
    () => chance() < 0.5,
  );
}

/** The records of a dead process are in log and journal, or in the journal only; then one rots. */
async function makeHurt(machine: Machine, { hurt }: Case): Promise<FaultFiles> {
  const files = new FaultFiles();
  const first = machine.environment();
  const driver = await openOn(files, first);
  const lease = await start(driver, first);
  for (const [index, text] of early.entries()) await driver.append(batchOf(lease, [entryOf(index + 1, text)]));
  await driver.release(lease);
  await driver.close();
  const second = machine.environment();
  const dying = await openOn(files, second);
  const held = await take(dying, second);
  for (const [index, text] of late.entries()) await dying.append(batchOf(held, [entryOf(index + 7, text)]));
  for (const { pid } of [first, second]) machine.dead.add(pid);
  machine.now += 60_000;
  const left = hurt === 'torn' ? files.afterKill() : files.afterPowerCut(() => 'dropped');
  const log = Buffer.concat([left.peek(logPath), Buffer.from(hurt === 'torn' ? torn : '')]);
  if (hurt !== 'torn') log.write('nope', log.indexOf(rotten));
  left.poke(logPath, log);
  if (hurt === 'headless') left.drop(`${folder}/head.json`);
  return left;
}

type Ending = { readonly texts: readonly string[]; readonly damages: readonly unknown[] };

/** A process that mends the session and then appends to it; undefined if it was stopped. */
async function mend(files: FaultFiles, machine: Machine, { hurt, how }: Case): Promise<Ending | undefined> {
  const environment = machine.environment();
  try {
    const driver = await openOn(files, environment);
    const lease = await take(driver, environment);
    const head = hurt === 'torn' ? lease.head : (await driver.mend?.(lease, how))?.head.seq;
    const next = entryOf((head ?? 0) + 1, 'what comes after');
    await driver.append({ ...batchOf(lease, [next]), expect: head ?? 0 });
    const texts = textsOf(await readAll(driver)).map((text) => (JSON.parse(text) as { data: string }).data);
    const { damages } = await driver.verify('s');
    await driver.release(lease);
    await driver.close();
    return { texts, damages };
  } catch (error) {
    if (error instanceof PowerCut || files.calls >= (files.cutAt ?? Number.POSITIVE_INFINITY)) return undefined;
    throw error;
  } finally {
    machine.dead.add(environment.pid);
    machine.now += 1_200_000;
  }
}

/** Everything kept of a session, in its log and next to it. */
function keptIn(files: FaultFiles): string {
  const aside = `${folder}/quarantine`;
  const names = files.has(aside) ? files.list(aside).map((name) => `${aside}/${name}`) : [];
  return [logPath, ...names].map((path) => files.peek(path).toString('latin1')).join('\n');
}

async function judge(files: FaultFiles, machine: Machine, of: Case & { where: string }): Promise<void> {
  const { hurt, how, where } = of;
  const ending = await mend(files, machine, of);
  must(ending !== undefined && ending.damages.length === 0, () => `${where}: ${JSON.stringify(ending?.damages)}`);
  const sound = [...early, ...late].filter((text) => hurt === 'torn' || text !== rotten);
  const expected = how === 'salvage' || hurt === 'torn' ? sound : early.slice(0, 3);
  const told = (ending?.texts ?? []).filter((text) => text !== 'what comes after');
  must(told.join() === expected.join(), () => `${where}: ${told.join()} came back`);
  const kept = keptIn(files);
  const gone = [...sound.map((text) => `"${text}"`), ...(hurt === 'torn' ? [torn] : [])];
  must(
    gone.every((text) => kept.includes(text)),
    () => `${where}: bytes are gone that were there`,
  );
}

/** Calls without an effect: stopping before or after them is the same. */
const idle = new Set(['close', 'read', 'state', 'look', 'is-there', 'names']);

/** The calls at which stopping a mend makes a difference. */
async function stopsIn(files: FaultFiles, machine: Machine, of: Case): Promise<number[]> {
  files.trace = [];
  await mend(files, machine, of);
  return files.trace.flatMap((_, index, names) => (idle.has(names[index - 1] ?? '') ? [] : [index + 1]));
}

/** A session mended by processes that are stopped at these calls, in order. */
async function stopped(of: Case, calls: readonly number[]): Promise<{ files: FaultFiles; machine: Machine }> {
  const machine = new Machine();
  let files = await makeHurt(machine, of);
  for (const call of calls) {
    files.cutAt = call;
    await mend(files, machine, of);
    files = afterStop(files, of);
  }
  return { files, machine };
}

async function stopsBehind(of: Case, calls: readonly number[]): Promise<number[]> {
  const { files, machine } = await stopped(of, calls);
  return stopsIn(files, machine, of);
}

/** Every n-th call of the first and of the second process is tried. */
type Steps = { readonly first: number; readonly second: number };

/** Stops the mend at each of its calls, then the next one at each of its calls; the third finishes. */
async function stopMendsTwice(of: Case, tally: Tally, { first, second }: Steps): Promise<void> {
  const settle = async (calls: readonly number[]): Promise<void> => {
    const { files, machine } = await stopped(of, calls);
    await judge(files, machine, { ...of, where: `${JSON.stringify(of)} stopped at ${calls.join()}` });
    add(tally, `mended after ${calls.length} stop${calls.length === 1 ? '' : 's'}`);
  };
  await settle([]);
  const stops = await stopsBehind(of, []);
  for (let index = 0; index < stops.length; index += first) {
    const stop = stops[index] ?? 0;
    await settle([stop]);
    const behind = await stopsBehind(of, [stop]);
    // A different one each time, so that all are tried.
    for (let next = stop % second; next < behind.length; next += second) await settle([stop, behind[next] ?? 0]);
  }
}

const hurts: readonly (readonly [Hurt, readonly Mending[]])[] = [
  // A torn write is not damage: acquiring the session mends it.
  ['torn', ['salvage']],
  ['unlogged', ['salvage', 'prefix']],
  ['headless', ['salvage', 'prefix']],
];

/** The same for every damage, every way to mend it and every way to stop. */
export async function stopEveryMend(tally: Tally, steps: Steps): Promise<void> {
  for (const [hurt, ways] of hurts) {
    for (const how of ways) {
      for (const stop of ['kill', 'dropped', 'garbage'] as const)
        await stopMendsTwice({ hurt, how, stop }, tally, steps);
    }
  }
}
