import { getHeapSpaceStatistics } from 'node:v8';
import type { BenchDialect } from './dialects.ts';
import { loadEngine } from './engine.ts';
import { generateHistory } from './histories.ts';
import { collectGarbage, median } from './measure.ts';
import type { BenchMessage } from './wire-shapes.ts';

export type MemoryJob = { dialect: BenchDialect; seed: number; small: number; large: number; repairs: number };

export type MemoryUse = {
  dialect: BenchDialect;
  small: number;
  large: number;
  /** Bytes that one repair of a clean history allocates, at both sizes. */
  cleanSmall: number;
  cleanLarge: number;
  repairs: number;
  /** Bytes alive at the end of that many repairs, less the bytes alive at their beginning. */
  growth: number;
};

const allocationSamples = 31;
const warmUpCalls = 600;
const differentHistories = 50;

/** Measures what a clean repair allocates, and what is left in memory after many repairs of different histories. */
export async function measureMemory(job: MemoryJob): Promise<MemoryUse> {
  const { repair } = await loadEngine();
  const { dialect, small, large, repairs } = job;
  const run = (history: BenchMessage[]): unknown => repair(history, dialect);
  const histories = [small, large].map((messages) => cleanHistory(job, messages));
  for (let call = 0; call < warmUpCalls; call += 1) for (const history of histories) run(history);
  collectGarbage('full');
  const [cleanSmall = NaN, cleanLarge = NaN] = histories.map((history) => allocatedBytes(() => run(history)));
  histories.length = 0;
  return { dialect, small, large, cleanSmall, cleanLarge, repairs, growth: growthOver(job, run) };
}

function cleanHistory(job: MemoryJob, messages: number): BenchMessage[] {
  const generated = generateHistory({ ...job, results: 'light', messages, broken: 0 });
  return JSON.parse(JSON.stringify(generated.messages)) as BenchMessage[];
}

/** The nursery of this process is larger than one call can fill, so nothing is collected inside a sample. */
function allocatedBytes(work: () => unknown): number {
  const nothing = median(samplesOf(() => undefined));
  return Math.max(0, median(samplesOf(work)) - nothing);
}

function samplesOf(work: () => unknown): number[] {
  return Array.from({ length: allocationSamples }, () => {
    collectGarbage('minor');
    const before = bytesInUse();
    const output = work();
    const after = bytesInUse();
    return output === null ? NaN : after - before;
  });
}

/** Histories and ids differ from repair to repair, so that anything remembered by content or by id would pile up. */
function growthOver(job: MemoryJob, run: (history: BenchMessage[]) => unknown): number {
  const { dialect, seed, repairs } = job;
  const recipes = Array.from({ length: differentHistories }, (_, index) => seed + index);
  const texts = recipes.map((seed) => {
    return JSON.stringify(generateHistory({ dialect, results: 'light', messages: 60, seed, broken: 0.5 }).messages);
  });
  const readings: number[] = [];
  for (let count = 1; count <= repairs + warmUpCalls; count += 1) {
    const text = texts[count % texts.length] ?? '[]';
    run(JSON.parse(renumbered(text, count)) as BenchMessage[]);
    if (count >= warmUpCalls && count % (repairs / 20) === 0) readings.push(settledBytes());
  }
  // What a program warms up comes and goes between two readings; what is never given back raises the lowest of them.
  const half = readings.length >> 1;
  return Math.min(...readings.slice(half)) - Math.min(...readings.slice(0, half));
}

const callIds = /("(?:id|tool_use_id|tool_call_id|call_id|toolUseId)":"[^"]{5})[^"]{3}/gu;

/** Writes a number into the middle of every id, because ids have prefixes and some dialects want them of one length. */
function renumbered(text: string, count: number): string {
  return text.replaceAll(callIds, `$1${count.toString(36).padStart(3, '0').slice(-3)}`);
}

/** Compiled code, which the engine makes again and throws away as it likes. */
const codeSpaces = /^(?:code|trusted|shared_trusted)_/u;

function settledBytes(): number {
  collectGarbage('full');
  collectGarbage('full');
  let bytes = process.memoryUsage().external;
  for (const { space_name, space_used_size } of getHeapSpaceStatistics()) {
    if (!codeSpaces.test(space_name)) bytes += space_used_size;
  }
  return bytes;
}

function bytesInUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
