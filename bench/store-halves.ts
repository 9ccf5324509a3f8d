import { Worker } from 'node:worker_threads';
import type { Driver } from '../packages/store/src/driver.ts';
import type { Half, HalfJob } from './store-half.ts';

const readHalf = (job: HalfJob): Promise<Half> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('store-half.ts', import.meta.url), { workerData: job });
    worker.once('message', resolve);
    worker.once('error', reject);
  });

/**
 * Streams and pairs a session on two threads, each with an opening of its own. The second begins in the middle, at a
 * line that is sound by itself and that the first also comes to, so that the chain is proved from end to end.
 */
export async function streamHalves(driver: Driver, root: string, session: string): Promise<number> {
  const middle = Math.floor(((await driver.info(session))?.seq ?? 0) / 2);
  const [first, second] = await Promise.all([
    readHalf({ root, session, range: { before: middle + 1 } }),
    readHalf({ root, session, range: { after: middle } }),
  ]);
  const open = [...first.calls].filter((call) => !second.results.has(call)).length + second.calls.size;
  return first.count + second.count + open;
}
