import { expect, test } from 'vitest';
import {
  compact,
  convert,
  createChecker,
  prepare,
  repair,
  type Dialect,
  type Repair,
  type RepairOptions,
  type SessionRecord,
} from '../../src/index.ts';
import { movesBetween } from '../fuzz/attribution.ts';
import { BATCHES, cutHistory } from '../fuzz/batches.ts';
import { seedAt, startRandom } from '../fuzz/random.ts';
import { deepFreeze } from '../fuzz/reading.ts';

const seed = Number(process.env['RETHREAD_SEED'] ?? 20261119);
const histories = Number(process.env['RETHREAD_HISTORIES'] ?? 1500);
const dialects = Object.keys(BATCHES) as (keyof typeof BATCHES)[];

const OPTIONS: readonly RepairOptions[] = [
  {},
  { policy: 'discard' },
  { policy: { openCall: 'remove' } },
  { policy: { partialBatch: 'remove-open' } },
  { policy: { partialBatch: 'remove-batch', duplicateResult: 'keep-first' } },
  { policy: { orphanResult: 'remove' } },
  { open: 'leave' },
  { next: 'user' },
];

const recordsOf = (dialect: Dialect, messages: readonly unknown[]): SessionRecord[] =>
  messages.map((wire, index) => ({
    v: 1,
    seq: index + 1,
    id: `r${index}`,
    at: '2026-11-19T00:00:00Z',
    kind: 'message',
    data: { dialect, wire },
  }));

/** Contents that sit with another call although an id says whose they are. */
const wrongIn = (before: unknown, after: unknown): string[] =>
  movesBetween(before, after).flatMap(({ content, from, to, wrong }) =>
    wrong === undefined ? [] : [`${content} of ${from.join()} went to ${to.join()}: ${wrong}`],
  );

const toldAsNothing = (repairs: readonly Repair[]): boolean =>
  !repairs.some(({ rule, loss }) => rule === 'result-misnamed' && loss === 'synthetic');

/** The histories of a dialect, each with the seed that makes it again. */
function* cutHistories(dialect: keyof typeof BATCHES): Generator<{ own: number; messages: readonly unknown[] }> {
  for (let index = 0; index < histories; index += 1) {
    const own = seedAt(seed, index);
    yield { own, messages: deepFreeze(cutHistory(BATCHES[dialect], startRandom(own))) };
  }
}

test.each(dialects)(`%s: a repair gives no result to another call against an id (seed ${seed})`, (dialect) => {
  let joined = 0;
  for (const { own, messages } of cutHistories(dialect)) {
    for (const options of OPTIONS) {
      const { output, report } = repair(messages, dialect, options);
      expect([own, options, wrongIn(messages, output)]).toEqual([own, options, []]);
      if (movesBetween(messages, output).length === 0) continue;
      joined += 1;
      expect([own, options, toldAsNothing(report.repairs)]).toEqual([own, options, false]);
    }
  }
  // A property of joins that never happen would prove nothing.
  expect(joined).toBeGreaterThan(histories / 50);
});

test.each(dialects)(`%s: nor does a conversion, a projection or a checker that settles (seed ${seed})`, (dialect) => {
  const others = dialects.filter((to) => to !== dialect);
  for (const { own, messages } of cutHistories(dialect)) {
    const to = startRandom(own).pick(others);
    const converted = convert(messages, { from: dialect, to }).output;
    expect([own, to, wrongIn(messages, converted)]).toEqual([own, to, []]);
    const records = recordsOf(dialect, messages);
    for (const target of [dialect, to]) {
      const sent = prepare(records, target).sendable?.wire;
      expect([own, target, wrongIn(messages, sent)]).toEqual([own, target, []]);
    }
    const checker = createChecker(dialect);
    for (const message of messages) checker.push(message);
    const settled = [...messages, ...checker.settle()];
    expect([own, wrongIn(messages, repair(settled, dialect).output)]).toEqual([own, []]);
  }
});

test.each(dialects)(`%s: nor does a compaction, with a model and without one (seed ${seed})`, async (dialect) => {
  for (const { own, messages } of cutHistories(dialect)) {
    const random = startRandom(own);
    const model = random.chance(2) ? (): Promise<string> => Promise.resolve('## Goal\n- go on') : undefined;
    const { history } = await compact(messages, {
      budgetTokens: random.between(1, 200),
      target: dialect,
      at: '2026-11-19T00:00:00Z',
      ...(model === undefined ? {} : { model }),
    });
    expect([own, wrongIn(messages, history)]).toEqual([own, []]);
    expect([own, wrongIn(history, repair(history, dialect).output)]).toEqual([own, []]);
  }
});
