import type { Batch, Driver, Entry, Lease } from '../../src/driver.ts';
import { createEnvironment } from '../../src/environment.ts';
import { decodeRecord, encodeRecord } from '../../src/record.ts';
import { StoreError } from '../../src/store-error.ts';
import type { Notes, Read, Write } from '../history-checker.ts';

export type Work = {
  /** Each worker has its own store and takes the lease from the others at times. */
  readonly drivers: readonly Driver[];
  /** Reads the logs at the end on an undisturbed connection. */
  readonly judge: Driver;
  readonly sessions: number;
  /** The total number of records. */
  readonly records: number;
  readonly seed: number;
  /** Reports the finished share, from 0 to 1. */
  readonly progress?: (share: number) => void;
};

const random = (seed: number): (() => number) => {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
};

const at = '2026-01-02T03:04:05.678Z';

const entryOf = (seq: number, id: string): Entry => {
  const bytes = encodeRecord({ seq, id, at, kind: 'note', data: { text: `what ${id} says` } });
  return { seq, id, kind: 'note', bytes, text: () => id };
};

const codeOf = (error: unknown): string => {
  if (error instanceof StoreError) return error.code;
  throw error;
};

/** The record names of a session, as a reader sees them. */
export async function namesIn(driver: Driver, session: string): Promise<string[]> {
  const names: string[] = [];
  for await (const page of driver.read(session, {}))
    for (const { bytes } of page) names.push(decodeRecord(bytes)?.id ?? 'unreadable');
  return names;
}

class Diary {
  readonly writes: Write[] = [];
  readonly reads: Read[] = [];
  #time = 0;

  now(): number {
    return (this.#time += 1);
  }
}

type Desk = {
  readonly driver: Driver;
  readonly worker: string;
  readonly session: string;
  readonly diary: Diary;
  readonly chance: () => number;
};

/** Acquires the lease, waiting for its holder. */
async function take({ driver, worker, session, chance }: Desk): Promise<Lease> {
  const owner = { ...createEnvironment().owner(), host: 'elsewhere', id: worker };
  while (true) {
    try {
      return await driver.acquire(session, owner, 100 + chance() * 400);
    } catch (error) {
      if (!['conflict', 'io'].includes(codeOf(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30 + chance() * 200));
    }
  }
}

/** Repeats the same batch until its outcome is known. */
async function insist(
  { driver }: Desk,
  batch: Batch,
): Promise<{ outcome: Write['outcome']; seq?: number; lost: boolean }> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      return { outcome: 'acknowledged', seq: (await driver.append(batch)).seq, lost: false };
    } catch (error) {
      const code = codeOf(error);
      // A refusal after an unknown outcome says nothing about the earlier attempt.
      if (code === 'stale' || code === 'conflict')
        return { outcome: attempt === 0 ? 'refused' : 'unknown', lost: true };
      if (code !== 'io') throw error;
    }
  }
  return { outcome: 'unknown', lost: true };
}

/** Writes a few batches under one lease, then releases it or waits until it is taken. */
async function shift(desk: Desk, budget: { left: number }): Promise<void> {
  const { driver, worker, session, diary, chance } = desk;
  let lease = await take(desk);
  let head = lease.head;
  for (let round = 0; round < 20 && budget.left > 0; round += 1) {
    const count = 1 + Math.floor(chance() * 3);
    const began = diary.now();
    const names = Array.from({ length: count }, (_, index) => `${worker}.${session}.${began}.${index}`);
    const entries = names.map((name, index) => entryOf(head + 1 + index, name));
    const op = chance() < 0.5 ? { op: `op ${worker} ${began}` } : {};
    const { lost, ...result } = await insist(desk, { entries, lease, expect: head, info: { updatedAt: at }, ...op });
    diary.writes.push({ writer: worker, session, records: names, began, ended: diary.now(), ...result });
    if (lost) return;
    budget.left -= count;
    head += count;
    if (chance() < 0.02) await new Promise((resolve) => setTimeout(resolve, 300));
    else if (chance() < 0.05) lease = { ...lease };
  }
  if (chance() < 0.9) await driver.release(lease).catch(codeOf);
}

async function readOnce({ driver, worker, session, diary }: Desk): Promise<void> {
  const began = diary.now();
  try {
    const records = await namesIn(driver, session);
    diary.reads.push({ reader: worker, session, began, ended: diary.now(), records });
  } catch (error) {
    if (codeOf(error) !== 'io') throw error;
  }
}

/** Lets all workers write and read all sessions, and returns their notes. */
export async function runWork({ drivers, judge, sessions, records, seed, progress }: Work): Promise<Notes> {
  const diary = new Diary();
  const names = Array.from({ length: sessions }, (_, index) => `session ${index}`);
  for (const name of names) await judge.create(name, { createdAt: at, base: 0 });
  const budget = { left: records };
  const people = drivers.flatMap((driver, worker) =>
    names.map(async (session, index) => {
      const chance = random(seed * 7_919 + worker * 104_729 + index + 1);
      const desk = { driver, worker: `worker ${worker}`, session, diary, chance };
      while (budget.left > 0) {
        await shift(desk, budget);
        progress?.(1 - budget.left / records);
        if (chance() < 0.1) await readOnce(desk);
      }
    }),
  );
  await Promise.all(people);
  const final = new Map<string, string[]>();
  for (const name of names) final.set(name, await namesIn(judge, name));
  return { writes: diary.writes, reads: diary.reads, final };
}
