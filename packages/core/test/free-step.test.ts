import { describe, expect, test } from 'vitest';
import { FreeStep } from '../src/engine/free-step.ts';

function stepOf(ids: readonly (string | undefined)[]): FreeStep {
  const step = new FreeStep();
  for (const id of ids) step.add(id);
  return step;
}

const distinct = (count: number): string[] => Array.from({ length: count }, (_, index) => `c${String(index)}`);

// Sixteen calls are searched one by one, seventeen by an index: both must answer alike.
describe.each([3, 15, 16, 17, 18, 40])('in a step of %i calls', (count) => {
  const last = `c${String(count - 1)}`;

  test('every call is known by its id, and no other', () => {
    const step = stepOf(distinct(count));
    expect([step.has('c0'), step.has(last), step.has('other')]).toEqual([true, true, false]);
    expect([step.count, step.open]).toEqual([count, count]);
  });

  test('every call is answered once, in order and against it', () => {
    for (const ids of [distinct(count), distinct(count).reverse()]) {
      const step = stepOf(distinct(count));
      expect(ids.map((id) => step.answer(id))).toEqual(ids.map(() => true));
      expect(ids.map((id) => step.answer(id))).toEqual(ids.map(() => false));
      expect([step.answer('other'), step.open]).toEqual([false, 0]);
    }
  });

  test('calls with one id are answered as often as there are calls', () => {
    const step = stepOf(['c0', undefined, ...distinct(count), 'c0']);
    expect([1, 2, 3, 4].map(() => step.answer('c0'))).toEqual([true, true, true, false]);
    expect(step.answer(last)).toBe(true);
    expect(step.open).toBe(count - 1);
  });

  test('the next step knows nothing of it', () => {
    const step = stepOf(distinct(count));
    step.answer(last);
    step.clear();
    expect([step.has('c0'), step.answer('c0'), step.count, step.open]).toEqual([false, false, 0, 0]);
    step.add('c0');
    expect([step.has('c0'), step.has('c1'), step.answer('c1'), step.answer('c0')]).toEqual([true, false, false, true]);
  });
});
