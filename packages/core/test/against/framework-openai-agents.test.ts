import {
  Agent,
  MemorySession,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  protocol,
  run,
  setTracingDisabled,
  tool,
  withTrace,
  type Model,
  type ModelRequest,
} from '@openai/agents';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { examplesOf } from '../../src/examples.ts';
import { contractOf } from '../../src/target.ts';
import { check, detectDialect, repair, RESULT_TEXTS } from '../../src/index.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';
import { healthy, plant } from '../fuzz/histories.ts';
import { messagesIn } from '../fuzz/reading.ts';
import { seedAt, startRandom } from '../fuzz/random.ts';

const seed = 9;
const histories = 400;
const DIALECT = 'openai-agents';

/** A client that sends nothing, keeps the body of the request that it was to send, and answers as it is told. */
function keeper(...replies: readonly object[]): { client: OpenAI; sent: () => Record<string, unknown> } {
  let body = '';
  const left = [...replies];
  const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
    body = typeof init?.body === 'string' ? init.body : '';
    return Promise.resolve(Response.json(left.shift()));
  };
  const client = new OpenAI({ apiKey: 'none', baseURL: 'http://localhost/v1', fetch, maxRetries: 0 });
  return { client, sent: () => JSON.parse(body) as Record<string, unknown> };
}

const asked = (input: readonly unknown[]): ModelRequest => ({
  input: input as ModelRequest['input'],
  // Nothing is kept, so that everything has to stand in the request itself.
  modelSettings: { store: false },
  tools: [],
  outputType: 'text',
  handoffs: [],
  tracing: false,
});

/** The request that the framework makes for the Responses API; it throws where it cannot convert an item. */
async function asResponses(items: readonly unknown[]): Promise<Record<string, unknown>> {
  const { client, sent } = keeper({ id: 'resp_1', output: [], usage: {} });
  await withTrace('a run', () => new OpenAIResponsesModel(client, 'gpt-5').getResponse(asked(items)));
  return sent();
}

/** The request that it makes for Chat Completions. */
async function asChat(items: readonly unknown[]): Promise<Record<string, unknown>> {
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'yes' } }];
  const { client, sent } = keeper({ id: 'chatcmpl-1', choices, usage: {} });
  await withTrace('a run', () => new OpenAIChatCompletionsModel(client, 'gpt-5').getResponse(asked(items)));
  return sent();
}

/** Why the framework, or the provider behind it, refuses; empty where neither does. */
async function refusals(items: readonly unknown[]): Promise<readonly unknown[]> {
  try {
    return judge('openai-responses', await asResponses(items), { model: 'gpt-5' });
  } catch (error) {
    return [error];
  }
}

function draftAt(index: number, defects: number): unknown[] {
  const random = startRandom(seedAt(seed, index));
  const draft = healthy(DIALECT, random);
  if (defects > 0) plant(draft, random, defects);
  return draft.messages;
}

const examples = contractOf(DIALECT).rules.flatMap((rule) =>
  examplesOf(rule.id)
    .filter(({ dialect }) => dialect === DIALECT)
    .map((example) => ({ title: `${rule.id}: ${example.name}`, example })),
);
const clean = examples.flatMap(({ title, example }) =>
  'clean' in example ? [{ title, items: messagesIn(example.clean) }].filter(({ items }) => items.length > 0) : [],
);
const broken = examples.flatMap(({ title, example }) =>
  'after' in example ? [{ title, items: messagesIn(example.before) }] : [],
);

// Reasoning that is not sealed is lost where nothing is kept, and that is no matter of the framework.
const sealed = (items: readonly unknown[]): readonly unknown[] =>
  items.map((item) => {
    const thought = item as { type?: string; providerData?: object };
    if (thought?.type !== 'reasoning') return item;
    return { ...thought, providerData: { ...thought.providerData, encryptedContent: 'gAAA' } };
  });

