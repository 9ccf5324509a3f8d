import { describe, expect, test } from 'vitest';

import {
  AgentError,
  createAgent,
  noTracing,
  scripted,
  tool,
  type AgentOptions,
  type RunOptions,
} from '../src/index.ts';
import { createWorld } from './world.ts';

const odd = <T>(value: unknown): T => value as T;

/** The code and message of a refusal; any other error fails the test. */
async function refusalOf(work: () => unknown): Promise<{ readonly code: string; readonly sentence: string }> {
  try {
    await work();
  } catch (error) {
    if (error instanceof AgentError) return { code: error.code, sentence: error.message };
    throw error;
  }
  return { code: 'done', sentence: '' };
}

describe('createAgent', () => {
  const run = (): string => 'x';
  // The fault, and a word that the message must contain.
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['no options', undefined, 'options'],
    ['null', null, 'options'],
    ['nothing at all', {}, 'store'],
    ['a store that is none', { store: {} }, 'store'],
    ['a model that is none', { model: {} }, 'model'],
    ['a model without a target', { model: { call: run, renew: run } }, 'model'],
    ['steps that are no number', { maxSteps: Number.NaN }, 'maxSteps'],
    ['no steps', { maxSteps: 0 }, 'maxSteps'],
    ['steps in words', { maxSteps: '5' }, 'maxSteps'],
    ['a deadline before now', { deadlines: { toolMs: -1 } }, 'deadlines.toolMs'],
    ['a deadline that is not a number', { deadlines: { toolMs: Number.NaN } }, 'deadlines.toolMs'],
    ['a deadline in words', { deadlines: { toolMs: '5s' } }, 'deadlines.toolMs'],
    ['an unknown deadline', { deadlines: { toolMS: 5 } }, 'toolMS'],
    ['deadlines that are none', { deadlines: 5 }, 'deadlines'],
    ['attempts that are not a number', { retry: { attempts: Number.NaN } }, 'retry.attempts'],
    ['no attempt', { retry: { attempts: 0 } }, 'retry.attempts'],
    ['an unknown retry option', { retry: { tries: 5 } }, 'tries'],
    ['tokens that are not a number', { maxTokens: Number.NaN }, 'maxTokens'],
    ['a budget below nothing', { crashBudget: -1 }, 'crashBudget'],
    ['portions that are not a time', { showEveryMs: Number.NaN }, 'showEveryMs'],
    ['a tool that is none', { tools: { look: null } }, 'look'],
    ['a tool without run', { tools: { look: { effect: 'read' } } }, 'look'],
    ['an unknown effect', { tools: { look: { effect: 'twice', run } } }, 'twice'],
    ['a tool with no time', { tools: { look: { timeoutMs: Number.NaN, run } } }, 'look.timeoutMs'],
    ['an approval that is none', { tools: { look: { approval: 'yes', run } } }, 'look.approval'],
    ['a schema that is none', { tools: { look: { schema: { type: 'object' }, run } } }, 'look.schema'],
    ['parameters that are none', { tools: { look: { parameters: 'x', run } } }, 'look.parameters'],
    ['a list of tools', { tools: [{ run }] }, 'tools'],
    ['a listener that is none', { onEvent: {} }, 'onEvent'],
    ['a logger that is none', { logger: console }, 'logger'],
    ['a clock that is none', { clock: Date }, 'clock'],
    ['an unknown choice', { unsettled: 'again' }, 'again'],
    ['an invalid compaction', { compaction: 'yes' }, 'compaction'],
    ['streaming in words', { stream: 'no' }, 'stream'],
    ['an unknown option', { maxStep: 5 }, 'maxStep'],
  ];

  test.each(wrong)('refuses %s in one sentence', async (_, given, word) => {
    const { store } = await createWorld();
    const model = scripted({ target: { dialect: 'openai-chat' }, replies: [{}] });
    const isWhole = typeof given === 'object' && given !== null && Object.keys(given).length > 0;
    const options = isWhole ? { store, model, ...given } : given;
    const { code, sentence } = await refusalOf(() => createAgent(odd(options)));
    expect([code, sentence]).toEqual(['unsupported', expect.stringContaining(word)]);
    expect(sentence).not.toContain('\n');
  });

  test('accepts undefined options', async () => {
    const { store } = await createWorld();
    const model = scripted({ target: { dialect: 'openai-chat' }, replies: [{ text: 'Hi.' }] });
    const open = {
      maxSteps: undefined,
      deadlines: { toolMs: undefined, firstMs: undefined },
      retry: { attempts: undefined },
    };
    const agent = createAgent(odd<AgentOptions>({ store, model, tracing: noTracing, ...open }));
    expect((await agent.run('s', 'Hello.').result).text).toBe('Hi.');
  });
});

