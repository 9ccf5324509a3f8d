import assert from 'node:assert/strict';
import { parentPort } from 'node:worker_threads';
import { runStretch, type Stretch, type Tally } from './campaign.ts';
import { runCompaction } from './compaction.ts';
import { runShare, type Share } from './exhaustive.ts';

/** What a thread is asked to run. */
export type Work =
  | { readonly kind: 'stretch' | 'compaction'; readonly stretch: Stretch }
  | { readonly kind: 'share'; readonly share: Share };

const port = parentPort;
assert(port, 'this file runs as a worker of main.ts');
const onProgress = (done: number): void => port.postMessage({ done });

function run(work: Work): Tally | Promise<Tally> {
  if (work.kind === 'share') return runShare(work.share, onProgress);
  return work.kind === 'compaction' ? runCompaction(work.stretch, onProgress) : runStretch(work.stretch, onProgress);
}

async function answer(work: Work): Promise<void> {
  port?.postMessage({ tally: await run(work) });
}

// Without more work there is nothing to wait for, and the thread ends.
port.on('message', (work: Work | undefined) => {
  if (work === undefined) port.close();
  else void answer(work);
});
