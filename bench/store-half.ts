import { parentPort } from 'node:worker_threads';
import type { Range } from '../packages/store/src/driver.ts';
import { createPairing, readStretch, type Unpaired } from './store-pairing.ts';
import { openStore } from './store-records.ts';

/** What a thread of its own reads, and what it tells: sums, because whole messages would cost more to hand over. */
export type HalfJob = { readonly root: string; readonly session: string; readonly range: Range };
export type Half = Unpaired & { readonly count: number };

if (parentPort === null) throw new Error('this runs in a thread of its own');
const port = parentPort;
const job = new Promise<HalfJob>((resolve) => void port.once('message', resolve));
port.postMessage('loaded', []);
const { root, session, range } = await job;
const driver = await openStore(root, 'strict');
const pairing = createPairing();
const count = await readStretch(driver, { session, range }, pairing.see);
await driver.close();
const half: Half = { count, calls: pairing.calls, results: pairing.results };
port.postMessage(half, []);
