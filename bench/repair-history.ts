import { check, decode, encode, repair, verify, type Dialect } from '@rethread/core';
import { judge, type JudgedDialect } from '@rethread/simulator';
import { generateHistory, historyText, inMemoryDialects } from './histories.ts';
import { collectGarbage, count, fastest, fastestOnFresh, onSettled, type Reading, type Rounds } from './measure.ts';

type Job = { dialect: Dialect & JudgedDialect; messages: number; seed: number; rounds: Rounds };

const warmUpCalls = 60;

/** Times the engine beside JSON.parse of the same bytes, on histories of one dialect and size. */
export async function measure(job: Job): Promise<Reading[]> {
  const { dialect } = job;
  const inMemory = inMemoryDialects.some((name) => name === dialect);
  const broken = inMemory ? 0 : 0.1;
  const run = inMemory ? (list: unknown[]) => crossing(list, dialect) : (list: unknown[]) => bothOf(list, dialect);
  const living = generateHistory({ ...job, messages: 1_000, results: 'heavy', broken });
  for (let call = 0; call < warmUpCalls; call += 1) run(living);
  const readings = inMemory
    ? await codecReadings(job)
    : [...(await brokenReadings(job)), ...(await cleanReadings(job))];
  // V8 forgets the shape of an object when the last one is collected, so the warm-up history must live until here.
  if (living.length === 0) throw new Error('the warm-up history is not empty');
  return readings;
}

function bothOf(list: unknown[], dialect: Dialect): unknown {
  return [check(list, dialect), repair(list, dialect)];
}

async function brokenReadings({ dialect, messages, seed, rounds }: Job): Promise<Reading[]> {
  const text = historyText({ dialect, messages, seed, results: 'heavy', broken: 0.1 });
  const works = {
    check: (list: unknown[]) => check(list, dialect),
    repair: (list: unknown[]) => repair(list, dialect),
  };
  const fresh = await fastestOnFresh(text, works, rounds);
  const list = JSON.parse(text) as unknown[];
  collectGarbage('full');
  const settled = await fastest(
    {
      check: onSettled(list, works.check),
      repair: onSettled(list, works.repair),
      walk: onSettled(list, walk),
    },
    rounds,
  );
  const on = `${dialect} ${count(messages)}`;
  const refusals = (history: unknown): number => judge(dialect, history).length;
  return [
    { target: 'checkFresh', on, ours: fresh.check, peer: fresh.parse },
    { target: 'checkSettled', on, ours: settled.check, peer: fresh.parse },
    { target: 'checkWalk', on, ours: settled.check, peer: settled.walk },
    { target: 'repairFresh', on, ours: fresh.repair, peer: fresh.parse },
    { target: 'repairSettled', on, ours: settled.repair, peer: fresh.parse },
    { target: 'refusals', on, ours: refusals(repair(list, dialect).output), peer: refusals(list) },
  ];
}

async function cleanReadings({ dialect, messages, seed, rounds }: Job): Promise<Reading[]> {
  const text = historyText({ dialect, messages, seed, results: 'heavy', broken: 0 });
  const run = (list: unknown[]): unknown => repair(list, dialect);
  const fresh = await fastestOnFresh(text, { repair: run }, rounds);
  const list = JSON.parse(text) as unknown[];
  const settled = await fastest({ repair: onSettled(list, run) }, rounds);
  const on = `${dialect} ${count(messages)}`;
  return [
    { target: 'cleanFresh', on, ours: fresh.repair, peer: fresh.parse },
    { target: 'cleanSettled', on, ours: settled.repair, peer: fresh.parse },
    { target: 'cleanCopies', on, ours: repair(list, dialect).output === list ? 0 : 1 },
  ];
}

async function codecReadings({ dialect, messages, seed, rounds }: Job): Promise<Reading[]> {
  const text = historyText({ dialect, messages, seed, results: 'heavy', broken: 0 });
  const run = (list: unknown[]): unknown => crossing(list, dialect);
  const fresh = await fastestOnFresh(text, { run }, rounds);
  const settled = await fastest({ run: onSettled(JSON.parse(text) as unknown[], run) }, rounds);
  const on = `${dialect} ${count(messages)}`;
  return [
    { target: 'codecFresh', on, ours: fresh.run, peer: fresh.parse },
    { target: 'codecSettled', on, ours: settled.run, peer: fresh.parse },
  ];
}

/** Only a verified history can be encoded, so the proof is a part of the price. */
function crossing(list: unknown[], dialect: Dialect): unknown {
  const decoded = decode(list, dialect);
  const verified = verify(list, dialect);
  if (decoded?.messages.length !== list.length || !verified.ok) throw new Error('the history was not read');
  return [decoded, encode(verified.sendable)];
}

/** Touches every string once: nobody can read a history with less. */
function walk(value: unknown): number {
  if (typeof value === 'string') return value.charCodeAt(0);
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  if (Array.isArray(value)) for (const each of value) sum += walk(each);
  else for (const key in value) sum += walk((value as Record<string, unknown>)[key]);
  return sum;
}
