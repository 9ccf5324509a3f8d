import { expect, test } from 'vitest';
import { check, repair } from '../../src/index.ts';

const ids = Array.from({ length: 100 }, (_, n) => `msg_${n.toString(16).padStart(48, '0')}`);

const answers = (list: readonly (string | undefined)[]): object[] =>
  list.map((id) => ({ type: 'message', role: 'assistant', id, content: 'Hello' }));

test('a long history keeps its ids, except for the one that comes twice', () => {
  const history = answers([...ids, ids[7]]);
  const { output, report } = repair(history, 'openai-responses');
  expect(output.slice(0, -1)).toEqual(history.slice(0, -1));
  expect(output.at(-1)).toEqual({ type: 'message', role: 'assistant', content: 'Hello' });
  expect(report.repairs.map(({ rule, at }) => [rule, at.message])).toEqual([['item-id-again', ids.length]]);
});

test('ids are compared in one walk', () => {
  const history = answers(['msg_a', 'msg_b', 'msg_a', undefined, 'msg_a']);
  const { findings, passes } = check(history, 'openai-responses');
  expect(findings.map(({ rule, at }) => [rule, at.message])).toEqual([
    ['item-id-again', 2],
    ['item-id-again', 4],
  ]);
  expect(passes).toBe(1);
});
