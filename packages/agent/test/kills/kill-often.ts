import type { ChildProcess } from 'node:child_process';

import { createSimulator, type Simulator } from '@rethread/simulator';
import { open, type Store } from '@rethread/store';

import { seedAt, startRandom, type Random } from '../../../core/test/fuzz/random.ts';
import { audit, count, type Tally } from './audit.ts';
import { errandModel } from './errand-model.ts';
import { startLedger, type Ledger } from './ledger.ts';
import { PORTS } from './ports.ts';
import type { Job } from './worker.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

/** The moment of a kill: a number of signs of life, then a number of milliseconds. */
type Moment = { readonly signs: number; readonly ms: number };

/** Everything that outlives a worker, and the counts. */
export type World = AsyncDisposable & {
  readonly simulator: Simulator;
  readonly ledger: Ledger;
  readonly workshop: Workshop;
  readonly tally: Tally;
};

/** Slow streams, so that many workers die in the middle of an answer. */
const DRIPS = 'drip:1@60%';

/** How a caller watches and stops it early. */
export type Watched = {
  readonly signal?: AbortSignal;
  /** Receives the counts once; they keep counting. */
  readonly watch?: (tally: Readonly<Tally>) => void;
};

export async function openWorld(seed: number, { signal, watch }: Watched = {}): Promise<World> {
  const tally: Tally = { kills: 0, requests: 0, refused: 0 };
  watch?.(tally);
  const simulator = await createSimulator({ model: errandModel, faults: DRIPS, seed, keepVerdicts: 0 });
  simulator.onVerdict(({ accepted, refusals }) => {
    count(tally, 'requests');
    if (accepted) return;
    count(tally, 'refused');
    count(tally, `refused: ${refusals[0]?.text ?? 'for no reason'}`);
  });
  const ledger = await startLedger(startRandom(seedAt(seed, 1_000_000)));
  const workshop = await openWorkshop(signal);
  const close = async (): Promise<void> => {
    await Promise.all([simulator.close(), ledger.close(), workshop[Symbol.asyncDispose]()]);
  };
  return { simulator, ledger, workshop, tally, [Symbol.asyncDispose]: close };
}

/** Whether a worker was killed at its moment; otherwise its work is done. Any other end is an error. */
export function outlive(child: ChildProcess, moment: Moment | undefined): Promise<boolean> {
  let [signs, errors] = [0, ''];
  let timer: NodeJS.Timeout | undefined;
  child.stdout?.on('data', (bytes: Buffer) => {
    signs += bytes.length;
    if (moment === undefined || signs < moment.signs) return;
    timer ??= setTimeout(() => child.kill('SIGKILL'), moment.ms);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal === 'SIGKILL' && timer !== undefined) resolve(true);
      else if (code === 0) resolve(false);
      else reject(new Error(`a worker ended with ${code ?? signal}:\n${errors}`));
    });
  });
}

const MOST_SIGNS = 160;
const MOST_MS = 8;

/** Early and late moments alike; the first sign comes before any work. */
const momentOf = (random: Random): Moment => ({
  signs: 1 + Math.floor(MOST_SIGNS * random.next() ** 2),
  ms: random.next() * MOST_MS,
});

/** The kills left to do. A worker that finishes first returns its own. */
type Stock = { left: number };

type Batch = {
  readonly url: string;
  readonly store: Store;
  readonly name: string;
  readonly random: Random;
  readonly stock: Stock;
};

const WIDTH = 3;

/** Lets workers work on some sessions in sequence and kills each, until one finishes. */
async function finishBatch(world: World, { url, store, name, random, stock }: Batch): Promise<void> {
  const { simulator, ledger, workshop, tally } = world;
  const sessions = Array.from({ length: WIDTH }, (_, index) => `${name}-${index}`);
  const ports = Object.keys(PORTS);
  const first = random.pick(ports);
  // In every second batch, each worker may use another provider than the one before.
  const mixed = random.chance(2);
  const job: Job = {
    store: url,
    urls: simulator.baseUrls,
    ledger: ledger.url,
    port: first,
    sessions,
    width: WIDTH,
    showEveryMs: random.pick([0, 5, 100]),
  };
  for (let killed = true; killed;) {
    const moment = stock.left > 0 ? momentOf(random) : undefined;
    if (moment !== undefined) stock.left -= 1;
    killed = await outlive(workshop.start(mixed ? { ...job, port: random.pick(ports) } : job), moment);
    if (killed) count(tally, 'kills');
    else if (moment !== undefined) stock.left += 1;
  }
  count(tally, `batches by ${mixed ? 'several ports' : first}`);
  for (const id of sessions) await audit(await store.session(id), ledger, tally);
}

export type Kills = Watched & { readonly kills: number; readonly seed: number; readonly lanes?: number };

/** Kills that many workers on one store at random moments; every session must finish with its effects in order. */
export async function killOften(url: string, { kills, seed, lanes = 2, ...watched }: Kills): Promise<Tally> {
  await using world = await openWorld(seed, watched);
  const store = await open(url);
  const stock = { left: kills };
  let batches = 0;
  const lane = async (): Promise<void> => {
    while (stock.left > 0) {
      batches += 1;
      const random = startRandom(seedAt(seed, batches));
      await finishBatch(world, { url, store, name: `errand-${seed}-${batches}`, random, stock });
    }
  };
  // A failed lane ends the others too, but only after their workers are gone.
  const giveUp = (error: unknown): never => {
    stock.left = 0;
    throw error;
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, () => lane().catch(giveUp)));
  await store.close();
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return world.tally;
}

/** The counts in one line. */
export const report = (tally: Tally): string =>
  Object.entries(tally)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ');
