import type { TargetName } from './targets.ts';

/** What one row of the table was made of: our number and, where the row has one, the number of its peer. */
export type Reading = { target: TargetName; on: string; ours: number; peer?: number };

/** How thoroughly a suite measures. */
export type Effort = { seed: number; quick: boolean; progress: (what: string) => void };

/** Takes one sample and returns its time in milliseconds. */
type Sampler = () => number | Promise<number>;
export type Rounds = { most: number; budgetMs: number };

const leastRounds = 3;

/**
 * The minimum of each sampler, which repeats on a busy machine where a median does not. All samplers run once a round,
 * and each round starts with another one, so that a slow moment hits all alike.
 */
export async function fastest<Name extends string>(
  samplers: Readonly<Record<Name, Sampler>>,
  { most, budgetMs }: Rounds,
): Promise<Record<Name, number>> {
  const all = Object.entries<Sampler>(samplers).map(([name, sample]) => ({ name, sample, least: Infinity }));
  const started = performance.now();
  for (let round = 0; round < most; round += 1) {
    if (round >= leastRounds && performance.now() - started > budgetMs) break;
    const first = round % all.length;
    for (const each of [...all.slice(first), ...all.slice(0, first)]) {
      each.least = Math.min(each.least, await each.sample());
    }
  }
  return Object.fromEntries(all.map(({ name, least }) => [name, least])) as Record<Name, number>;
}

// Held until the next sample, so that no compiler can prove an output unused and skip the work.
const held: unknown[] = [];

export function time(run: () => unknown): number {
  const start = performance.now();
  held[0] = run();
  return performance.now() - start;
}

/** Work on lists that JSON.parse made a moment before, and those parses themselves. */
export async function fastestOnFresh<Name extends string>(
  text: string,
  works: Readonly<Record<Name, (list: unknown[]) => unknown>>,
  rounds: Rounds,
): Promise<Record<Name | 'parse', number>> {
  let parse = Infinity;
  const fresh = (run: (list: unknown[]) => unknown) => (): number => {
    held.length = 0;
    collectGarbage('full');
    const start = performance.now();
    const list = JSON.parse(text) as unknown[];
    parse = Math.min(parse, performance.now() - start);
    return time(() => run(list));
  };
  const entries = Object.entries<(list: unknown[]) => unknown>(works).map(([name, run]) => [name, fresh(run)] as const);
  const least = await fastest(Object.fromEntries(entries), rounds);
  return { ...least, parse } as Record<Name | 'parse', number>;
}

/** Samples work on one list, whose objects were walked and collected before. */
export function onSettled(list: unknown[], run: (list: unknown[]) => unknown): Sampler {
  run(list);
  collectGarbage('full');
  return () => {
    held.length = 0;
    collectGarbage('minor');
    return time(() => run(list));
  };
}

/** A full collection leaves every living object settled in the old generation; a minor one only empties the nursery. */
export function collectGarbage(depth: 'full' | 'minor'): void {
  if (globalThis.gc === undefined) throw new Error('this measurement needs node --expose-gc');
  if (depth === 'full') globalThis.gc();
  else globalThis.gc({ type: 'minor', execution: 'sync' });
}

/** The value below which this share of all values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** 1,000 as 1k, as the table writes sizes. */
export function count(number: number): string {
  if (number >= 1e6) return `${number / 1e6}M`;
  return number >= 1e3 ? `${number / 1e3}k` : String(number);
}
