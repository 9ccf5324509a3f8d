import { describe, expect, test } from 'vitest';

import { call, createSimulator, scripted, seeded, type ApiName, type Reply, type ReplyUsage } from '../../src/index.ts';
import { APIS, least, post, postEvents, postJson } from './client.ts';

type Json = Record<string, unknown>;

test('a streamed call in the format of the provider keeps its own input', async () => {
  const value = { type: 'tool_use', id: 'toolu_x', name: 'first', input: { a: 1 } };
  const parts = [{ kind: 'opaque', value } as const, call('second', { b: 2 })];
  await using simulator = await createSimulator({ model: () => ({ parts }) });
  const inputs: string[] = [];
  for (const { data } of await postEvents(simulator, 'anthropic-messages')) {
    const { index, delta } = JSON.parse(data) as { index?: number; delta?: { partial_json?: string } };
    if (index !== undefined) inputs[index] = (inputs[index] ?? '') + (delta?.partial_json ?? '');
  }
  expect(inputs).toEqual(['{"a":1}', '{"b":2}']);
});

describe('figures of usage', () => {
  const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;
  const figures = (value: unknown): number[] =>
    typeof value === 'number' ? [value] : isJson(value) ? Object.values(value).flatMap(figures) : [];
  const given: readonly ReplyUsage[] = [
    { input: 90, output: 4 },
    { cached: 5000 },
    { input: 10, cached: 20 },
    { output: 3, reasoning: 9 },
    { reasoning: 900 },
  ];
  test.each(APIS.flatMap((api) => given.map((usage) => [api, usage] as const)))(
    'of %s are never negative: %j',
    async (api, usage) => {
      const parts = [
        { kind: 'reasoning', text: 'long '.repeat(100) },
        { kind: 'text', text: 'x' },
      ] as const;
      await using simulator = await createSimulator({ model: () => ({ parts, usage }) });
      const answer = await postJson(simulator, api);
      const shown = figures(answer.usage ?? answer.usageMetadata);
      expect(shown.length).toBeGreaterThan(2);
      expect(Math.min(...shown)).toBeGreaterThanOrEqual(0);
    },
  );
});

describe('a reply that pauses but ends in words', () => {
  const paused: Reply = { parts: [{ kind: 'text', text: 'Searching' }], stop: 'pause' };

  test('is refused when it is queued', async () => {
    await using simulator = await createSimulator();
    expect(() => simulator.script('fine', paused)).toThrow(/line 2 of the script cannot be said: a reply that pauses/);
    expect(() => scripted([paused])).toThrow(TypeError);
  });

  test('is no answer when a model makes it up', async () => {
    await using simulator = await createSimulator({ model: () => paused });
    expect(await postJson(simulator, 'anthropic-messages')).toMatchObject({
      error: { type: 'api_error', message: expect.stringContaining('a reply that pauses') },
    });
  });
});

describe('a seeded model makes one call at a time', () => {
  const tool = { name: 'read', parameters: { type: 'object' } };
  const bodies: readonly (readonly [ApiName, Json, Json])[] = [
    [
      'anthropic-messages',
      { tools: [{ name: 'read', input_schema: { type: 'object' } }] },
      { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
    ],
    ['openai-chat', { tools: [{ type: 'function', function: tool }] }, { parallel_tool_calls: false }],
    ['openai-responses', { tools: [{ type: 'function', ...tool }] }, { parallel_tool_calls: false }],
  ];
  test.each(bodies)('where %s is asked for that', async (api, tools, one) => {
    const callsOf = async (extra: Json): Promise<number> => {
      let count = 0;
      for (let seed = 0; seed < 30; seed++) {
        await using simulator = await createSimulator({
          model: (request) => {
            const said = seeded(seed)(request) as Reply;
            count = Math.max(count, said.parts.filter(({ kind }) => kind === 'call').length);
            return said;
          },
        });
        await post(simulator, api, { body: { ...least(api), ...extra } });
      }
      return count;
    };
    expect(await callsOf(tools)).toBeGreaterThan(1);
    expect(await callsOf({ ...tools, ...one })).toBe(1);
  });
});

describe('counting tokens', () => {
  const api = 'anthropic-messages';
  const { max_tokens: _, ...body } = least(api);
  const count = async (sent: Json): Promise<Json> => {
    await using simulator = await createSimulator();
    return await postJson(simulator, api, { path: '/v1/messages/count_tokens', body: sent });
  };
  const refused: readonly (readonly [string, Json, string])[] = [
    ['without a model', { messages: body.messages }, 'model: Field required'],
    ['with a key that nobody knows', { ...body, foo: 1 }, 'foo: Extra inputs are not permitted'],
    ['with a limit to an answer', { ...body, max_tokens: 5 }, 'max_tokens: Extra inputs are not permitted'],
    ['without messages', { ...body, messages: [] }, 'messages: at least one message is required'],
  ];
  test.each(refused)('%s is refused', async (_what, sent, message) => {
    expect(await count(sent)).toMatchObject({ error: { message } });
  });
});
