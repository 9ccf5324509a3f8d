/** Milliseconds over all rounds. The minimum repeats from run to run on a busy machine; the median is the usual. */
export type Sample = { min: number; median: number; rounds: number };

export type Candidate<T> = {
  name: string;
  /** Makes what `run` works on, outside the timed region. */
  input: () => T;
  run: (input: T) => unknown;
};

export type Rounds = {
  most: number;
  budgetMs: number;
  /** Samples of one candidate in a row, so that the later ones find their data in the cache again; one by default. */
  inARow?: number;
};

const leastRounds = 3;

/** Runs all candidates once a round, starting with another one each round, so that a slow moment hits all alike. */
export async function interleave<T>(candidates: readonly Candidate<T>[], limit: Rounds): Promise<Map<string, Sample>> {
  const times = new Map(candidates.map(({ name }) => [name, [] as number[]]));
  const started = performance.now();
  for (let round = 0; round < limit.most; round += 1) {
    if (round >= leastRounds && performance.now() - started > limit.budgetMs) break;
    for (let offset = 0; offset < candidates.length; offset += 1) {
      const candidate = candidates[(round + offset) % candidates.length];
      if (candidate === undefined) continue;
      for (let sample = 0; sample < (limit.inARow ?? 1); sample += 1) {
        times.get(candidate.name)?.push(await timeOnce(candidate));
      }
    }
  }
  return new Map([...times].map(([name, samples]) => [name, summarize(samples)]));
}

/**
 * The same over many small inputs, each timed by itself, with the sums of their minima and of their medians. On a busy
 * machine a long sample is never left alone and a short one often is, so to time them all at once favours the faster.
 */
export function interleaveEach<T>(
  candidates: readonly Pick<Candidate<T>, 'name' | 'run'>[],
  inputs: readonly T[],
  limit: Rounds,
): Map<string, Sample> {
  const times = candidates.map(() => inputs.map(() => [] as number[]));
  const started = performance.now();
  let rounds = 0;
  for (; rounds < limit.most; rounds += 1) {
    if (rounds >= leastRounds && performance.now() - started > limit.budgetMs) break;
    for (let offset = 0; offset < candidates.length; offset += 1) {
      const turn = (rounds + offset) % candidates.length;
      for (const [place, input] of inputs.entries()) {
        const start = performance.now();
        const output = candidates[turn]?.run(input);
        times[turn]?.[place]?.push(performance.now() - start);
        held[0] = output;
      }
    }
  }
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return new Map(
    candidates.map(({ name }, turn) => {
      const samples = (times[turn] ?? []).map(summarize);
      const [min, middle] = [sum(samples.map((each) => each.min)), sum(samples.map((each) => each.median))];
      return [name, { min, median: middle, rounds }];
    }),
  );
}

async function timeOnce<T>(candidate: Candidate<T>): Promise<number> {
  const input = candidate.input();
  const start = performance.now();
  const output = candidate.run(input);
  if (output instanceof Promise) await output;
  const end = performance.now();
  held[0] = output;
  return end - start;
}

// Held until the next sample, so that no compiler can prove an output unused and skip the work.
const held: unknown[] = [];

export function discardLastOutput(): void {
  held.length = 0;
}

export function summarize(samples: readonly number[]): Sample {
  return { min: Math.min(...samples), median: median(samples), rounds: samples.length };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new RangeError('a median needs at least one value');
  return (lower + upper) / 2;
}

export function sampleOf(samples: ReadonlyMap<string, Sample>, name: string): Sample {
  const sample = samples.get(name);
  if (sample === undefined) throw new RangeError(`no candidate is called ${name}`);
  return sample;
}

/** A full collection leaves every living object settled in the old generation; a minor one only empties the nursery. */
export function collectGarbage(depth: 'full' | 'minor'): void {
  if (globalThis.gc === undefined) throw new Error('this measurement needs node --expose-gc');
  if (depth === 'full') globalThis.gc();
  else globalThis.gc({ type: 'minor', execution: 'sync' });
}
