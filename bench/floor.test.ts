import { describe, expect, test } from 'vitest';
import { countFaults } from './faults.ts';
import { minimalRepair, pairingCheck } from './floor.ts';
import { defectKinds, generateHistory, type BenchDialect, type HistoryRecipe } from './histories.ts';

const dialects: readonly BenchDialect[] = ['anthropic-messages', 'openai-chat'];
const recipe = (dialect: BenchDialect, changes: Partial<HistoryRecipe> = {}): HistoryRecipe => ({
  dialect,
  results: 'light',
  messages: 3_000,
  seed: 7,
  broken: 0.5,
  ...changes,
});

describe.each(dialects)('the floors for %s', (dialect) => {
  test('every kind of defect is planted, and both checks see at least one fault for each', () => {
    const { messages, planted } = generateHistory(recipe(dialect));
    const total = defectKinds.reduce((sum, kind) => sum + planted[kind], 0);
    expect(Math.min(...Object.values(planted))).toBeGreaterThan(0);
    expect(countFaults(messages, dialect)).toBeGreaterThanOrEqual(total);
    expect(pairingCheck(messages, dialect)).toBeGreaterThanOrEqual(total);
  });

  test('the minimal repair leaves no fault, changes no input and is done after one run', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { messages } = generateHistory(recipe(dialect, { seed, messages: 500, broken: 1 }));
      const before = JSON.stringify(messages);
      const repaired = minimalRepair(messages, dialect);
      expect(countFaults(repaired, dialect)).toBe(0);
      expect(pairingCheck(repaired, dialect)).toBe(0);
      expect(minimalRepair(repaired, dialect)).toBe(repaired);
      expect(JSON.stringify(messages)).toBe(before);
    }
  });

  test('a clean history has no fault and comes back as the same array', () => {
    const { messages } = generateHistory(recipe(dialect, { broken: 0 }));
    expect(countFaults(messages, dialect)).toBe(0);
    expect(pairingCheck(messages, dialect)).toBe(0);
    expect(minimalRepair(messages, dialect)).toBe(messages);
  });

  test('the same recipe gives the same bytes', () => {
    const [first, second] = [generateHistory(recipe(dialect)), generateHistory(recipe(dialect))];
    expect(JSON.stringify(first.messages)).toBe(JSON.stringify(second.messages));
  });
});
