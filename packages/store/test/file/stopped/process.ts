import { parentPort, workerData } from 'node:worker_threads';

import type { Driver, Lease } from '../../../src/index.ts';
import { codeOf, id, openAs, readIds, stoppedFiles, take, write } from './world.ts';

/** The work of a process, and the call at which it is stopped. */
export type Order = { readonly place: string; readonly work: Work; readonly call: number };

/** It waits at that call until the first number behind the gate changes. */
export type Stopped = { readonly stopped: true };

export type Outcome = {
  readonly stopped: false;
  readonly outcome: string;
  /** The number of calls. */
  readonly calls: number;
  readonly told: readonly string[];
};

type Deed = { readonly holds?: true; readonly act: (driver: Driver, lease: Lease) => Promise<string | void> };

/** Damages as sentences. */
const sentences = (damages: readonly (string | undefined)[]): string =>
  damages.map((damage) => (damage === undefined ? '' : `damaged: ${damage}`)).join('') || 'done';

async function listed(driver: Driver): Promise<string> {
  const damages: (string | undefined)[] = [];
  for await (const { damaged } of driver.list({})) damages.push(damaged);
  return sentences(damages);
}

async function searched(driver: Driver): Promise<void> {
  for await (const { seq } of driver.search({ words: ['first'] })) if (seq < 1) throw new Error('no record');
}

const deeds = {
  read: { act: (driver) => readIds(driver).then(() => 'done') },
  'read backward': { act: (driver) => readIds(driver, true).then(() => 'done') },
  verify: { act: async (driver) => sentences((await driver.verify(id)).damages.map(({ sentence }) => sentence)) },
  list: { act: listed },
  info: { act: async (driver) => sentences([(await driver.info(id))?.damaged]) },
  head: { act: (driver) => driver.head(id).then(() => 'done') },
  search: { act: searched },
  fork: { act: (driver) => driver.create('fork', { createdAt: 'now', base: 1, fork: { from: id, at: 1 } }) },
  take: { act: async (driver) => write(driver, await take(driver, 'stopped', 1), 1).then(() => 'wrote') },
  append: {
    holds: true,
    act: (driver, lease) => write(driver, { ...lease, head: lease.head + 2 }, 1).then(() => 'wrote'),
  },
  'read its own': { holds: true, act: (driver) => readIds(driver).then(() => 'done') },
  'read its own backward': { holds: true, act: (driver) => readIds(driver, true).then(() => 'done') },
  'verify its own': {
    holds: true,
    act: async (driver) => sentences((await driver.verify(id)).damages.map(({ sentence }) => sentence)),
  },
  renew: { holds: true, act: (driver, lease) => driver.renew(lease, 1).then(() => 'done') },
  // Whatever the first process is told, the second may write only under its own lease.
  'renew and append': {
    holds: true,
    act: async (driver, lease) => {
      await driver.renew(lease, 1).catch(() => undefined);
      return write(driver, { ...lease, head: lease.head + 2 }, 1).then(() => 'wrote');
    },
  },
  release: { holds: true, act: (driver, lease) => driver.release(lease) },
  close: { holds: true, act: (driver) => driver.close() },
  erase: { holds: true, act: (driver, lease) => driver.erase(lease).then(() => 'done') },
  mend: { holds: true, act: (driver, lease) => driver.mend?.(lease, 'salvage').then(() => 'done') ?? Promise.reject() },
} satisfies Readonly<Record<string, Deed>>;

export type Work = keyof typeof deeds;

const gate = new Int32Array((workerData as { readonly gate: SharedArrayBuffer }).gate);

async function obey({ place, work, call }: Order): Promise<Outcome> {
  const told: string[] = [];
  const { files, arm, calls } = stoppedFiles(() => {
    Atomics.store(gate, 0, 0);
    parentPort?.postMessage({ stopped: true } satisfies Stopped, []);
    Atomics.wait(gate, 0, 0);
  });
  const driver = await openAs(place, 'stopped', { files, tell: ({ kind }) => void told.push(kind) });
  const { holds, act }: Deed = deeds[work];
  // For the shortest possible time: others may acquire it at once.
  const lease = await (holds === true ? take(driver, 'stopped', 1) : undefined);
  if (lease !== undefined) await write(driver, lease, 2);
  arm(call);
  const outcome = await act(driver, lease as Lease).then((value) => value ?? 'done', codeOf);
  const counted = calls();
  await driver.close();
  return { stopped: false, outcome, calls: counted, told };
}

parentPort?.on('message', (order: Order) => {
  void obey(order).then((outcome) => parentPort?.postMessage(outcome, []));
});
