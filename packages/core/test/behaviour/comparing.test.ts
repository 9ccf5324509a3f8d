import { describe, expect, test } from 'vitest';
import { compareAnswers } from './comparing.ts';
import { lineDiff } from './line-diff.ts';
import { tallyDifferences } from './torture.ts';

const finding = (rule: string, pointer: string, explain: string): object => ({ rule, at: { pointer }, explain });

describe('two answers', () => {
  const twice = [finding('a', '/0', 'one'), finding('b', '/1', 'x'), finding('a', '/0', 'two')];
  const cases: readonly (readonly [claim: string, before: object, after: object, difference: string | undefined])[] = [
    ['are equal', { made: [1], told: twice }, { made: [1], told: twice }, undefined],
    ['may miss what is undefined', { made: { a: undefined } }, { made: {} }, undefined],
    ['may have equal findings in another order', { told: twice }, { told: twice.toReversed() }, undefined],
    [
      'differ in the order of other findings',
      { told: twice.slice(0, 2) },
      { told: twice.slice(0, 2).reverse() },
      'real',
    ],
    ['differ in a place', { told: [finding('a', '/0', 'x')] }, { told: [finding('a', '/1', 'x')] }, 'real'],
    ['differ in words', { told: [finding('a', '/0', 'x')] }, { told: [finding('a', '/0', 'y')] }, 'words'],
    ['differ in the order of keys that are sent', { made: { a: 1, b: 2 } }, { made: { b: 2, a: 1 } }, 'real'],
    ['may tell in another order of keys', { told: { a: 1, b: 2 } }, { told: { b: 2, a: 1 } }, undefined],
    ['differ in a sentence that is sent', { made: { note: 'x' } }, { made: { note: 'y' } }, 'real'],
  ];

  test.each(cases)('%s', (...row) => {
    const [, before, after, difference] = row;
    expect(compareAnswers(before, after)).toBe(difference);
  });
});

test('a line diff shows what changed and a little around it', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f'].join('\n');
  expect(lineDiff(before, before.replace('e', 'E')).split('\n')).toEqual(['  …', '  c', '  d', '- e', '+ E', '  f']);
});

test('a tally is held to the counts on record, and to nothing being lost', () => {
  const recorded = { flips: { flipped: 20 }, kills: { more: 'any', known: 'some', others: 0 } };
  const line = '0 acknowledged lost, 0 altered, 0 silent, 0 errors of another kind';
  const output = `flips: flipped 20 (0.0 s)\nkills: more 0 · known 3 · others 0 (7.4 s)\n${line}`;
  expect(tallyDifferences(output, recorded)).toEqual([]);
  expect(tallyDifferences(output.replace('others 0', 'others 1'), recorded)).toEqual(['kills: others was 0 and is 1']);
  expect(tallyDifferences(output.replace(' · known 3', ''), recorded)).toHaveLength(1);
  expect(tallyDifferences(output.replace(line, '1 steps found a violation'), recorded)).toHaveLength(1);
});
