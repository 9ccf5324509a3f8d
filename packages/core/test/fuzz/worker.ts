import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import { runStretch, type Stretch } from './campaign.ts';
import { runShare, type Share } from './exhaustive.ts';

/** What one thread is asked to run. */
export type Work =
  | { readonly kind: 'stretch'; readonly stretch: Stretch }
  | { readonly kind: 'share'; readonly share: Share };

const port = parentPort;
assert(port, 'this file runs as a worker of main.ts');
const work = workerData as Work;
const onProgress = (done: number): void => port.postMessage({ done });
const tally = work.kind === 'stretch' ? runStretch(work.stretch, onProgress) : runShare(work.share, onProgress);
port.postMessage({ tally });
