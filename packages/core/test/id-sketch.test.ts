import { expect, test } from 'vitest';
import { check, repair } from '../src/index.ts';
import { FactLog } from '../src/engine/fact-log.ts';
import { IdSketch } from '../src/engine/id-sketch.ts';
import { ItemOrder } from '../src/engine/item-order.ts';
import { markOf, plainMark } from '../src/model/id-mark.ts';

const ids = Array.from({ length: 20_000 }, (_, n) => `msg_${n.toString(16).padStart(48, '0')}`);

const alikeAmong = (...list: string[]): number[] | undefined => {
  const sketch = new IdSketch();
  sketch.begin();
  list.forEach((id, index) => sketch.add(markOf(id), index));
  const alike = sketch.alike();
  return alike && [...alike].sort((a, b) => a - b);
};

const answers = (list: readonly (string | undefined)[]): object[] =>
  list.map((id) => ({ type: 'message', role: 'assistant', id, content: 'Hello' }));

test('an id that comes twice in the very first history of a process is noticed as it is in every later one', () => {
  const log = new FactLog({ ordered: [], wanted: new Map(), hears: () => false });
  const noticed = [true, false].map((cold) => {
    const order = new ItemOrder(log, { exact: false, chained: false, cold });
    ['msg_a', 'msg_b', 'msg_a', undefined, 'msg_a'].forEach((id, index) => {
      log.message = index;
      order.item(id, 'made');
    });
    return order.alike();
  });
  expect(noticed).toEqual([new Set([0, 2, 4]), new Set([0, 2, 4])]);
});

test('twenty thousand ids are told apart, and each is known when it comes again', () => {
  expect(alikeAmong(...ids)).toBeUndefined();
  expect(alikeAmong(...ids, ...ids)?.length).toBe(2 * ids.length);
});

test('every place of an id that comes again is told', () => {
  expect(alikeAmong('a', 'b', 'a', '', 'a', 'bc')).toEqual([0, 2, 4]);
  expect(alikeAmong(String(ids[1]), 'b', 'a', String(ids[1]))).toEqual([0, 3]);
});

test('ids of a conversation that differ in the middle alone are told apart', () => {
  const conversation = Array.from({ length: 500 }, (_, n) => {
    const mark = (Math.imul(n + 1, 2654435761) >>> 0).toString(16).padStart(8, '0');
    return `msg_67ccd2bf17f08190${mark}${mark}0bb6a6b452d3795b`;
  });
  expect(new Set(conversation).size).toBe(500);
  expect(alikeAmong(...conversation)?.length ?? 0).toBeLessThan(10);
});

test('a new round knows nothing of the one before', () => {
  const sketch = new IdSketch();
  for (let round = 0; round < 3; round += 1) {
    sketch.begin();
    sketch.add(markOf('a'), 1);
    sketch.add(markOf('b'), 2);
    expect(sketch.alike()).toBeUndefined();
  }
});

/** Two ids with the same mark. */
function firstAlike(): string[] {
  const byMark = new Map<number, string>();
  for (let n = 0; ; n += 1) {
    const id = `msg_${Math.imul(n, 2654435761).toString(36)}${'0'.repeat(40)}`;
    const other = byMark.get(markOf(id));
    if (other !== undefined) return [other, id];
    byMark.set(markOf(id), id);
  }
}

test('a plain id has the same mark in a new process and a warm one, and every other id none', () => {
  const strange = ['', 'a b', 'abcd e', 'abcé', 'abcd\u{1F600}', 'abcde.', '.abcd'];
  const plain = ['a', 'ab-', 'a_c', 'abcd', 'abcde', 'abcdefg_-', ...ids.slice(0, 2_000)];
  for (let round = 0; round < 2; round += 1) {
    for (const id of strange) expect(plainMark(id)).toBe(0);
    for (const id of plain) expect([1, markOf(id)]).toContain(plainMark(id));
  }
  for (const id of plain) expect(plainMark(id)).toBe(markOf(id));
});

test('ids that only look alike are all accepted, because a walk that is exact decides, and it counts as none', () => {
  const alike = firstAlike();
  expect(alikeAmong(...alike)).toEqual([0, 1]);
  const history = answers(alike);
  expect(repair(history, 'openai-responses').output).toBe(history);
  expect(check(history, 'openai-responses').passes).toBe(1);
});

test('a long history keeps its ids, except for the one that comes twice', () => {
  const history = answers([...ids, ids[7]]);
  const { output, report } = repair(history, 'openai-responses');
  expect(output.slice(0, -1)).toEqual(history.slice(0, -1));
  expect(output.at(-1)).toEqual({ type: 'message', role: 'assistant', content: 'Hello' });
  expect(report.repairs.map(({ rule, at }) => [rule, at.message])).toEqual([['item-id-again', ids.length]]);
});
