import { fileURLToPath } from 'node:url';
import { runJob, runNode } from './child.ts';
import { generateHistory, type BenchDialect } from './histories.ts';
import { measureImports } from './import-cost.ts';
import type { FirstCall, Measurements } from './targets.ts';

export type Effort = { seed: number; quick: boolean };

const dialects: readonly BenchDialect[] = ['anthropic-messages', 'openai-chat'];
const firstCall = fileURLToPath(new URL('first-call.mjs', import.meta.url));
// Two nurseries of 64 MB: no call that is sampled can fill one, so no collection falls into a sample.
const memoryFlags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Takes all measurements of the repair engine, one process after another, so that none disturbs the next. */
export async function measureRepair(effort: Effort, progress: (what: string) => void): Promise<Measurements> {
  const { seed, quick } = effort;
  progress('imports');
  const imports = await measureImports(quick ? 5 : 11);
  progress('first calls');
  const firstCalls = await measureFirstCalls(seed, quick ? 5 : 11);
  const visits: Measurements['visits'] = [];
  const memory: Measurements['memory'] = [];
  for (const dialect of dialects) {
    progress(`visits and memory, ${dialect}`);
    for (const messages of [1_000, 4_000]) visits.push(await runJob('visits', { dialect, messages, seed }));
    const job = { dialect, seed, small: 1_000, large: 10_000, repairs: 1_000 };
    memory.push(await runJob('memory', job, { flags: memoryFlags }));
  }
  progress('appended turns');
  const append = await runJob('append', { seed, short: 100, long: 1_000_000, batches: quick ? 100 : 400 });
  const histories = await measureHistories(effort, progress);
  progress('peers');
  const peerSizes = quick ? { small: 500, large: 2_000 } : { small: 2_500, large: 10_000 };
  const rounds = { most: 15, budgetMs: quick ? 2_000 : 8_000, inARow: 3 };
  const peers = await runJob('peers', { seed, ...peerSizes, rounds });
  return { histories, memory, visits, firstCalls, append, imports, peers };
}

async function measureFirstCalls(seed: number, times: number): Promise<Measurements['firstCalls']> {
  const all: Measurements['firstCalls'] = [];
  for (const dialect of dialects) {
    const messages = 1_000;
    for (const [state, broken] of [
      ['clean', 0],
      ['broken', 0.1],
    ] as const) {
      const history = generateHistory({ dialect, results: 'heavy', messages, seed, broken });
      const stdin = JSON.stringify(history.messages);
      const calls: FirstCall[] = [];
      for (let time = 0; time < times; time += 1) {
        calls.push(JSON.parse(await runNode([firstCall, dialect], stdin)) as FirstCall);
      }
      all.push({ dialect, messages, state, calls });
    }
  }
  return all;
}

async function measureHistories(effort: Effort, progress: (what: string) => void): Promise<Measurements['histories']> {
  const { seed, quick } = effort;
  const sizes = [
    { messages: 1_000, rounds: { most: 200, budgetMs: quick ? 2_000 : 5_000 } },
    { messages: 10_000, rounds: { most: 30, budgetMs: quick ? 3_000 : 7_000 } },
    ...(quick ? [] : [{ messages: 100_000, rounds: { most: 5, budgetMs: 18_000 } }]),
  ];
  const histories: Measurements['histories'] = [];
  for (const { messages, rounds } of sizes) {
    for (const dialect of dialects) {
      progress(`${messages} messages, ${dialect}`);
      histories.push(await runJob('history', { dialect, messages, seed, rounds }));
    }
  }
  return histories;
}
