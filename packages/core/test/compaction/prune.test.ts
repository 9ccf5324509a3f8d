import { describe, expect, test } from 'vitest';
import { pruneOldToolOutputs, RESULT_TEXTS } from '../../src/index.ts';
import { aiSdkModel, anthropic, chat } from '../words.ts';

const { user } = anthropic;

type Wire = object;

const LINES = 200;
const bulk = 'a line of some output\n'.repeat(LINES);
const picture = 'iVBORw0KGgo'.repeat(400);
/** Four characters a token, so that what is freed can be told beforehand. */
const count = (text: string): number => Math.ceil(text.length / 4);
const eager = { protectTokens: 0, protectTurns: 0, minFreedTokens: 0, count };

const ask = (content: string): Wire => ({ role: 'user', content });
const say = (content: string): Wire => ({ role: 'assistant', content });
const call = (id: string, name = 'read'): Wire => anthropic.say(anthropic.call(id, name));
const result = (id: string, content: unknown, more: Wire = {}): Wire =>
  user({ type: 'tool_result', tool_use_id: id, content, ...more });
/** A turn in which one tool gives a lot. */
const turn = (id: string, name = 'read'): Wire[] => [ask(`about ${id}`), call(id, name), result(id, bulk), say('done')];

const contentOf = (message: unknown): unknown =>
  ((message as { content: Wire[] }).content[0] as { content: unknown }).content;
const isPruned = (message: unknown): boolean => String(contentOf(message)).startsWith('[pruned: ');
const target = { dialect: 'anthropic-messages', model: 'claude-opus-4-8' } as const;

describe('what is pruned', () => {
  test('is replaced by a text that says what was there and how big it was', () => {
    const { output, changed, results, freedTokens, gone } = pruneOldToolOutputs(turn('t1'), { ...eager, target });
    expect(contentOf(output[2])).toBe('[pruned: the output of read was here, 4400 characters, 201 lines]');
    expect([changed, results, gone.length]).toEqual([true, 1, 1]);
    expect(gone[0]).toMatchObject({ from: 2, to: 3, what: 'pruned' });
    expect(freedTokens).toBeGreaterThan(900);
  });

  test('is not what stands for a result that may still come', () => {
    const list = [ask('read'), call('t1', 'r'), result('t1', RESULT_TEXTS['timed-out']), say('done'), ask('and now?')];
    expect(pruneOldToolOutputs(list, { ...eager, count: (text) => text.length, target }).output).toBe(list);
  });

  test('keeps every other message, key and flag', () => {
    const list = [
      ask('go'),
      call('t1'),
      result('t1', bulk, { is_error: true, cache_control: { type: 'ephemeral' } }),
      say('hm'),
    ];
    const { output } = pruneOldToolOutputs(list, { ...eager, target });
    expect([0, 1, 3].every((index) => output[index] === list[index])).toBe(true);
    const part = (output[2] as { content: Wire[] }).content[0];
    expect(part).toMatchObject({ tool_use_id: 't1', is_error: true, cache_control: { type: 'ephemeral' } });
  });

  test.each([
    ['a picture', { type: 'base64', media_type: 'image/png', data: picture }, 'image/png of 3 kB'],
    ['an address', { type: 'url', url: 'https://example.org/a.png' }, 'image]'],
  ])('%s is described', (_, source, described) => {
    const list = [
      ask('go'),
      call('t1'),
      result('t1', [
        { type: 'text', text: bulk },
        { type: 'image', source },
      ]),
    ];
    const { output } = pruneOldToolOutputs(list, { ...eager, target });
    expect(contentOf(output[2])).toMatch(/^\[pruned: the output of read was here, \d+ characters and /);
    expect(contentOf(output[2])).toContain(described);
    expect(contentOf(output[2])).not.toContain('iVBOR');
  });

  test('of many pictures only the first few are described one by one', () => {
    const source = { type: 'base64', media_type: 'image/png', data: picture };
    const list = [
      ask('go'),
      call('t1'),
      result(
        't1',
        Array.from({ length: 9 }, () => ({ type: 'image', source })),
      ),
    ];
    expect(contentOf(pruneOldToolOutputs(list, { ...eager, target }).output[2])).toMatch(/ of 3 kB, 4 more\]$/);
  });

  test('a tool without a name, and one with brackets in it, are told all the same', () => {
    const nameless = [ask('go'), call('t1', ''), result('t1', bulk)];
    const strange = [ask('go'), call('t1', 'a]\nb'), result('t1', bulk)];
    const told = (list: Wire[]): unknown => contentOf(pruneOldToolOutputs(list, { ...eager, target }).output[2]);
    expect(told(nameless)).toContain('the output of a tool was here');
    expect(told(strange)).toContain('the output of a b was here');
    expect(
      pruneOldToolOutputs(pruneOldToolOutputs(strange, { ...eager, target }).output, { ...eager, target }),
    ).toMatchObject({ changed: false });
  });

  test('one line is not told as several', () => {
    const list = [ask('go'), call('t1'), result('t1', 'x'.repeat(4400))];
    expect(contentOf(pruneOldToolOutputs(list, { ...eager, target }).output[2])).toContain('4400 characters, 1 line]');
  });

  test('a result without a call is named by itself, and one that nobody names is a tool’s', () => {
    const list = [chat.result('c1', bulk), { type: 'x', role: 'user', content: 'hi' }];
    const told = JSON.stringify(pruneOldToolOutputs(list, { ...eager, target: 'openai-chat' }).output);
    expect(told).toContain('the output of a tool was here');
    const named = [aiSdkModel.results(aiSdkModel.returned('c1', { type: 'text', value: bulk }, 'grep'))];
    expect(JSON.stringify(pruneOldToolOutputs(named, { ...eager, target: 'ai-sdk-model' }).output)).toContain(
      'of grep',
    );
  });
});

