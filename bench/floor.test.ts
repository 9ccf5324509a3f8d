import { check, decode, encode, repair, verify } from '@rethread/core';
import { describe, expect, test } from 'vitest';
import { inMemoryDialects, wireDialects, type BenchDialect } from './dialects.ts';
import { countFaults } from './faults.ts';
import { minimalRepair, pairingCheck } from './floor.ts';
import { defectsOf, generateHistory, generateInMemory, type HistoryRecipe } from './histories.ts';

const recipe = (dialect: BenchDialect, changes: Partial<HistoryRecipe> = {}): HistoryRecipe => ({
  dialect,
  results: 'light',
  messages: 3_000,
  seed: 7,
  broken: 0.5,
  ...changes,
});

describe.each(wireDialects)('the floors for %s', (dialect) => {
  test('every kind of defect is planted, and both checks see at least one fault for each', () => {
    const { messages, planted } = generateHistory(recipe(dialect));
    const total = defectsOf(dialect).reduce((sum, kind) => sum + planted[kind], 0);
    expect(Math.min(...defectsOf(dialect).map((kind) => planted[kind]))).toBeGreaterThan(0);
    expect(Object.values(planted).reduce((sum, count) => sum + count, 0)).toBe(total);
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

describe.each(wireDialects)('the engine on generated histories of %s', (dialect) => {
  test.each([1, 2, 3])('a broken one has at least as many findings as planted defects, seed %i', (seed) => {
    const { messages, planted } = generateHistory(recipe(dialect, { seed, messages: 1_000 }));
    const total = Object.values(planted).reduce((sum, count) => sum + count, 0);
    const { verdict, findings } = check(messages, dialect);
    expect(verdict).toBe('broken');
    expect(findings.length).toBeGreaterThanOrEqual(total);
    expect(countFaults(repair(messages, dialect).output, dialect)).toBe(0);
  });

  test('each kind of defect alone is found, and the minimal repair of it is clean', () => {
    const unseen = new Set(defectsOf(dialect));
    for (let seed = 1; unseen.size > 0 && seed <= 500; seed += 1) {
      const { messages, planted } = generateHistory(recipe(dialect, { seed, messages: 40, broken: 0.3 }));
      const kinds = defectsOf(dialect).filter((kind) => planted[kind] > 0);
      if (kinds.length !== 1) continue;
      expect(check(messages, dialect).verdict, `${kinds.join()} of seed ${seed}`).toBe('broken');
      expect(check(minimalRepair(messages, dialect), dialect).findings).toEqual([]);
      kinds.forEach((kind) => unseen.delete(kind));
    }
    expect([...unseen]).toEqual([]);
  });

  test('a clean one is clean and comes back as the same array', () => {
    const { messages } = generateHistory(recipe(dialect, { broken: 0 }));
    expect(check(messages, dialect).findings).toEqual([]);
    expect(repair(messages, dialect).output).toBe(messages);
  });
});

test.each(inMemoryDialects)('a generated history of %s is clean, and is read and written without loss', (dialect) => {
  const messages = JSON.parse(JSON.stringify(generateInMemory({ dialect, messages: 300, seed: 3 }))) as unknown[];
  const verified = verify(messages, dialect);
  expect(verified.ok ? [] : verified.findings).toEqual([]);
  expect(verified.ok && encode(verified.sendable)).toBe(messages);
  const kinds = decode(messages, dialect)?.messages.flatMap(({ parts }) => parts.map(({ kind }) => kind)) ?? [];
  const countOf = (wanted: string): number => kinds.filter((kind) => kind === wanted).length;
  expect(countOf('call')).toBeGreaterThan(50);
  expect(countOf('result')).toBe(countOf('call'));
});
