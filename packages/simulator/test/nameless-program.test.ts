import { expect, test } from 'vitest';
import { judge } from '../src/index.ts';

test('the output of a program belongs to no program that has no name either', () => {
  const program = (more: object): object => ({ type: 'program', fingerprint: 'f', ...more });
  const judged = (named: object): unknown[] =>
    judge('openai-agents', [program(named), { type: 'program_output', ...named }]).map(({ row, text }) => [row, text]);
  expect(judged({ call_id: 'p1' })).toEqual([]);
  for (const nameless of [{}, { call_id: null }]) {
    expect(judged(nameless)).toEqual([
      ['or-output-orphan', expect.stringMatching(/^No tool call found for program output with call_id /)],
    ]);
  }
});
