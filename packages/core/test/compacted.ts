import { expect } from 'vitest';
import { check, compact, undo, type Compacted, type CompactOptions } from '../src/index.ts';
import { judge } from '../../simulator/src/judges/judge.ts';
import { assistant, result, user } from './anthropic-wire.ts';

/** So many lines of text. */
export const words = (count: number): string => 'a few words of it\n'.repeat(count);
/** A call that reads a file. */
export const read = (id: string, path: string): object => ({
  type: 'tool_use',
  id,
  name: 'read_file',
  input: { path },
});

/** One turn with some steps, each with an output of some lines. */
export const turn = (n: number, steps = 1, lines = 20): object[] => [
  user(`Instruction ${n}.`),
  ...Array.from({ length: steps }, (_, step) => {
    const id = `toolu_${n}_${step}`;
    return [assistant([read(id, `${n}/${step}.ts`)]), user([result(id, words(lines))])];
  }).flat(),
  assistant(`Turn ${n} is done.`),
];
export const turns = (count: number): object[] => Array.from({ length: count }, (_, n) => turn(n)).flat();

/** What became of each step. */
export const steps = ({ report }: Compacted<unknown>): (readonly [string, string])[] =>
  report.steps.map(({ step, outcome }) => [step, outcome] as const);

/** Holds a list to our contract and to the judge. */
export const sound = (list: unknown): void => {
  expect([check(list).verdict, judge('anthropic-messages', list)]).toEqual(['clean', []]);
};

/** Compacts, and holds what came of it to what always holds. */
export async function compacted<T>(input: T, options: CompactOptions): Promise<Compacted<T>> {
  const before = JSON.stringify(input);
  const made = await compact(input, options);
  expect(JSON.stringify(input)).toBe(before);
  if (made.checkpoint !== undefined) {
    const stored = JSON.parse(JSON.stringify(made.checkpoint)) as typeof made.checkpoint;
    expect(JSON.stringify(undo(stored, made.history, options.target))).toBe(before);
  }
  return made;
}
