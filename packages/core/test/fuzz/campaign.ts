import type { Dialect, RepairOptions } from '../../src/index.ts';
import { sampleAt, type Aim, type Sample } from './histories.ts';
import { hold, type Breach, type BreachKind } from './properties.ts';
import { seedAt } from './random.ts';
import { deepFreeze } from './reading.ts';
import { shrink } from './shrink.ts';

/** One kind of failure, with the first history that showed it and its smallest form. */
export interface Failure extends Breach {
  readonly dialect: Dialect;
  readonly seed: number;
  readonly planted: readonly string[];
  readonly target: Aim;
  readonly options: RepairOptions;
  readonly smallest: unknown;
  times: number;
}

export interface Tally {
  histories: number;
  counts: Record<BreachKind, number>;
  failures: Failure[];
  /** Disagreements on raw input that are known and explained. */
  explained: Failure[];
  /** How often each defect was planted, so that a generator that went silent is seen. */
  planted: Record<string, number>;
}

export const startTally = (): Tally => ({
  histories: 0,
  counts: {
    exception: 0,
    unsound: 0,
    identity: 0,
    'not idempotent': 0,
    'not deterministic': 0,
    'mutated input': 0,
    unaccounted: 0,
    'given up': 0,
    dishonest: 0,
    'not carried': 0,
    misattributed: 0,
    disagreement: 0,
    compaction: 0,
  },
  failures: [],
  explained: [],
  planted: {},
});

export interface Stretch {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly dialect?: Dialect | undefined;
}

const isSame = (a: Breach, b: Breach): boolean =>
  a.kind === b.kind && a.detail === b.detail && a.explained === b.explained;

/** Records what a history broke; only the first of each kind is kept, and made small. */
export function record(tally: Tally, sample: Sample, breaches: readonly Breach[]): void {
  for (const breach of breaches) {
    const list = breach.explained === undefined ? tally.failures : tally.explained;
    if (list === tally.failures) tally.counts[breach.kind] += 1;
    const known = list.find((failure) => failure.dialect === sample.dialect && isSame(failure, breach));
    if (known) known.times += 1;
    else list.push({ ...describe(sample, breach), times: 1 });
  }
}

function describe(sample: Sample, breach: Breach): Omit<Failure, 'times'> {
  const { seed, dialect, target, options, planted, contents } = sample;
  const fails = (candidate: unknown): boolean =>
    hold(deepFreeze(candidate), { dialect, target, options, contents }).some((found) => isSame(found, breach));
  return { ...breach, seed, dialect, planted, target, options, smallest: shrink(sample.input, fails, 800) };
}

/**
 * Runs a stretch of seeded histories. Every eighth stays writable, so that a swallowed write is seen as well; of every
 * fourth an equal copy is repaired too.
 */
export function runStretch(stretch: Stretch, onProgress: (done: number) => void = () => {}): Tally {
  const tally = startTally();
  for (let index = stretch.from; index < stretch.from + stretch.count; index += 1) {
    const sample = sampleAt(seedAt(stretch.seed, index), stretch.dialect);
    if (index % 8 !== 0) deepFreeze(sample.input);
    tally.histories += 1;
    for (const name of sample.planted) {
      const key = `${sample.dialect}: ${name}`;
      tally.planted[key] = (tally.planted[key] ?? 0) + 1;
    }
    record(tally, sample, hold(sample.input, { ...sample, twice: index % 4 === 0 }));
    if (tally.histories % 5000 === 0) onProgress(5000);
  }
  return tally;
}

/** Adds one tally to another; equal failures are counted together. */
export function merge(into: Tally, other: Tally): Tally {
  into.histories += other.histories;
  for (const kind of Object.keys(into.counts) as BreachKind[]) into.counts[kind] += other.counts[kind];
  for (const [name, times] of Object.entries(other.planted)) into.planted[name] = (into.planted[name] ?? 0) + times;
  mergeLists(into.failures, other.failures);
  mergeLists(into.explained, other.explained);
  return into;
}

function mergeLists(into: Failure[], other: readonly Failure[]): void {
  for (const failure of other) {
    const known = into.find((found) => found.dialect === failure.dialect && isSame(found, failure));
    if (known) known.times += failure.times;
    else into.push(failure);
  }
}
