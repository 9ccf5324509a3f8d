import type { Driver, Entry } from '../../../src/driver.ts';
import { StoreError } from '../../../src/store-error.ts';
import type { FaultFiles } from '../../fault-files.ts';
import { batchOf, entryOf, type Machine, must, openOn, readAll, readBack, start, take, textsOf } from './world.ts';

/** A writer's knowledge at its end: acknowledged and attempted records. */
export type Ledger = {
  readonly acknowledged: Entry[];
  readonly tried: Entry[][];
  failures: number;
};

const long = 'a long text '.repeat(6_000);

const plan: readonly (readonly string[])[] = [
  ['one'],
  ['two', 'three', 'four'],
  ['f'.repeat(700)],
  [long],
  ['six', 's'.repeat(1_500)],
  [`again ${long.slice(10)}`, long],
  ['the last'],
];

/** Failures must be StoreErrors; any other error ends the run. */
async function tolerant<T>(ledger: Ledger, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    must(error.message.length > 10, () => 'an error without a sentence');
    ledger.failures += 1;
    return undefined;
  }
}

/** Writes as long as possible, retries failures once, and notes every acknowledgement. */
export async function blobWorkload(files: FaultFiles, machine: Machine): Promise<Ledger> {
  const ledger: Ledger = { acknowledged: [], tried: [], failures: 0 };
  const environment = machine.environment();
  const driver = await tolerant(ledger, () => openOn(files, environment));
  if (driver === undefined) return ledger;
  const lease = await tolerant(ledger, () => start(driver, environment));
  const held = lease ?? (await tolerant(ledger, () => take(driver, environment)));
  if (held !== undefined) {
    for (const [index, texts] of plan.entries()) {
      for (let tries = 0; tries < 2; tries += 1) {
        const first = (ledger.acknowledged.at(-1)?.seq ?? 0) + 1;
        const entries = texts.map((text, place) => entryOf(first + place, `${text} ${tries}`));
        ledger.tried.push(entries);
        const op = `op ${index} ${tries}`;
        if ((await tolerant(ledger, () => driver.append(batchOf(held, entries, op)))) === undefined) continue;
        ledger.acknowledged.push(...entries);
        break;
      }
    }
    await tolerant(ledger, () => readAll(driver));
    await tolerant(ledger, () => driver.release(held));
  }
  await tolerant(ledger, () => driver.close());
  return ledger;
}

const isPrefix = (short: readonly string[], long: readonly string[]): boolean =>
  short.every((text, index) => long[index] === text);

/** The stored records must start with all acknowledged ones and may end with one attempted batch. */
function judge(stored: readonly string[], ledger: Ledger, what: string): void {
  const known = textsOf(ledger.acknowledged);
  must(isPrefix(known, stored), () => `${what}: ${known.length} acknowledged, ${stored.length} stored`);
  const rest = stored.slice(known.length);
  const batches = ledger.tried.map(textsOf);
  const explained = (left: readonly string[]): boolean =>
    left.length === 0 ||
    batches.some((batch) => batch.length > 0 && isPrefix(batch, left) && explained(left.slice(batch.length)));
  must(explained(rest), () => `${what}: half a batch, or one that nobody wrote`);
}

async function missing(driver: Driver): Promise<boolean> {
  return (await driver.head('s')) === undefined;
}

/** A new process finds every acknowledged record and nothing else, and can write. */
export async function settleLedger(
  files: FaultFiles,
  machine: Machine,
  { ledger, what }: { readonly ledger: Ledger; readonly what: string },
): Promise<void> {
  const environment = machine.environment();
  const driver = await openOn(files, environment);
  if (await missing(driver)) {
    must(ledger.acknowledged.length === 0, () => `${what}: the session is gone`);
    await driver.close();
    return;
  }
  judge(textsOf(await readAll(driver)), ledger, `${what}, read`);
  const lease = await take(driver, environment);
  const before = textsOf(await readAll(driver));
  judge(before, ledger, what);
  must(textsOf(await readBack(driver)).join() === before.join(), () => `${what}: backward`);
  const next = entryOf(before.length + 1, 'what comes after');
  await driver.append(batchOf(lease, [next]));
  await driver.release(lease);
  await driver.close();
  machine.dead.add(environment.pid);
  const again = await openOn(files, machine.environment());
  must(textsOf(await readAll(again)).join() === [...before, ...textsOf([next])].join(), () => `${what}: after all`);
  const { damages } = await again.verify('s');
  must(damages.length === 0, () => `${what}: ${JSON.stringify(damages)}`);
  await again.close();
}
