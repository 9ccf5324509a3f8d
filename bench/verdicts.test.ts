import { expect, test } from 'vitest';
import type { ImportCost } from './import-cost.ts';
import type { Measurements } from './targets.ts';
import { judgeAll } from './verdicts.ts';

const took = (ms: number): { min: number; median: number; rounds: number } => ({ min: ms, median: ms, rounds: 1 });

/** A run in which everything takes a tenth of JSON.parse, or nothing at all. */
function goodRun(): Measurements {
  const timings = { check: took(0.1), pairingCheck: took(0.1), repair: took(0.1), minimalRepair: took(0.1) };
  const history = (messages: number): Measurements['histories'][number] => {
    const scaled = (ms: number): ReturnType<typeof took> => took((ms * messages) / 1_000);
    const state = Object.fromEntries(Object.entries(timings).map(([name, { min }]) => [name, scaled(min)]));
    return {
      dialect: 'openai-chat',
      messages,
      entries: messages,
      bytes: messages * 3_000,
      planted: {
        dangling: 1,
        orphan: 1,
        duplicate: 1,
        late: 1,
        empty: 1,
        'consecutive-users': 1,
        early: 0,
        'twin-call': 0,
      },
      parse: scaled(1),
      firstTouch: state as typeof timings,
      settled: state as typeof timings,
      faults: { before: 6, afterRepair: 0, afterMinimalRepair: 0 },
      clean: { parse: scaled(1), firstTouch: scaled(0.1), settled: scaled(0.1), sameArray: true },
    };
  };
  const dialect = 'openai-chat';
  const sizes = { small: 1_000, large: 10_000, cleanSmall: 500, cleanLarge: 500 };
  const visits = { perMessage: 2, passes: 1 };
  const codec = { decode: took(0.1), encode: took(0.1), both: took(0.2) };
  const cost = (name: string, ms: number): ImportCost => ({ name, ms, rssMegabytes: ms / 5 });
  return {
    histories: [history(10_000), history(100_000)],
    memory: [{ dialect, ...sizes, repairs: 1_000, growth: 0 }],
    visits: [{ dialect, messages: 1_000, check: visits, repair: visits }],
    firstCalls: [{ dialect, messages: 1_000, state: 'clean', calls: [{ parseMs: 4, callMs: 1 }] }],
    inMemory: [
      { dialect: 'ai-sdk-ui', messages: 1_000, bytes: 3_000_000, parse: took(1), firstTouch: codec, settled: codec },
    ],
    rest: {
      append: { afterShort: took(2), afterLong: took(2), repair: took(4), short: 100, long: 1_000_000 },
      imports: { runtimeDependencies: 0, ours: [cost('core', 5)], peers: [cost('ai', 50)] },
      peers: { messages: 0, faults: 0, rows: [] },
    },
  };
}

const missedBy = (change: (run: Measurements) => unknown): string[] => {
  const run = structuredClone(goodRun());
  change(run);
  return [...new Set(judgeAll(run).flatMap(({ id, verdict }) => (verdict === 'miss' ? [id] : [])))];
};

test('a run within all bars misses nothing, and every target was judged', () => {
  const judged = judgeAll(goodRun()).filter(({ verdict }) => verdict === 'pass');
  expect(missedBy(() => undefined)).toEqual([]);
  expect([...new Set(judged.map(({ id }) => id))]).toEqual(['T1', 'T2', 'T3', 'T4', '2 × T1', 'T5', 'T17', 'flat']);
});

const spoiled: [claim: string, missed: string[], change: (run: Measurements) => unknown][] = [
  ['a slow check', ['T1'], (run) => run.histories.forEach((history) => void (history.settled.check.min *= 2))],
  ['one fault left', ['T2'], (run) => run.histories.forEach((history) => void (history.faults.afterRepair = 1))],
  ['a copied clean list', ['T3'], (run) => run.histories.forEach(({ clean }) => void (clean.sameArray = false))],
  ['eight bytes a message', ['T3'], (run) => run.memory.forEach((use) => void (use.cleanLarge += 8 * use.large))],
  ['a third visit in one pass', ['T4'], (run) => run.visits.forEach(({ check }) => void (check.perMessage = 2.5))],
  ['a cost that grows with the past', ['T5'], ({ rest }) => rest && (rest.append.afterLong = took(3))],
  ['a slow codec', ['2 × T1'], (run) => run.inMemory.forEach(({ settled }) => void (settled.both = took(0.25)))],
  ['a slow import', ['T17'], ({ rest }) => rest?.imports.ours.forEach((cost) => void (cost.ms = 41))],
  ['a runtime dependency', ['T17'], ({ rest }) => rest && (rest.imports.runtimeDependencies = 1)],
  ['memory kept by each repair', ['flat'], (run) => run.memory.forEach((use) => void (use.growth = 100_000))],
  ['a value that was not measured', ['T5'], ({ rest }) => rest && (rest.append.repair = took(NaN))],
];

test.each(spoiled)('%s is a miss of %j', (_, missed, change) => {
  expect(missedBy(change)).toEqual(missed);
});

test('a time that grows with the square of the length is a miss of T4', () => {
  const missed = missedBy(({ histories }) => {
    for (const { messages, firstTouch } of histories) firstTouch.repair.median *= messages / 10_000;
  });
  expect(missed).toEqual(['T4']);
});

test('a run for chosen dialects is not judged by what it did not measure', () => {
  const { rest: _, ...chosen } = goodRun();
  const judged = judgeAll(chosen).map(({ id }) => id);
  expect([...new Set(judged)]).toEqual(['T1', 'T2', 'T3', 'T4', '2 × T1', 'flat']);
});
