import { describe, expect, test } from 'vitest';
import { ACKNOWLEDGED } from '../../src/compaction/summary-message.ts';
import { READ_AGAIN } from '../../src/compaction/prune-results.ts';
import {
  compact,
  estimateTokens,
  filterCompacted,
  isSummaryMessage,
  readSummaryMessage,
  type CompactOptions,
} from '../../src/index.ts';
import { prepareHistory } from '../../src/resume/index.ts';
import { assistant, result, text, user } from '../anthropic-wire.ts';
import { compacted, read, sound, steps, turn, turns, words } from '../compacted.ts';

describe('what is short enough', () => {
  test('is the same reference, and no step was needed', async () => {
    const list = turns(3);
    const made = await compacted(list, { budgetTokens: 40_000 });
    expect([made.history === list, made.changed, made.checkpoint, made.dropped]).toEqual([true, false, undefined, []]);
    expect(steps(made).map(([, outcome]) => outcome)).toEqual(Array(5).fill('not-needed'));
    expect([made.report.met, made.report.tokens]).toEqual([true, estimateTokens(list)]);
  });

  test('a budget that is reached exactly is enough', async () => {
    const list = turns(3);
    expect((await compacted(list, { budgetTokens: estimateTokens(list) })).changed).toBe(false);
    expect((await compacted(list, { budgetTokens: estimateTokens(list) - 1 })).changed).toBe(true);
  });

  test.each([
    ['an empty list', [], true],
    ['nothing', undefined, false],
    ['a text', 'hello', false],
  ])('%s comes back as it is', async (_, input, met) => {
    const made = await compact<unknown>(input, { budgetTokens: 10 });
    expect([made.history, made.changed, made.report.met, made.report.why === undefined]).toEqual([
      input,
      false,
      met,
      met,
    ]);
  });
});