describe('what is left alone', () => {
  test('the newest 40 000 tokens, the newest two turns, and everything where less than 20 000 would be freed', () => {
    const huge = 'word '.repeat(20_000);
    const big = (id: string): Wire[] => [ask(id), call(id), result(id, huge), say('done')];
    const list = [...big('t1'), ...big('t2'), ...big('t3'), ...big('t4')];
    const { output } = pruneOldToolOutputs(list, { count, target });
    expect([2, 6, 10, 14].map((index) => isPruned(output[index]))).toEqual([true, true, false, false]);
    const small = [...turn('t1'), ...turn('t2'), ...turn('t3'), ...big('t4'), ...big('t5')];
    expect(pruneOldToolOutputs(small, { count, target }).output).toBe(small);
  });

  test('half of the budget, where that is less than 40 000 tokens', () => {
    const list = [...turn('t1'), ...turn('t2'), ...turn('t3'), ...turn('t4')];
    const options = { protectTurns: 0, minFreedTokens: 0, count, target };
    const { output } = pruneOldToolOutputs(list, { ...options, budgetTokens: 3000 });
    expect([2, 6, 10, 14].map((index) => isPruned(output[index]))).toEqual([true, true, false, false]);
    expect(pruneOldToolOutputs(list, options).changed).toBe(false);
  });

  test('so many turns of a person as are asked for, and all where there are no more', () => {
    const list = [...turn('t1'), ...turn('t2'), ...turn('t3')];
    const pruned = (protectTurns: number): boolean[] => {
      const { output } = pruneOldToolOutputs(list, { ...eager, protectTurns, target });
      return [2, 6, 10].map((index) => isPruned(output[index]));
    };
    expect([pruned(0), pruned(1), pruned(1.5), pruned(2), pruned(3), pruned(9)]).toEqual([
      [true, true, true],
      [true, true, false],
      [true, false, false],
      [true, false, false],
      [false, false, false],
      [false, false, false],
    ]);
  });

  test('pinned messages and tools that are exempt', () => {
    const list = [...turn('t1'), ...turn('t2', 'skill'), ...turn('t3')];
    const { output } = pruneOldToolOutputs(list, {
      ...eager,
      pins: [2, list[10] as object, {}],
      exemptTools: ['skill'],
      target,
    });
    expect(output).toBe(list);
    const one = pruneOldToolOutputs(list, { ...eager, pins: [2], exemptTools: new Set(['skill']), target });
    expect([2, 6, 10].map((index) => isPruned(one.output[index]))).toEqual([false, false, true]);
  });

  test('results that are shorter than what would stand there, and results of the provider’s own tools', () => {
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ type: 'x', text: bulk }] };
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    const list = [ask('go'), anthropic.say(search, found, anthropic.call('t1')), result('t1', 'short'), say('done')];
    expect(pruneOldToolOutputs(list, { ...eager, target }).output).toBe(list);
  });

  test('what is in no dialect', () => {
    const strange = [1, 2, 3];
    expect(pruneOldToolOutputs(strange)).toEqual({
      output: strange,
      changed: false,
      freedTokens: 0,
      results: 0,
      gone: [],
    });
  });

  test('a result that would weigh more afterwards stays', () => {
    const list = [user('hi'), chat.result('c1', bulk)];
    const odd = (text: string): number => (text === bulk ? 1 : 1000);
    expect(pruneOldToolOutputs(list, { ...eager, count: odd, target: 'openai-chat' }).output).toBe(list);
  });
});

