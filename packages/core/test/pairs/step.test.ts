import { describe, expect, test } from 'vitest';
import { indexAt } from '../../src/model/index-at.ts';
import { Step, type Call } from '../../src/pairs/step.ts';
import { check, repair } from '../../src/index.ts';
import { assistant, call, result, user } from '../anthropic-wire.ts';

/** A step whose calls have these ids; the call at each index stands in message 1 at that part. */
function stepOf(ids: readonly (string | undefined)[]): Step {
  const step = new Step();
  ids.forEach((id, part) => step.add({ message: 1, part }, id, id));
  return step;
}

/** Where in its step a call with this id is found; -1 where none is. */
const found = (step: Step, id: string): number => step.find(id)?.order ?? -1;
const callAt = (step: Step, order: number): Call => {
  const call = step.all()[order];
  if (call === undefined) throw new Error(`no call ${String(order)}`);
  return call;
};

const distinct = (count: number): string[] => Array.from({ length: count }, (_, index) => `c${String(index)}`);

test('a list has no index outside its bounds', () => {
  expect([indexAt([7, 8], 0), indexAt([7, 8], 1), indexAt([7, 8], 2), indexAt([7], -1)]).toEqual([7, 8, -1, -1]);
});

// Sixteen calls are searched one by one, seventeen by an index: both must answer alike.
describe.each([3, 15, 16, 17, 18, 40])('in a step of %i calls', (count) => {
  const last = count - 1;

  test('every call is found by its id, and no other', () => {
    const step = stepOf(distinct(count));
    expect([found(step, 'c0'), found(step, `c${String(last)}`), found(step, `c${String(count)}`)]).toEqual([
      0,
      last,
      -1,
    ]);
    expect([step.count, step.open, step.anchor]).toEqual([count, count, 1]);
    expect(step.last).toMatchObject({ message: 1, part: last, order: last, isOpen: true, result: undefined });
  });

  test('an answered call is still found, with its answer', () => {
    const step = stepOf(distinct(count));
    step.answer(callAt(step, 1), { message: 2, part: 9 });
    expect(found(step, 'c1')).toBe(1);
    expect(callAt(step, 1).result).toEqual({ message: 2, part: 9 });
    expect(step.open).toBe(last);
    expect(step.left()).toEqual(step.all().toSpliced(1, 1));
  });

  test('calls that share an id are found in order, the open ones first, then the last', () => {
    const ids = distinct(count).with(1, 'same').with(last, 'same');
    const step = stepOf(ids);
    const orders = [found(step, 'same')];
    step.answer(callAt(step, 1), { message: 2, part: 0 });
    orders.push(found(step, 'same'));
    step.answer(callAt(step, last), { message: 2, part: 1 });
    orders.push(found(step, 'same'), found(step, 'same'));
    expect(orders).toEqual([1, last, last, last]);
    expect([step.copies('same'), step.copies('c0'), step.copies('none')]).toEqual([2, 1, 0]);
  });

  test('calls without an id are counted and not found', () => {
    const step = stepOf([undefined, ...distinct(count - 2), undefined]);
    expect([step.count, found(step, 'c0'), found(step, 'undefined')]).toEqual([count, 1, -1]);
  });

  test('nothing of it is left when it is cleared', () => {
    const step = stepOf(distinct(count));
    step.clear();
    expect([step.count, step.open, step.anchor, found(step, 'c0'), step.copies('c0')]).toEqual([0, 0, -1, -1, 0]);
    step.add({ message: 5, part: 0 }, 'c1', 'c1');
    expect([found(step, 'c1'), step.copies('c1'), step.anchor]).toEqual([0, 1, 5]);
  });
});

describe.each([16, 17, 40])('a batch of %i calls', (count) => {
  const ids = distinct(count);
  const calls = assistant(ids.map((id) => call(id)));

  test('is clean when all are answered in any order', () => {
    const answers = user(ids.toReversed().map((id) => result(id)));
    expect(check([user('go'), calls, answers], 'anthropic-messages').verdict).toBe('clean');
  });

  test('names the one call that is not answered', () => {
    const answers = user(ids.filter((id) => id !== 'c7').map((id) => result(id)));
    const { findings } = check([user('go'), calls, answers], 'anthropic-messages');
    expect(findings.map(({ rule, at }) => [rule, at.pointer])).toEqual([['call-without-result', '/1/content/7']]);
  });

  test('tells repeated ids apart, with their results', () => {
    const twice = ids.map((id) => (id === 'c5' ? 'c2' : id));
    const input = [
      user('go'),
      assistant(twice.map((id) => call(id))),
      user(twice.map((id, index) => result(id, `out ${String(index)}`))),
    ];
    const renamed = ids.map((id) => (id === 'c5' ? 'c2_2' : id));
    expect(repair(input, 'anthropic-messages').output).toEqual([
      user('go'),
      assistant(renamed.map((id) => call(id))),
      user(renamed.map((id, index) => result(id, `out ${String(index)}`))),
    ]);
  });
});
