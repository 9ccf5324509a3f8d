import { expect, test } from 'vitest';
import { makeCheckpoint, restoreList } from '../src/compaction/checkpoint.ts';

const named = (name: string): object => ({ role: 'user', content: name });
const [a, b, c] = [named('a'), named('b'), named('c')];
const x = named('x');
const made = Array.from({ length: 10 }, (_, n) => named(`made ${n}`));
const olds = Array.from({ length: 10 }, (_, n) => named(`old ${n}`));

const note = (source: readonly object[], output: readonly object[]): ReturnType<typeof makeCheckpoint> =>
  makeCheckpoint({ dialect: 'd', done: [], at: undefined, summary: undefined, source, output, around: undefined });

test.each<readonly [string, readonly object[], readonly object[]]>([
  ['everything is kept', [a, b, c], [a, b, c]],
  ['nothing is kept', [a, b], [c]],
  ['nothing is left', [a, b], []],
  ['a message stands twice', [a, b, a, c], [x, a, b, a]],
  ['a message stands twice among many that were made', [a, ...olds, a, c], [a, ...made, a, named('end')]],
  ['two of many have changed places', [a, b, ...olds], [b, a, ...made]],
  ['two of few have changed places', [a, b, c], [b, a]],
])('a list comes back where %s', (_, source, output) => {
  const checkpoint = note(source, output);
  const since = named('since');
  expect(restoreList(checkpoint, [...output, since])).toEqual([...source, since]);
  const kept = checkpoint.kept.flatMap(([to, from, count]) => {
    return Array.from({ length: count }, (__, n) => [output[to + n], source[from + n]] as const);
  });
  for (const [now, then] of kept) expect(now).toBe(then);
});

test('what is kept at the end is noted as one run', () => {
  expect(note([a, b, c], [x, b, c]).kept).toEqual([[1, 1, 2]]);
});
