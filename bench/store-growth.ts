import { closeSync, fdatasyncSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { appendData, entryOf, inFolder, lightMessages, openStore, startSession } from './store-records.ts';

export type Growth = { steps: number; bytes: number; plainBytes: number; ms: number; floorMs: number };
export type StoreGrowth = { strict: Growth[]; os: Growth[] };
export type StoreGrowthJob = { seed: number; strict: number[]; os: number[] };

export const bytesBelow = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesBelow(path) : statSync(path).size);
  }, 0);

/** The two messages of a step. */
export type Pair = readonly [unknown, unknown];

export function pairsOf(seed: number, steps: number): Pair[] {
  const messages = lightMessages(seed);
  return Array.from({ length: steps }, () => [messages.next().value, messages.next().value]);
}

/** The bare lines of the same records, written a step at a time. */
export function writePlain(
  path: string,
  pairs: readonly Pair[],
  durability: 'strict' | 'os',
): { bytes: number; ms: number } {
  const file = openSync(path, 'a');
  const started = performance.now();
  let [written, seq] = [0, 0];
  for (const pair of pairs) {
    const lines = pair.map((data) => Buffer.concat([entryOf((seq += 1), data).bytes, Buffer.from('\n')]));
    const bytes = Buffer.concat(lines);
    writeSync(file, bytes);
    if (durability === 'strict') fdatasyncSync(file);
    written += bytes.length;
  }
  const ms = performance.now() - started;
  closeSync(file);
  return { bytes: written, ms };
}

/** One assistant's and one tool's message a step, in one batch; beside it, the same lines in a bare file. */
async function grow(seed: number, steps: number, durability: 'strict' | 'os'): Promise<Growth> {
  return inFolder(async (folder) => {
    const pairs = pairsOf(seed, steps);
    const root = join(folder, 'store');
    const driver = await openStore(root, durability);
    const writing = await startSession(driver, 'growing');
    const started = performance.now();
    for (const pair of pairs) await appendData(writing, pair);
    const ms = performance.now() - started;
    await driver.release(writing.lease);
    await driver.close();
    const plain = writePlain(join(folder, 'plain.jsonl'), pairs, durability);
    return { steps, bytes: bytesBelow(root), plainBytes: plain.bytes, ms, floorMs: plain.ms };
  });
}

export async function measureStoreGrowth({ seed, strict, os }: StoreGrowthJob): Promise<StoreGrowth> {
  const measured: StoreGrowth = { strict: [], os: [] };
  for (const steps of strict) {
    const tries = [await grow(seed, steps, 'strict'), await grow(seed, steps, 'strict')];
    measured.strict.push(fastest(tries));
  }
  for (const steps of os) measured.os.push(await grow(seed, steps, 'os'));
  return measured;
}

/** Both times from the run in which each was lowest: a busy machine only ever adds. */
function fastest(tries: readonly Growth[]): Growth {
  const [first] = tries;
  if (first === undefined) throw new Error('nothing was measured');
  const least = (pick: (growth: Growth) => number): number => Math.min(...tries.map(pick));
  return { ...first, ms: least(({ ms }) => ms), floorMs: least(({ floorMs }) => floorMs) };
}
