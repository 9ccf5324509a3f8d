import { expect, test } from 'vitest';

import { judgeCompaction, type CompactMeasurements } from './compact-suite.ts';
import type { CompactTimings } from './compact-timings.ts';
import type { Sample } from './measure.ts';

const took = (ms: number): Sample => ({ min: ms, median: ms, rounds: 3 });

const compaction = (messages: number, parse: number): CompactTimings => ({
  dialect: 'openai-chat',
  messages,
  entries: messages,
  bytes: messages * 3_000,
  parse: took(parse),
  compact: took(parse / 10),
  cuts: took(parse / 20),
  tokens: 120_000,
  countedShare: 0.02,
});

const goodRun = (): CompactMeasurements => ({
  heavy: [compaction(10_000, 80)],
  growth: [compaction(10_000, 80), compaction(100_000, 800)],
  beside: { ...compaction(2_000, 16), trimMessages: took(1_600) },
  tokens: {
    characters: 1_000_000,
    estimate: took(7),
    tokenx: took(50),
    exact: took(100),
    errors: [{ on: 'texts', texts: 100, p1: -12, median: 1, p99: 13 }],
    peerErrors: [{ on: 'texts', texts: 100, p1: -40, median: 1, p99: 30 }],
    runs: [{ symbol: 'a', small: took(1), large: took(10) }],
  },
});

const missedBy = (change: (run: CompactMeasurements) => unknown): string[] => {
  const run = goodRun();
  change(run);
  return judgeCompaction(run).flatMap(({ what, verdict }) => (verdict === 'miss' ? [what] : []));
};

test('a run within all bars misses nothing', () => {
  expect(missedBy(() => undefined)).toEqual([]);
  expect(new Set(judgeCompaction(goodRun()).map(({ id }) => id))).toEqual(new Set(['T6', 'T7']));
});

const spoiled: [claim: string, missed: string, change: (run: CompactMeasurements) => unknown][] = [
  [
    'a slow compaction',
    'compact to 128k tokens, settled',
    ({ heavy }) => heavy.forEach((each) => void (each.compact = took(13))),
  ],
  [
    'a budget that is not met',
    'tokens after compaction',
    ({ heavy }) => heavy.forEach((each) => void (each.tokens = 130_000)),
  ],
  [
    'a count of the whole history',
    'characters counted, of all',
    ({ heavy }) => heavy.forEach((each) => void (each.countedShare = 1)),
  ],
  [
    'cuts with the square of the length',
    'cuts, growth over that of JSON.parse',
    ({ growth }) => growth[1] && (growth[1].cuts = took(400)),
  ],
  ['a slow estimate', 'estimate over tokenx', ({ tokens }) => (tokens.estimate = took(11))],
  [
    'an estimate that is too low',
    'error of the estimate, p1',
    ({ tokens }) => tokens.errors.forEach((each) => void (each.p1 = -16)),
  ],
  [
    'an estimate that is too high',
    'error of the estimate, p99',
    ({ tokens }) => tokens.errors.forEach((each) => void (each.p99 = 16)),
  ],
  [
    'an error that is no number',
    'error of the estimate, p99',
    ({ tokens }) => tokens.errors.forEach((each) => void (each.p99 = Number.NaN)),
  ],
  [
    'a run that takes long',
    'estimate of one symbol',
    ({ tokens }) => (tokens.runs = [{ symbol: 'a', small: took(20), large: took(151) }]),
  ],
  [
    'a run with the square of its length',
    'its growth from 1 MB',
    ({ tokens }) => (tokens.runs = [{ symbol: 'a', small: took(1), large: took(100) }]),
  ],
];

test.each(spoiled)('%s is a miss of %j', (_, missed, change) => {
  expect(missedBy(change)).toEqual([missed]);
});
