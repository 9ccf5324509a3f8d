import { describe, expect, test } from 'vitest';
import { CODECS } from '../../src/dialects/dialects.ts';
import { PROFILES } from '../../src/dialects/profiles.ts';
import { dropRepeatedReads, READ_AGAIN } from '../../src/compaction/prune-results.ts';
import { openInput } from '../../src/open-input.ts';
import { compact, generateSummary, isSummaryMessage, shouldCompact, SummaryError } from '../../src/index.ts';
import { textPart } from '../../src/model/part.ts';
import { stepContext } from '../../src/compaction/step.ts';
import { assistant, result, text, user } from '../anthropic-wire.ts';
import { compacted, read, steps, turn, turns, words } from '../compacted.ts';
import { dialects } from '../fuzz/histories.ts';
import { hostileValues } from '../fuzz/hostile-values.ts';

describe('a summary that is not worth it', () => {
  test('is refused where it would not be shorter than what it stands for', async () => {
    const list = [user('Hi.'), assistant('Hi.'), user(words(100)), assistant('Yes.')];
    const made = await compacted(list, { budgetTokens: 300 });
    expect([made.changed, made.report.met]).toEqual([false, false]);
    expect(made.report.steps.at(-1)).toMatchObject({ step: 'rule-summary', outcome: 'refused' });
    expect(made.report.why).toContain('not shorter');
  });

  test('undoes the steps before it where a model fails', async () => {
    const list = [...turn(0, 1, 3000), ...turns(20)];
    const made = await compacted(list, { budgetTokens: 1500, model: () => Promise.reject(new Error('down')) });
    expect([made.history === list, made.report.gone, made.breaker]).toEqual([true, [], { failures: 1 }]);
    expect(steps(made)).toContainEqual(['clamp', 'undone']);
    expect(made.report.steps.at(-1)).toMatchObject({ step: 'summary', outcome: 'failed', calls: 1 });
  });

  test('changes nothing where there is nothing to tell, and that is no failure of the model', async () => {
    const silent = { type: 'thinking', thinking: words(100), signature: 's' };
    const list = [assistant([silent, text('.')]), ...turn(1)].slice(1);
    const blank = [
      user([{ type: 'hologram' }]),
      assistant([{ type: 'redacted_thinking', data: 'x'.repeat(9000) }]),
      ...list,
    ];
    let calls = 0;
    const model = (): Promise<string> => Promise.resolve(String((calls += 1)));
    const made = await compact(blank, { budgetTokens: 700, model, ladder: ['summary'] });
    expect(made.breaker.failures + calls).toBeLessThanOrEqual(1);
  });

  test('lets a bug through', async () => {
    const count = (told: string): number => {
      if (told.includes('## Goal')) throw new RangeError('a bug');
      return told.length;
    };
    await expect(compact(turns(3), { budgetTokens: 700, count })).rejects.toThrow('a bug');
  });
});

describe('what throws when it is read', () => {
  test.each(dialects)('%s: makes nothing else throw', async (target) => {
    const said = CODECS[target].write({ role: 'user', parts: [textPart(words(20), 0)], at: -1 });
    for (const value of hostileValues) {
      for (const input of [value.make(), [said, value.make(), said]]) {
        await expect(compact(input, { budgetTokens: 20, target })).resolves.toHaveProperty('breaker');
        await expect(compact(input, { budgetTokens: 20 })).resolves.toHaveProperty('report');
        expect(typeof shouldCompact(input, { target, trigger: { tokens: 5 } })).toBe('boolean');
        const failure = await generateSummary(input, { target }).catch((error: unknown) => error);
        if (failure instanceof Error) expect(failure).toBeInstanceOf(SummaryError);
      }
      expect(isSummaryMessage(value.make())).toBe(false);
    }
  });

  test("a counter that throws is the caller's to know", async () => {
    const count = (): never => {
      throw new RangeError('no count');
    };
    await expect(compact(turns(1), { budgetTokens: 1, count })).rejects.toThrow('no count');
    await expect(generateSummary(turns(1), { count })).rejects.toThrow('no count');
    expect(() => shouldCompact(turns(1), { count })).toThrow('no count');
  });
});

