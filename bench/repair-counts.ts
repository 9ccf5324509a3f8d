import { check, repair, type Dialect } from '@rethread/core';
import { generateHistory, historyText } from './histories.ts';
import { collectGarbage, count, median, type Reading } from './measure.ts';

type Job = { dialect: Dialect; seed: number };

const samples = 31;
const warmUpCalls = 600;

/** Two nurseries of 64 MB: no sampled call can fill one, so no collection falls into a sample. */
export const countsFlags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Counts visits and allocated bytes: facts that no busy machine can blur. */
export function measure(job: Job): Reading[] {
  const { dialect } = job;
  const visits = [1_000, 4_000].flatMap((messages): Reading[] => {
    const on = (work: string): string => `${work} ${dialect} ${count(messages)}`;
    const recipe = { ...job, messages, results: 'light', broken: 0.1 } as const;
    const checked = visitsOf(generateHistory(recipe), (list) => check(list, dialect).passes);
    const repaired = visitsOf(generateHistory(recipe), (list) => repair(list, dialect).report.passes);
    return [
      { target: 'visits', on: on('check'), ...checked },
      { target: 'visits', on: on('repair'), ...repaired },
    ];
  });
  const bytes = { target: 'cleanBytes', on: `${dialect} 1k to 10k`, ours: bytesOfMessage(job) } as const;
  return [bytes, ...visits];
}

/** One visit is a run of reads of one message with no read of another in between. */
function visitsOf(messages: readonly object[], work: (list: unknown[]) => number): { ours: number; peer: number } {
  let visits = 0;
  let last = -1;
  const watched = messages.map((message, index) => {
    const twin = {};
    for (const [key, value] of Object.entries(message)) {
      const get = (): unknown => {
        if (last !== index) visits += 1;
        last = index;
        return value;
      };
      Object.defineProperty(twin, key, { get, enumerable: true, configurable: true });
    }
    return twin;
  });
  const passes = work(watched);
  return { ours: visits / messages.length, peer: passes + 1 };
}

/** What one more message adds to the bytes that the repair of a clean history allocates. */
function bytesOfMessage({ dialect, seed }: Job): number {
  const lists = [1_000, 10_000].map((messages) => {
    return JSON.parse(historyText({ dialect, seed, messages, results: 'light', broken: 0 })) as unknown[];
  });
  for (let call = 0; call < warmUpCalls; call += 1) for (const list of lists) repair(list, dialect);
  collectGarbage('full');
  const [small = Number.NaN, large = Number.NaN] = lists.map((list) => allocatedBytes(() => repair(list, dialect)));
  return Math.max(0, (large - small) / 9_000);
}

function allocatedBytes(work: () => unknown): number {
  return median(
    Array.from({ length: samples }, () => {
      collectGarbage('minor');
      const before = process.memoryUsage().heapUsed;
      const output = work();
      const after = process.memoryUsage().heapUsed;
      return output === null ? Number.NaN : after - before;
    }),
  );
}
