import { fileURLToPath } from 'node:url';
import { runJob, runNode } from './child.ts';
import type { Selection } from './dialects.ts';
import { generateHistory } from './histories.ts';
import { measureImports } from './import-cost.ts';
import type { Rounds } from './measure.ts';
import { inSeveralProcesses } from './several-processes.ts';
import type { FirstCall, Measurements } from './targets.ts';

export type Effort = { seed: number; quick: boolean };
export type RepairEffort = Effort & { dialects: Selection };
type Progress = (what: string) => void;

const firstCall = fileURLToPath(new URL('first-call.mjs', import.meta.url));
// Two nurseries of 64 MB: no call that is sampled can fill one, so no collection falls into a sample.
const memoryFlags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Takes all measurements of the repair engine, one process after another, so that none disturbs the next. */
export async function measureRepair(effort: RepairEffort, progress: Progress): Promise<Measurements> {
  const { seed, quick, dialects } = effort;
  const imports = dialects.rest ? await measureImportsOf(quick, progress) : undefined;
  const firstCalls = await measureFirstCalls(effort, progress);
  const visits: Measurements['visits'] = [];
  const memory: Measurements['memory'] = [];
  for (const dialect of dialects.wire) {
    progress(`visits and memory, ${dialect}`);
    for (const messages of [1_000, 4_000]) visits.push(await runJob('visits', { dialect, messages, seed }));
    const job = { dialect, seed, small: 1_000, large: 10_000, repairs: 1_000 };
    memory.push(await runJob('memory', job, { flags: memoryFlags }));
  }
  const append = dialects.rest ? await measureAppends(effort, progress) : undefined;
  const histories = await measureHistories(effort, progress);
  const inMemory = await measureInMemory(effort, progress);
  const peers = dialects.rest ? await measurePeers(effort, progress) : undefined;
  const perDialect = { histories, inMemory, memory, visits, firstCalls };
  if (imports === undefined || append === undefined || peers === undefined) return perDialect;
  return { ...perDialect, rest: { append, imports, peers } };
}

type Rest = NonNullable<Measurements['rest']>;

async function measureImportsOf(quick: boolean, progress: Progress): Promise<Rest['imports']> {
  progress('imports');
  return measureImports(quick ? 11 : 21);
}

async function measureAppends({ seed, quick }: Effort, progress: Progress): Promise<Rest['append']> {
  progress('appended turns');
  return runJob('append', { seed, short: 100, long: 1_000_000, batches: quick ? 100 : 400 });
}

async function measurePeers({ seed, quick }: Effort, progress: Progress): Promise<Rest['peers']> {
  progress('peers');
  const sizes = quick ? { small: 500, large: 2_000 } : { small: 2_500, large: 10_000 };
  const rounds = { most: 15, budgetMs: quick ? 2_000 : 8_000, inARow: 3 };
  return runJob('peers', { seed, ...sizes, rounds });
}

async function measureFirstCalls(effort: RepairEffort, progress: Progress): Promise<Measurements['firstCalls']> {
  const { seed, quick, dialects } = effort;
  const all: Measurements['firstCalls'] = [];
  for (const dialect of dialects.wire) {
    progress(`first calls, ${dialect}`);
    const messages = 1_000;
    for (const [state, broken] of [
      ['clean', 0],
      ['broken', 0.1],
    ] as const) {
      const history = generateHistory({ dialect, results: 'heavy', messages, seed, broken });
      const stdin = JSON.stringify(history.messages);
      const calls: FirstCall[] = [];
      for (let time = 0; time < (quick ? 11 : 21); time += 1) {
        calls.push(JSON.parse(await runNode([firstCall, dialect], { stdin })) as FirstCall);
      }
      all.push({ dialect, messages, state, calls });
    }
  }
  return all;
}

function sizesOf({ quick }: Effort): { messages: number; rounds: Rounds }[] {
  return [
    { messages: 1_000, rounds: { most: 200, budgetMs: quick ? 1_000 : 3_000 } },
    { messages: 10_000, rounds: { most: 30, budgetMs: quick ? 2_000 : 4_000 } },
    ...(quick ? [] : [{ messages: 100_000, rounds: { most: 5, budgetMs: 8_000 } }]),
  ];
}

async function measureHistories(effort: RepairEffort, progress: Progress): Promise<Measurements['histories']> {
  const histories: Measurements['histories'] = [];
  for (const { messages, rounds } of sizesOf(effort)) {
    for (const dialect of effort.dialects.wire) {
      progress(`${messages} messages, ${dialect}`);
      const job = { dialect, messages, seed: effort.seed, rounds };
      histories.push(await inSeveralProcesses(() => runJob('history', job)));
    }
  }
  return histories;
}

async function measureInMemory(effort: RepairEffort, progress: Progress): Promise<Measurements['inMemory']> {
  const timings: Measurements['inMemory'] = [];
  for (const { messages, rounds } of sizesOf(effort)) {
    for (const dialect of effort.dialects.inMemory) {
      progress(`${messages} messages, ${dialect}`);
      const job = { dialect, messages, seed: effort.seed, rounds };
      timings.push(await inSeveralProcesses(() => runJob('inMemory', job)));
    }
  }
  return timings;
}