describe('what was pruned stays pruned', () => {
  test('pruning twice is pruning once', () => {
    const list = [...turn('t1'), ...turn('t2'), ...turn('t3')];
    const once = pruneOldToolOutputs(list, { ...eager, protectTurns: 1, target });
    const twice = pruneOldToolOutputs(once.output, { ...eager, protectTurns: 1, target });
    expect([twice.changed, twice.output === once.output]).toEqual([false, true]);
  });

  test('a list that grows changes seldom, in batches, and what it changed keeps its bytes', () => {
    const list = Array.from({ length: 30 }, (_, n) => turn(`t${n}`)).flat();
    const options = { protectTokens: 3000, protectTurns: 2, minFreedTokens: 5000, count, target };
    let before: readonly unknown[] = [];
    let changes = 0;
    for (let length = 4; length <= list.length; length += 4) {
      const { output } = pruneOldToolOutputs(list.slice(0, length), options);
      const stable = before.every((message, index) => JSON.stringify(message) === JSON.stringify(output[index]));
      if (!stable) changes += 1;
      const bytes = (list: readonly unknown[], index: number): string => JSON.stringify(list[index]);
      const kept = before.every(
        (message, index) => !isPrunedResult(message) || bytes(before, index) === bytes(output, index),
      );
      expect(kept).toBe(true);
      before = output;
    }
    // Every batch holds five results, and the four newest are protected.
    expect(changes).toBe(5);
    expect(before.filter(isPrunedResult)).toHaveLength(25);
  });
});

function isPrunedResult(message: unknown): boolean {
  return JSON.stringify(message).includes('[pruned: ');
}

describe('reasoning', () => {
  const thinking = (text: string): Wire => ({ type: 'thinking', thinking: text, signature: 'sig' });
  const list = [
    ask('go'),
    anthropic.say(thinking('first'), anthropic.call('t1')),
    result('t1', bulk),
    anthropic.say(thinking('second'), 'done'),
    anthropic.say(thinking('alone')),
  ];

  test('behind what was pruned is left out for models that bind it to what is before it, and told', () => {
    const bound = { dialect: 'anthropic-messages', model: 'claude-fable-5-1' } as const;
    const { output, gone } = pruneOldToolOutputs(list, { ...eager, target: bound });
    expect(output[1]).toBe(list[1]);
    expect((output[3] as { content: unknown }).content).toEqual([anthropic.text('done')]);
    expect((output[4] as { content: unknown }).content).toEqual([anthropic.text('[reasoning]')]);
    expect(gone.map(({ from, what }) => [from, what])).toEqual([
      [2, 'pruned'],
      [3, 'reasoning'],
      [4, 'reasoning'],
    ]);
  });

  test('stays for all others, and where nothing was pruned', () => {
    const { output } = pruneOldToolOutputs(list, { ...eager, target });
    expect(output[3]).toBe(list[3]);
    expect(pruneOldToolOutputs(list, { target: 'anthropic-messages' }).output).toBe(list);
  });
});