describe('the ladder', () => {
  test('clamps giant results of earlier turns first, and stops there if that is enough', async () => {
    const list = [...turn(0, 1, 3000), ...turns(2)];
    const made = await compacted(list, { budgetTokens: 4000 });
    expect(steps(made)).toEqual([
      ['clamp', 'done'],
      ['repeated-reads', 'not-needed'],
      ['prune', 'not-needed'],
      ['summary', 'not-needed'],
      ['rule-summary', 'not-needed'],
    ]);
    expect([made.report.met, made.dropped, made.history.length]).toEqual([true, [], list.length]);
    expect(made.report.gone).toEqual([expect.objectContaining({ from: 2, to: 3, what: 'clamped' })]);
    const clamped = JSON.stringify(made.history[2]);
    expect(clamped).toContain('characters left out');
    expect(clamped.length).toBeLessThan(4000);
    expect(made.history.filter((message, index) => message !== list[index])).toHaveLength(1);
    sound(made.history);
  });

  test('empties a read that was made again later, and keeps the newest', async () => {
    const reading = (id: string, path: string, out: string): object[] => [
      user(`Read ${path}.`),
      assistant([read(id, path)]),
      user([result(id, out)]),
      assistant('Read.'),
    ];
    const list = [
      ...reading('a', 'x.ts', words(200)),
      ...reading('b', 'y.ts', words(30)),
      ...reading('c', 'x.ts', words(201)),
    ];
    const budgetTokens = estimateTokens(list) - 100;
    const made = await compacted(list, { budgetTokens, clampTokens: 1e6 });
    expect(steps(made).slice(0, 2)).toEqual([
      ['clamp', 'refused'],
      ['repeated-reads', 'done'],
    ]);
    expect(made.history[2]).toEqual(user([result('a', READ_AGAIN)]));
    expect(made.history.slice(3)).toEqual(list.slice(3));
    expect(made.report.gone).toEqual([expect.objectContaining({ from: 2, what: 'repeated' })]);
    const pinned = await compacted(list, { budgetTokens, clampTokens: 1e6, pins: [2], ladder: ['repeated-reads'] });
    expect(steps(pinned)).toEqual([['repeated-reads', 'refused']]);
  });

  test.each([
    ['a tool that changes files', { name: 'edit_file', input: { path: 'x.ts' } }],
    ['a tool that names no file', { name: 'now', input: {} }],
  ])('does not take %s for a read', async (_, what) => {
    const asking = (id: string): object[] => [
      user('Go.'),
      assistant([{ type: 'tool_use', id, ...what }]),
      user([result(id, words(100))]),
      assistant('Done.'),
    ];
    const list = [...asking('a'), ...asking('b')];
    const made = await compacted(list, { budgetTokens: 600, ladder: ['repeated-reads'] });
    expect([steps(made), made.report.met]).toEqual([[['repeated-reads', 'refused']], false]);
  });

  test('leaves short repeated reads, and failed ones, as they are', async () => {
    const again = (id: string, part: object): object[] => [
      user('Read.'),
      assistant([read(id, 'x.ts')]),
      user([part]),
      assistant(words(20)),
    ];
    const failed = { ...result('b', words(50)), is_error: true };
    const list = [...again('a', result('a', 'short')), ...again('b', failed), ...again('c', result('c', 'short'))];
    const made = await compacted(list, { budgetTokens: 100, ladder: ['repeated-reads'] });
    expect(steps(made)).toEqual([['repeated-reads', 'refused']]);
  });

  test('prunes old results before it summarises', async () => {
    const list = turns(30);
    const prune = { protectTokens: 200, protectTurns: 2, minFreedTokens: 500 };
    const made = await compacted(list, { budgetTokens: 3000, prune });
    expect(steps(made).filter(([, outcome]) => outcome === 'done')).toEqual([['prune', 'done']]);
    expect([made.report.met, made.history.length]).toEqual([true, list.length]);
    expect(JSON.stringify(made.history[2])).toContain('[pruned: ');
    const exempt = await compacted(list, { budgetTokens: 3000, prune: { ...prune, exemptTools: ['read_file'] } });
    expect(steps(exempt)).toContainEqual(['prune', 'refused']);
    sound(made.history);
  });

  test('summarises in the end, and what is kept is the same objects', async () => {
    const list = turns(20);
    const made = await compacted(list, { budgetTokens: 1200, at: '2026-01-21T16:15:00Z' });
    expect(steps(made)).toContainEqual(['rule-summary', 'done']);
    const [summary, acknowledged, ...tail] = made.history;
    expect(readSummaryMessage(summary)).toEqual({
      content: expect.stringContaining('- Instruction 0.'),
      timestamp: '2026-01-21T16:15:00Z',
      sourceRange: { from: 0, to: list.length - tail.length },
    });
    expect(acknowledged).toEqual(assistant([text(ACKNOWLEDGED)]));
    expect(tail.every((message, index) => message === list[list.length - tail.length + index])).toBe(true);
    expect(tail[0]).toHaveProperty('content', expect.stringMatching(/^Instruction/));
    expect(made.dropped).toEqual(list.slice(0, list.length - tail.length));
    expect([made.report.met, made.report.tokensBefore]).toEqual([true, estimateTokens(list)]);
    sound(made.history);
    sound([...made.history, user('Next.')]);
  });

  test('does only what it is asked to do', async () => {
    const list = turns(20);
    const none = await compacted(list, { budgetTokens: 1200, ladder: [] });
    expect([none.history === list, none.report.met, none.report.steps]).toEqual([true, false, []]);
    expect(none.report.why).toBe('no further step may be taken: the ladder has no summary');
    const model = (): Promise<string> => Promise.resolve('## Goal\n- a');
    const ruled = await compacted(list, { budgetTokens: 1200, model, ladder: ['rule-summary'] });
    expect(steps(ruled)).toEqual([['rule-summary', 'done']]);
    const modelled = await compacted(list, { budgetTokens: 1200, model, ladder: ['summary'] });
    expect(modelled.checkpoint?.summary?.content).toBe('## Goal\n- a');
    const unasked = await compacted(list, { budgetTokens: 1200, ladder: ['summary'] });
    expect([unasked.changed, steps(unasked)]).toEqual([false, [['summary', 'refused']]]);
    expect(unasked.report.why).toBe('there is no model to ask, and no summary by rules on the ladder');
  });

  test.each<[string, CompactOptions]>([
    ['a budget', { budgetTokens: Number.NaN }],
    ['a counter', { budgetTokens: 1200, count: () => Number.NaN }],
  ])('does nothing where %s is no number, and says so', async (_, options) => {
    const list = turns(20);
    const made = await compacted(list, options);
    expect([made.history === list, made.report.met]).toEqual([true, false]);
    expect(made.report.why).toBe('the budget, or what the counter gave, is no number');
  });

  test('a history of many budgets is summarised straight away, and only what is kept is counted', async () => {
    const list = turns(400);
    let counted = 0;
    const count = (told: string): number => {
      counted += told.length;
      return Math.ceil(told.length / 4);
    };
    const made = await compacted(list, { budgetTokens: 1500, count });
    expect([made.report.met, made.report.tokensBefore]).toEqual([true, undefined]);
    expect(counted).toBeLessThan(JSON.stringify(list).length);
    expect(made.checkpoint?.summary?.content).toContain('- Instruction 0.');
    expect(made.report.steps[0]?.note).toContain('more than 8 times too long');
    sound(made.history);
    const failed = await compacted(list, { budgetTokens: 1500, model: () => Promise.reject(new Error('down')) });
    expect([failed.history === list, failed.report.tokens, failed.report.met]).toEqual([true, undefined, false]);
  });
});

