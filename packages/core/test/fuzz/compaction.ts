import { holdCompaction } from './compacting.ts';
import { startTally, type Stretch, type Tally } from './campaign.ts';
import { longHistory, type LongHistory } from './long-histories.ts';
import { holdFilter, holdPruning } from './pruning.ts';
import { seedAt } from './random.ts';
import { deepFreeze } from './reading.ts';
import { holdSlices } from './slices.ts';

/** What every history that is accepted is held to; each says in short sentences what it found broken. */
const properties: readonly ((history: LongHistory) => string[] | Promise<string[]>)[] = [
  holdSlices,
  holdPruning,
  holdFilter,
  holdCompaction,
];

async function brokenBy(history: LongHistory): Promise<string[]> {
  const broken: string[] = [];
  for (const property of properties) {
    try {
      broken.push(...(await property(history)));
    } catch (error) {
      broken.push(`${property.name} threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  return broken;
}

/** Runs a stretch of seeded histories that are accepted as they are. Seeds whose history is refused do not count. */
export async function runCompaction(stretch: Stretch, onProgress: (done: number) => void = () => {}): Promise<Tally> {
  const tally = startTally();
  // Each thread has seeds of its own, however many of them it needs.
  for (let index = stretch.from * 16; tally.histories < stretch.count; index += 1) {
    const seed = seedAt(stretch.seed, index);
    const history = longHistory(seed, stretch.dialect);
    if (history === undefined) continue;
    deepFreeze(history.input);
    tally.histories += 1;
    tally.planted[history.dialect] = (tally.planted[history.dialect] ?? 0) + 1;
    for (const detail of await brokenBy(history)) note(tally, history, detail);
    if (tally.histories % 1000 === 0) onProgress(1000);
  }
  return tally;
}

function note(tally: Tally, history: LongHistory, detail: string): void {
  const { dialect, seed, planted, target, input } = history;
  tally.counts.compaction += 1;
  const known = tally.failures.find((failure) => failure.dialect === dialect && failure.detail === detail);
  if (known) known.times += 1;
  else {
    const breach = { promise: 'C', kind: 'compaction', detail } as const;
    tally.failures.push({ ...breach, dialect, seed, planted, target, options: {}, smallest: input, times: 1 });
  }
}
