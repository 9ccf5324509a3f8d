import { parentPort, workerData } from 'node:worker_threads';
import type { Range } from '../packages/store/src/driver.ts';
import { createPairing, readStretch, type Unpaired } from './store-pairing.ts';
import { openStore } from './store-records.ts';

/** What a thread of its own reads, and what it tells: sums, because whole messages would cost more to hand over. */
export type HalfJob = { readonly root: string; readonly session: string; readonly range: Range };
export type Half = Unpaired & { readonly count: number };

const { root, session, range } = workerData as HalfJob;
const driver = await openStore(root, 'strict');
const pairing = createPairing();
const count = await readStretch(driver, { session, range }, pairing.see);
await driver.close();
const half: Half = { count, calls: pairing.calls, results: pairing.results };
parentPort?.postMessage(half, []);
