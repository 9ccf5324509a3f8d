import { expect, test } from 'vitest';
import { joinRuns } from './several-processes.ts';

const took = (min: number, median: number): object => ({ min, median, rounds: 5 });

test('of several runs the least minimum counts, wherever a sample stands', () => {
  const run = (min: number): object => ({ bytes: 7, parse: took(min, 2), settled: { check: took(min + 1, min) } });
  expect(joinRuns([run(3), run(1), run(2)])).toEqual({
    bytes: 7,
    parse: { min: 1, median: 2, rounds: 15 },
    settled: { check: { min: 2, median: 2, rounds: 15 } },
  });
});