beforeAll(() => {
  setTracingDisabled(true);
  // The framework says what it leaves out for the older of the two APIs.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterAll(() => vi.restoreAllMocks());

describe('the OpenAI Agents SDK itself', () => {
  test.each(clean)('takes what is clean: $title', async ({ items }) => {
    expect(await refusals(sealed(items))).toEqual([]);
  });

  test.each(broken)('takes what is repaired of $title', async ({ items }) => {
    expect(await refusals(sealed(messagesIn(repair({ input: items }, DIALECT).output)))).toEqual([]);
  });

  test(`takes every healthy history, and its schema knows each item (seed ${seed})`, async () => {
    for (let index = 0; index < histories; index += 1) {
      const items = draftAt(index, 0);
      if (items.length === 0) continue;
      expect(check(items, DIALECT).verdict, `history ${index}`).toBe('clean');
      expect(await refusals(items), `history ${index}`).toEqual([]);
      const strange = items.filter((item) => !protocol.ModelItem.safeParse(item).success);
      expect(strange, `history ${index}`).toEqual([]);
    }
  });

  test(`takes every repaired history, of which it refuses many before (seed ${seed})`, async () => {
    let refused = 0;
    for (let index = 0; index < histories; index += 1) {
      const input = draftAt(index, 4);
      const items = messagesIn(repair({ input }, DIALECT).output);
      expect(await refusals(sealed(items)), `history ${index}: ${JSON.stringify(items)}`).toEqual([]);
      if ((await refusals(sealed(input))).length > 0) refused += 1;
    }
    expect(refused).toBeGreaterThan(histories / 3);
  });
});

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const made = (...output: readonly object[]): object => ({ id: 'resp_1', status: 'completed', output, usage });
const inResponses = (): Model => {
  const thought = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'Look.' }],
    encrypted_content: 'g',
  };
  const called = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'read',
    arguments: '{"path":"a"}',
    status: 'completed',
  };
  const text = { type: 'output_text', text: 'It says A.', annotations: [], logprobs: [] };
  const said = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [text] };
  return new OpenAIResponsesModel(keeper(made(thought, called), made(said)).client, 'gpt-5');
};

const spoken = (message: object): object => ({
  id: 'chatcmpl-1',
  choices: [{ index: 0, finish_reason: 'stop', message }],
  usage: {},
});
const inChat = (): Model => {
  const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } };
  const replies = [
    spoken({ role: 'assistant', content: null, reasoning: 'Look.', tool_calls: [call] }),
    spoken({ role: 'assistant', content: 'It says A.' }),
  ];
  return new OpenAIChatCompletionsModel(keeper(...replies).client, 'gpt-5');
};

const read = tool({
  name: 'read',
  description: 'Reads a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
  strict: true,
  execute: () => 'A',
});

const runThrough = async (model: Model): Promise<(readonly unknown[])[]> => {
  const session = new MemorySession();
  const result = await run(new Agent({ name: 'a', model, tools: [read] }), 'read a', { session });
  expect(result.finalOutput).toBe('It says A.');
  return [result.history, await session.getItems()];
};

test('a run through the Responses API leaves a history and a session that are known and clean', async () => {
  for (const items of await runThrough(inResponses())) {
    expect(items).toHaveLength(5);
    expect(detectDialect(items)).toBe(DIALECT);
    expect(detectDialect({ input: items })).toBe(DIALECT);
    for (const item of items.slice(1)) expect(detectDialect(item), `of ${JSON.stringify(item)}`).toBe(DIALECT);
    expect(check(items).findings).toEqual([]);
    expect(repair(items).output).toBe(items);
    expect(await refusals(items)).toEqual([]);
  }
});

test('a run through Chat Completions leaves ids that the other API refuses, and nothing else', async () => {
  for (const items of await runThrough(inChat())) {
    expect(detectDialect(items)).toBe(DIALECT);
    expect(await refusals(sealed(items))).not.toEqual([]);
    const { output, report } = repair(items);
    expect(new Set(report.repairs.map(({ rule }) => rule))).toEqual(new Set(['item-id-malformed']));
    expect(report.preserved.ratio).toBe(1);
    expect(await refusals(sealed(output))).toEqual([]);
    expect(await asChat(output)).toEqual(await asChat(items));
  }
});

test.each([inResponses, inChat])(
  'a run that was killed before the result is closed, and both APIs take it',
  async (model) => {
    const [history = []] = await runThrough(model());
    const types = history.map((item) => (item as { type?: string }).type);
    const killed = [
      ...history.slice(0, types.indexOf('function_call') + 1),
      { role: 'user', content: 'are you there?' },
    ];
    expect(await refusals(sealed(killed))).not.toEqual([]);
    const { output, report } = repair(killed);
    expect(report.repairs.map(({ rule }) => rule)).toContain('call-without-result');
    expect(JSON.stringify(output)).toContain(RESULT_TEXTS.unknown);
    expect(await refusals(sealed(output))).toEqual([]);
    expect(judge('openai-chat', await asChat(output))).toEqual([]);
  },
);

/** True for what Chat Completions has too, with nothing between a call and its result but other calls and results. */
function isChat(items: readonly unknown[]): boolean {
  const types = items.map((item) => (item as { type?: string }).type ?? 'message');
  return types.every((type, index) => {
    if (type === 'function_call') return types[index + 1] !== 'message';
    if (type === 'function_call_result') return index > 0 && types[index - 1] !== 'message';
    return type === 'message';
  });
}

test(`Chat Completions takes repaired histories of what it has too (seed ${seed})`, async () => {
  let taken = 0;
  for (let index = 0; index < histories; index += 1) {
    const items = messagesIn(repair({ input: draftAt(index, 1) }, DIALECT).output);
    if (!isChat(items)) continue;
    expect(judge('openai-chat', await asChat(items)), `of ${JSON.stringify(items)}`).toEqual([]);
    taken += 1;
  }
  expect(taken).toBeGreaterThan(histories / 5);
});
