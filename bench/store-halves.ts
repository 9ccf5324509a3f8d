import { Worker } from 'node:worker_threads';
import type { Driver } from '../packages/store/src/driver.ts';
import type { Half, HalfJob } from './store-half.ts';

/** Two threads that have loaded everything and opened nothing. */
export type Halves = readonly [Worker, Worker];

const startHalf = (): Promise<Worker> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('store-half.ts', import.meta.url));
    worker.once('message', () => resolve(worker));
    worker.once('error', reject);
  });

export const startHalves = (): Promise<Halves> => Promise.all([startHalf(), startHalf()]);

const readHalf = (worker: Worker, job: HalfJob): Promise<Half> =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.postMessage(job, []);
  });

/**
 * Streams and pairs a session on two threads, each with an opening of its own. The second begins in the middle, at a
 * line that is sound by itself and that the first also comes to, so that the chain is proved from end to end.
 */
export async function streamHalves(driver: Driver, halves: Halves, of: Omit<HalfJob, 'range'>): Promise<number> {
  const middle = Math.floor(((await driver.info(of.session))?.seq ?? 0) / 2);
  const [first, second] = await Promise.all([
    readHalf(halves[0], { ...of, range: { before: middle + 1 } }),
    readHalf(halves[1], { ...of, range: { after: middle } }),
  ]);
  const open = [...first.calls].filter((call) => !second.results.has(call)).length + second.calls.size;
  return first.count + second.count + open;
}