describe('a summary by a model', () => {
  const list = turns(20);
  const model = (): Promise<string> =>
    Promise.resolve(`## Goal\n- a\n## Files read\n${'- some/file.ts\n'.repeat(150)}`);

  test('is shortened where it is longer than there is room for', async () => {
    const made = await compacted(list, { budgetTokens: 1200, model, ladder: ['summary'] });
    expect(made.report.met).toBe(true);
    expect(made.report.steps[0]?.note).toContain('it was shortened to fit the budget');
  });

  test('after a success forgets the failures before', async () => {
    const made = await compacted(list, { budgetTokens: 1200, model, breaker: { failures: 2 } });
    expect(made.breaker).toEqual({ failures: 0 });
  });
});

describe('one compaction after another', () => {
  test('merges the summary before it, and never nests one in another', async () => {
    let list: readonly unknown[] = turns(10);
    for (let n = 0; n < 5; n += 1) {
      const made = await compacted([...list, ...turn(100 + n), ...turn(200 + n)], { budgetTokens: 1000 });
      expect([made.report.met, made.history.filter((message) => isSummaryMessage(message)).length]).toEqual([true, 1]);
      sound(made.history);
      list = made.history;
    }
    const told = readSummaryMessage(list[0])?.content ?? '';
    expect(told).toContain('Instruction 0.');
    expect(told).not.toMatch(/Understood|Summary of the earlier/);
  });

  test('drops what an earlier summary in the middle already stands for', async () => {
    const first = await compact(turns(10), { budgetTokens: 600 });
    const whole = [...turns(10), ...first.history.slice(0, 2), ...turns(10)];
    const made = await compacted(whole, { budgetTokens: 800 });
    expect(filterCompacted(made.history)).toBe(made.history);
    expect(made.history.filter((message) => isSummaryMessage(message))).toHaveLength(1);
    sound(made.history);
  });

  test('what was compacted is as it was for the functions that prepare a history', async () => {
    const { history: output } = await compact([...turns(20), user('Next.')], { budgetTokens: 900 });
    expect(prepareHistory(output)).toBe(output);
  });
});