describe('what has no place to be divided', () => {
  test('an empty list with no budget at all', async () => {
    const made = await compact([], { budgetTokens: -1, target: 'anthropic-messages' });
    expect([made.history, made.changed, made.report.met]).toEqual([[], false, false]);
  });

  test('nothing but the words of the system', async () => {
    const list = Array.from({ length: 4 }, () => ({ role: 'system', content: words(50) }));
    const made = await compacted(list, { budgetTokens: 300, target: 'openai-chat' });
    expect([made.changed, made.report.why]).toEqual([false, 'there is nothing that a summary could stand for']);
  });

  test('nothing that a person said', async () => {
    const list = Array.from({ length: 9 }, () => ({ role: 'assistant', content: words(50) }));
    const made = await compacted(list, { budgetTokens: 300, target: 'openai-chat' });
    expect([made.changed, made.report.met]).toEqual([false, false]);
  });

  test('a list that begins with an answer', async () => {
    const list = [assistant('Where were we?'), ...turns(20)];
    const made = await compacted(list, { budgetTokens: 900, target: { model: 'claude-opus-4-8' } });
    expect([made.report.met, isSummaryMessage(made.history[0])]).toEqual([true, true]);
  });
});

describe('results of a form of their own', () => {
  const shot = { type: 'computer_screenshot', image_url: words(900) };
  const looking = (id: string): object[] => [
    { role: 'user', content: 'Look.' },
    { type: 'computer_call', call_id: id, action: { type: 'screenshot', path: 'a.png' } },
    { type: 'computer_call_output', call_id: id, output: shot },
  ];
  const list = [...looking('a'), ...looking('b'), { role: 'user', content: 'Go on.' }];

  test('are not clamped', async () => {
    const made = await compacted(list, { budgetTokens: 900, ladder: ['clamp', 'repeated-reads'] });
    expect([made.history === list, made.report.met]).toEqual([true, false]);
  });

  test('are not emptied although they were read again', () => {
    const searching = (id: string): object[] => [
      { type: 'tool_search_call', call_id: id, execution: 'client', arguments: { path: 'a' } },
      { type: 'tool_search_output', call_id: id, execution: 'client', tools: [{ name: words(90) }] },
    ];
    const found = [...searching('a'), ...searching('b')];
    const held = openInput(found, 'openai-responses');
    const shortened = held && dropRepeatedReads(found, () => false, stepContext(held));
    expect(shortened).toEqual({ list: found, gone: [] });
  });
});

describe('repeated reads', () => {
  const batch = [
    user('Read.'),
    assistant([read('a', 'x.ts'), read('b', 'y.ts'), read('c', 'z.ts')]),
    user([result('a', words(50)), result('b', words(50)), result('c', words(50))]),
    assistant([read('d', 'x.ts'), read('e', 'z.ts'), { ...read('a', 'x.ts'), name: 'write_file' }]),
    user([result('d', words(50)), result('e', words(50)), result('a', words(50))]),
  ];
  const context = stepContext({
    codec: CODECS['anthropic-messages'],
    profile: PROFILES['anthropic-messages'](undefined),
  });

  test('of a batch are emptied one by one', () => {
    const { list, gone } = dropRepeatedReads(batch, () => false, context);
    expect(list[2]).toEqual(user([result('a', READ_AGAIN), result('b', words(50)), result('c', READ_AGAIN)]));
    expect(gone.map(({ from }) => from)).toEqual([2]);
    expect(list[4]).toBe(batch[4]);
  });

  test('stay where that would free nothing', () => {
    const heavy = { ...context, tokens: { of: () => 7, upTo: () => 7 } };
    expect(dropRepeatedReads(batch, () => false, heavy)).toEqual({ list: batch, gone: [] });
  });
});
