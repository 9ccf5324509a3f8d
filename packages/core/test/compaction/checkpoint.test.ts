import { describe, expect, test } from 'vitest';
import { makeCheckpoint, restoreList } from '../../src/compaction/checkpoint.ts';
import { compact, decode, undo } from '../../src/index.ts';
import { assistant, user } from '../anthropic-wire.ts';
import { compacted, turn, turns, words } from '../compacted.ts';

const named = (name: string): object => ({ role: 'user', content: name });
const [a, b, c] = [named('a'), named('b'), named('c')];
const x = named('x');

const note = (source: readonly object[], output: readonly object[]): ReturnType<typeof makeCheckpoint> =>
  makeCheckpoint({ dialect: 'd', done: [], at: undefined, summary: undefined, source, output, around: undefined });

test.each<readonly [string, readonly object[], readonly object[]]>([
  ['everything is kept', [a, b, c], [a, b, c]],
  ['nothing is kept', [a, b], [c]],
  ['nothing is left', [a, b], []],
  ['a message stands twice', [a, b, a, c], [x, a, b, a]],
  ['two have changed places', [a, b, c], [b, a]],
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

test('a checkpoint tells the same object in several places apart by their order', () => {
  const checkpoint = note([a, b, a, c], [a, b, c, c]);
  expect(checkpoint.kept).toEqual([
    [0, 0, 2],
    [3, 3, 1],
  ]);
  expect([checkpoint.originals, checkpoint.made]).toEqual([[[2, [a]]], [[2, [c]]]]);
  expect(restoreList(checkpoint, [a, b, c, c])).toEqual([a, b, a, c]);
});

describe('undo', () => {
  test('gives back the original with everything that was said since', async () => {
    const list = turns(20);
    const { checkpoint, history: output } = await compact(list, { budgetTokens: 1200 });
    const more = [user('And then?'), assistant('Then nothing.')];
    expect(checkpoint && undo(checkpoint, [...output, ...more])).toEqual([...list, ...more]);
  });

  test('works on a history and on a request', async () => {
    const contents = Array.from({ length: 40 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'model',
      parts: [{ text: `${n} ${words(9)}` }],
    }));
    expect((await compacted(decode(contents), { budgetTokens: 600 })).checkpoint?.around).toBeUndefined();
    const history = decode(turns(20));
    const made = await compacted(history, { budgetTokens: 1200 });
    expect(made.history?.messages.length).toBeLessThan(40);
    const body = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [...turns(20), user('Next.')] };
    const request = await compacted(body, { budgetTokens: 1200 });
    expect(Object.keys(request.history)).toEqual(Object.keys(body));
    expect(request.checkpoint?.around).toBeUndefined();
  });

  test('works where a message that was changed has keys that JSON does not carry', async () => {
    const list = [...turn(0, 1, 3000), ...turns(2)].map((message) => ({ ...message, name: undefined }));
    const made = await compacted(list, { budgetTokens: 4000 });
    expect([made.report.gone.length, Object.keys(made.history[2] ?? {})]).toEqual([1, ['role', 'content', 'name']]);
  });

  test('tells the same message in two places apart', async () => {
    const same = user('Go on.');
    const list = [...turns(6), same, assistant(words(60)), same, assistant('Yes.'), same];
    const made = await compacted(list, { budgetTokens: 300 });
    expect(made.report.met).toBe(true);
  });

  test.each([
    ['shorter', (list: readonly unknown[]): unknown => list.slice(0, 2)],
    ['another', (list: readonly unknown[]): unknown => [user('mine'), ...list.slice(1)]],
    ['no list', (): unknown => 'hello'],
  ])('refuses a list that is %s', async (_, change) => {
    const { checkpoint, history: output } = await compact(turns(20), { budgetTokens: 1200 });
    expect(() => checkpoint && undo(checkpoint, change(output))).toThrow('cannot be undone here');
  });
});
