import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import { runStretch, type Stretch, type Tally } from './campaign.ts';
import { runCompaction } from './compaction.ts';
import { runShare, type Share } from './exhaustive.ts';

/** What one thread is asked to run. */
export type Work =
  | { readonly kind: 'stretch' | 'compaction'; readonly stretch: Stretch }
  | { readonly kind: 'share'; readonly share: Share };

const port = parentPort;
assert(port, 'this file runs as a worker of main.ts');
const work = workerData as Work;
const onProgress = (done: number): void => port.postMessage({ done });

function run(): Tally | Promise<Tally> {
  if (work.kind === 'share') return runShare(work.share, onProgress);
  return work.kind === 'compaction' ? runCompaction(work.stretch, onProgress) : runStretch(work.stretch, onProgress);
}

port.postMessage({ tally: await run() });
