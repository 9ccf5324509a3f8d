import { fileURLToPath } from 'node:url';
import type { Dialect } from '@rethread/core';
import { runJob, runNode } from './child.ts';
import { historyText, inMemoryDialects, wireDialects } from './histories.ts';
import { count, fastest, type Effort, type Reading, type Rounds } from './measure.ts';
import { measurePackages } from './package-cost.ts';
import { countsFlags } from './repair-counts.ts';
import type { TargetName } from './targets.ts';

const firstCall = fileURLToPath(new URL('first-call.mjs', import.meta.url));
/** Where V8 happens to put code and data makes a whole process faster or slower, so several of them are measured. */
const processes = 3;

/** The dialects a name stands for. Without a name these are the usual two. */
export function selectDialects(name: string | undefined): readonly Dialect[] {
  if (name === undefined) return ['anthropic-messages', 'openai-chat'];
  const all = [...wireDialects, ...inMemoryDialects];
  const selected = name === 'all' ? all : all.filter((dialect) => dialect === name);
  if (selected.length === 0) throw new Error(`unknown dialect '${name}': use all, ${all.join(', ')}`);
  return selected;
}

/** Measures check and repair; without chosen dialects also what does not depend on one. */
export async function measureRepair(effort: Effort, chosen: string | undefined): Promise<Reading[]> {
  const { seed, quick, progress } = effort;
  const dialects = selectDialects(chosen);
  const readings: Reading[] = [];
  for (const { messages, rounds } of sizesOf(quick)) {
    for (const dialect of dialects) {
      progress(`${dialect}, ${count(messages)} messages`);
      const job = { dialect, messages, seed, rounds };
      const runs: Reading[][] = [];
      for (let run = 0; run < processes; run += 1) runs.push(await runJob('history', job));
      readings.push(...leastOf(runs));
    }
  }
  readings.push(...growthOf(readings, 'checkFresh', 'checkGrowth'));
  readings.push(...growthOf(readings, 'repairFresh', 'repairGrowth'));
  for (const dialect of wireDialects.filter((name) => dialects.includes(name))) {
    progress(`${dialect}, visits, bytes and first call`);
    readings.push(...(await runJob('counts', { dialect, seed }, countsFlags)));
    readings.push(await measureFirstCall(dialect, effort));
  }
  if (chosen !== undefined) return readings;
  progress('appended turns, a peer, and the packages');
  readings.push(...(await runJob('append', { seed, rounds: { most: quick ? 100 : 400, budgetMs: 20_000 } })));
  const rounds = { most: 20, budgetMs: quick ? 2_000 : 8_000 };
  readings.push(...(await runJob('peers', { seed, messages: quick ? 2_000 : 10_000, rounds })));
  return [...readings, ...(await measurePackages(quick ? 7 : 21))];
}

function sizesOf(quick: boolean): { messages: number; rounds: Rounds }[] {
  return [
    { messages: 1_000, rounds: { most: 200, budgetMs: quick ? 1_000 : 3_000 } },
    { messages: 10_000, rounds: { most: 30, budgetMs: quick ? 2_000 : 4_000 } },
    ...(quick ? [] : [{ messages: 100_000, rounds: { most: 5, budgetMs: 8_000 } }]),
  ];
}

/** Several runs of one job as one: of ours and of the peer, the least. */
function leastOf([first = [], ...others]: readonly Reading[][]): Reading[] {
  return first.map((reading, at) => {
    const all = [reading, ...others.flatMap((run) => run[at] ?? [])];
    const ours = Math.min(...all.map((each) => each.ours));
    if (reading.peer === undefined) return { ...reading, ours };
    return { ...reading, ours, peer: Math.min(...all.map((each) => each.peer ?? Infinity)) };
  });
}

/** How the ratio to JSON.parse grows from 10k to 100k messages. */
function growthOf(readings: readonly Reading[], of: TargetName, target: TargetName): Reading[] {
  const ratio = (on: string): number | undefined => {
    const found = readings.find((reading) => reading.target === of && reading.on === on);
    return found?.peer === undefined ? undefined : found.ours / found.peer;
  };
  return wireDialects.flatMap((dialect) => {
    const [small, large] = [ratio(`${dialect} 10k`), ratio(`${dialect} 100k`)];
    return small === undefined || large === undefined ? [] : [{ target, on: dialect, ours: large, peer: small }];
  });
}

async function measureFirstCall(dialect: Dialect, { seed, quick }: Effort): Promise<Reading> {
  const stdin = historyText({ dialect, results: 'heavy', messages: 1_000, seed, broken: 0 });
  let peer = Infinity;
  const call = async (): Promise<number> => {
    const output = await runNode([firstCall, dialect], stdin);
    const { parseMs, callMs } = JSON.parse(output) as { parseMs: number; callMs: number };
    peer = Math.min(peer, parseMs);
    return callMs;
  };
  const { ours } = await fastest({ ours: call }, { most: quick ? 11 : 21, budgetMs: Infinity });
  return { target: 'firstCall', on: `${dialect} 1k`, ours, peer };
}
