import { median, type Sample } from './measure.ts';

const processes = 5;

/**
 * One measurement in several processes. Where the engine happens to put code and data makes a process faster or slower
 * as a whole, so the least of all of them is taken, of what is measured and of what it is compared with.
 */
export async function inSeveralProcesses<T extends object>(measure: () => Promise<T>): Promise<T> {
  const runs: T[] = [];
  for (let run = 0; run < processes; run += 1) runs.push(await measure());
  return joinRuns(runs) as T;
}

/** Several runs as one: of samples the least minimum, of everything else what the first run says. */
export function joinRuns(runs: readonly unknown[]): unknown {
  const [first] = runs;
  if (runs.every(isSample)) {
    return {
      min: Math.min(...runs.map(({ min }) => min)),
      median: median(runs.map((run) => run.median)),
      rounds: runs.reduce((sum, { rounds }) => sum + rounds, 0),
    };
  }
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return first;
  return Object.fromEntries(
    Object.keys(first).map((key) => [key, joinRuns(runs.map((run) => (run as Record<string, unknown>)[key]))]),
  );
}

const isSample = (value: unknown): value is Sample =>
  typeof value === 'object' && value !== null && 'min' in value && 'median' in value && 'rounds' in value;