describe('a run', () => {
  test('that is invalid is refused before anything is stored', async () => {
    const world = await createWorld();
    const agent = world.agent([{}]);
    const inputs = [null, 5, true, {}, [], [5], [null], ['text'], () => 'x'];
    for (const input of inputs) {
      const { code, sentence } = await refusalOf(() => agent.run('s', odd(input)).result);
      expect([input, code, sentence]).toEqual([input, 'unsupported', expect.stringContaining('input')]);
    }
    const { sentence } = await refusalOf(() => agent.run('s', []).result);
    expect(sentence).toMatch(/, not an empty list$/);
    for (const options of [null, { inputId: 5 }, { inputId: '' }, { signal: {} }, { onDisconnect: 'stop' }]) {
      const { code } = await refusalOf(() => agent.run('s', 'Hi.', odd<RunOptions>(options)).result);
      expect([options, code]).toEqual([options, 'unsupported']);
    }
    for (const options of [null, { unsettled: 'again' }, { signal: 5 }]) {
      const { code } = await refusalOf(() => agent.recover('s', odd(options)));
      expect([options, code]).toEqual([options, 'unsupported']);
    }
    await expect(world.store.session('s')).rejects.toThrow(/no session/);
  });

  test('under the name of another input is refused, and the session stays unchanged', async () => {
    const world = await createWorld();
    const agent = world.agent([{ text: 'One.' }, { text: 'Two.' }]);
    await agent.run('s', 'x', { inputId: 'i1' }).result;
    const before = await (await world.store.session('s')).load();
    for (const input of [
      'y',
      [{ role: 'user', content: 'y' }],
      [{ role: 'user', content: 'x' }, { role: 'user' }],
      [{ n: 1n }],
    ]) {
      const { code, sentence } = await refusalOf(() => agent.run('s', input, { inputId: 'i1' }).result);
      expect([code, sentence]).toEqual(['reused', expect.stringContaining('"i1"')]);
    }
    expect(await (await world.store.session('s')).load()).toEqual(before);
    await expect(agent.run('s', 'x', { inputId: 'i1' }).result).resolves.toMatchObject({ text: 'One.', steps: 0 });
    await expect(agent.run('s', undefined, { inputId: 'i1' }).result).resolves.toMatchObject({ text: 'One.' });
    await expect(agent.run('s', 'y', { inputId: 'i2' }).result).resolves.toMatchObject({ text: 'Two.' });
  });

  test('under the name of the same input continues, even with a model of another dialect', async () => {
    const world = await createWorld();
    const inputs = ['x', [{ role: 'user', content: 'x', note: undefined }]];
    for (const [index, input] of inputs.entries()) {
      await world.agent([{ text: 'One.' }]).run(`s${index}`, input, { inputId: 'i' }).result;
      for (const dialect of ['openai-chat', 'anthropic-messages', 'openai-responses'] as const) {
        const again = world.agent([{ text: 'Two.' }], { dialect }).run(`s${index}`, input, { inputId: 'i' });
        expect([index, dialect, (await again.result).steps]).toEqual([index, dialect, 0]);
      }
    }
  });
});

describe('approve', () => {
  const pay = tool<{ amount: number }>({ effect: 'once', approval: true, run: () => 'paid' });
  const calls = ['c1', 'c2'].map((callId) => ({ callId, tool: 'pay', input: { amount: 5 } }));

  test('about a call that does not wait, or with another word, is refused and names the waiting calls', async () => {
    const world = await createWorld();
    const agent = world.agent([{ calls }, { text: 'Done.' }], { tools: { pay } });
    await agent.run('s', 'Pay.').result;
    const before = await (await world.store.session('s')).load();
    for (const decisions of [{ nope: 'allow' }, { c1: 'allow', nope: 'deny' }, { toString: 'allow' }]) {
      const { code, sentence } = await refusalOf(() => agent.approve('s', odd(decisions)));
      expect([code, sentence]).toEqual(['missing', expect.stringMatching(/"c1" \(pay\), "c2" \(pay\)/)]);
    }
    for (const decisions of [{ c1: 'maybe' }, { c1: true }, { c1: undefined }, null, 'allow', ['c1']]) {
      const { code } = await refusalOf(() => agent.approve('s', odd(decisions)));
      expect([decisions, code]).toEqual([decisions, 'unsupported']);
    }
    expect(await (await world.store.session('s')).load()).toEqual(before);
    await agent.approve('s', { c1: 'allow', c2: 'deny' });
    await expect(agent.run('s').result).resolves.toMatchObject({ text: 'Done.' });
    const { sentence } = await refusalOf(() => agent.approve('s', { c1: 'allow' }));
    expect(sentence).toContain('no call is waiting');
  });
});
