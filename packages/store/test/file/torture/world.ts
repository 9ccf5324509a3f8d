import type { Batch, Driver, Entry, Lease, Range, Stored } from '../../../src/driver.ts';
import { openFileOn } from '../../../src/drivers/file.ts';
import type { Files } from '../../../src/drivers/file/files.ts';
import type { Environment, Notice } from '../../../src/environment.ts';
import type { Owner } from '../../../src/owner.ts';
import { encodeRecord } from '../../../src/record.ts';
import { StoreError } from '../../../src/store-error.ts';
import { FaultFiles } from '../../fault-files.ts';

export const session = 's';
export const root = '/store';
export const logPath = `${root}/sessions/s-s/log.jsonl`;
export const folder = `${root}/sessions/s-s`;
const at = '2026-01-02T03:04:05.678Z';
const ttlMs = 1_000;

/** Deterministic pseudo-random numbers. */
export function chanceOf(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 0x1_0000_0000;
  };
}

/** A machine with numbered processes; only those not ended are alive. */
export class Machine {
  now = 1_800_000_000_000;
  readonly dead = new Set<number>();
  readonly notices: Notice[] = [];
  #ids = 0;
  #processes = 0;

  environment(): Environment & { readonly pid: number } {
    this.#processes += 1;
    const pid = this.#processes;
    return {
      pid,
      now: () => this.now,
      elapsed: () => this.now,
      id: () => {
        this.#ids += 1;
        return `x${String(this.#ids).padStart(8, '0')}`;
      },
      after: () => () => undefined,
      owner: () => ({ id: `process-${pid}`, host: 'here', pid, started: 'now' }),
      alive: (owner: Owner) => !this.dead.has(owner.pid),
      tell: (notice) => void this.notices.push(notice),
    };
  }
}

export function entryOf(seq: number, text: string, op?: string): Entry {
  const id = `id-${seq}`;
  const record = { seq, id, at, kind: 'note', data: text, ...(op === undefined ? {} : { op }) };
  return { seq, id, kind: 'note', bytes: encodeRecord(record) };
}

const words = ['one', 'zwei drei', 'четыре', '五六', '🧵', '"quoted" \\ and \u0000 \ud800', ''];

/** Records of many sizes in batches of one to four, equal for equal seeds. */
export function batchesOf(seed: number, count: number, most = 300): Entry[][] {
  const chance = chanceOf(seed);
  const batches: Entry[][] = [];
  for (let seq = 1; seq <= count;) {
    const size = chance() < 0.3 ? 1 + Math.floor(chance() * 4) : 1;
    const first = seq;
    const batch = Array.from({ length: size }, (_, index) => {
      const word = words[Math.floor(chance() * words.length)] ?? '';
      const text = word.padEnd(Math.floor(chance() * chance() * most), 'ab ["0123456789abcdef');
      return entryOf(first + index, text);
    });
    batches.push(batch);
    seq += size;
  }
  return batches;
}

export const openOn = (files: Files, environment: Environment): Promise<Driver> =>
  openFileOn(files)(`file:${root}`, { environment, durability: 'strict' });

export const batchOf = (lease: Lease, entries: readonly Entry[], op?: string): Batch => ({
  entries,
  lease,
  expect: (entries[0]?.seq ?? 1) - 1,
  info: { updatedAt: at },
  ...(op === undefined ? {} : { op }),
});

export async function start(driver: Driver, environment: Environment, id: string = session): Promise<Lease> {
  await driver.create(id, { createdAt: at, base: 0 });
  return driver.acquire(id, environment.owner(), ttlMs);
}

export const take = (driver: Driver, environment: Environment, id: string = session): Promise<Lease> =>
  driver.acquire(id, environment.owner(), ttlMs);

/** Copies the bytes, because a driver may overwrite them with the next chunk. */
export async function readRange(driver: Driver, id: string, range: Range): Promise<Stored[]> {
  const all: Stored[] = [];
  for await (const some of driver.read(id, range)) {
    for (const { seq, bytes } of some) all.push({ seq, bytes: Uint8Array.from(bytes) });
  }
  return all;
}

export const readAll = (driver: Driver, id: string = session): Promise<Stored[]> => readRange(driver, id, {});

export const readBack = async (driver: Driver, id: string = session): Promise<Stored[]> =>
  (await readRange(driver, id, { backward: true })).reverse();

export const textsOf = (stored: readonly { readonly bytes: Uint8Array }[]): string[] =>
  stored.map(({ bytes }) => Buffer.from(bytes).toString());

/** The code of a `StoreError`; any other error fails the test. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

export const folderOf = (id: string): string => `${root}/sessions/s-${id}`;

/** The log bytes of these batches. */
export async function makeLog(
  batches: readonly (readonly Entry[])[],
  id: string = session,
): Promise<{ bytes: Buffer; files: FaultFiles }> {
  const machine = new Machine();
  const files = new FaultFiles();
  const environment = machine.environment();
  const driver = await openOn(files, environment);
  const lease = await start(driver, environment, id);
  await Promise.all(batches.map((entries, index) => driver.append(batchOf(lease, entries, `op ${index}`))));
  await driver.release(lease);
  await driver.close();
  return { bytes: files.peek(`${folderOf(id)}/log.jsonl`), files };
}

/** A store with only these logs. */
export function storeOf(logs: ReadonlyMap<string, Uint8Array>): FaultFiles {
  const files = new FaultFiles();
  for (const path of [root, `${root}/sessions`, `${root}/journal`, `${root}/blobs`]) files.makeFolder(path);
  files.poke(`${root}/rethread-store.json`, Buffer.from('{}'));
  for (const [id, log] of logs) {
    files.makeFolder(folderOf(id));
    files.poke(`${folderOf(id)}/log.jsonl`, log);
  }
  return files;
}

export const storeWith = (log: Uint8Array): FaultFiles => storeOf(new Map([[session, log]]));

export type Tally = Record<string, number>;

export class Violation extends Error {}

export function must(condition: boolean, sentence: () => string): void {
  if (!condition) throw new Violation(sentence());
}

export const add = (tally: Tally, name: string, count = 1): void => {
  tally[name] = (tally[name] ?? 0) + count;
};
