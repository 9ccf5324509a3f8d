import { check, repair } from '@rethread/core';
import { judge } from '@rethread/simulator';
import { describe, expect, test } from 'vitest';
import { measureAgent } from './agent-suite.ts';
import { measureCompaction } from './compact-suite.ts';
import { generateHistory, inMemoryDialects, wireDialects } from './histories.ts';
import { measureSimulator } from './simulator-suite.ts';
import { formatTable } from './table.ts';
import { toRow } from './targets.ts';

const recipe = { messages: 1_000, seed: 7, results: 'light' } as const;

test.each(wireDialects)('a broken history of %s is refused by both judges until it is repaired', (dialect) => {
  const history = generateHistory({ ...recipe, dialect, broken: 0.5 });
  expect(judge(dialect, history).length).toBeGreaterThan(10);
  expect(check(history, dialect).findings.length).toBeGreaterThan(10);
  expect(judge(dialect, repair(history, dialect).output)).toEqual([]);
});

test.each([...wireDialects, ...inMemoryDialects])('a clean history of %s is accepted by both judges', (dialect) => {
  const history = generateHistory({ ...recipe, dialect, broken: 0 });
  expect(judge(dialect, history)).toEqual([]);
  expect(check(history, dialect).verdict).not.toBe('broken');
});

describe('a quick run prints its rows', () => {
  test.each([
    ['agent', measureAgent, 3],
    ['simulator', measureSimulator, 4],
    ['compact', measureCompaction, 17],
  ] as const)('of the suite %s', { timeout: 300_000 }, async (_, measure, count) => {
    const rows = (await measure({ seed: 1, quick: true, progress: () => undefined })).map(toRow);
    expect(rows.filter(({ ours, ratio = 1 }) => Number.isFinite(ours) && Number.isFinite(ratio))).toHaveLength(count);
    expect(formatTable(rows).split('\n')).toHaveLength(count + 2);
  });
});
