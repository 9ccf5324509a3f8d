import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call, createSimulator, reasoning, reply, type ApiName, type Reply, type Simulator } from '../../src/index.ts';
import { APIS, least, post, postEvents, postJson } from './client.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ now: () => 1_700_000_000_000 });
});
afterAll(() => simulator.close());

const FULL: Reply = reply(
  reasoning('Two files must be read before anything is said.'),
  'Reading both … 🙂',
  call('read', { path: 'über.md' }, 'call_a'),
  call('read', { path: 'b.md' }, 'call_b'),
);

type Json = Record<string, unknown>;
const parsed = (data: string): Json => JSON.parse(data) as Json;

describe('messages of Anthropic', () => {
  const api: ApiName = 'anthropic-messages';

  test('a reply comes as one message', async () => {
    simulator.script(FULL);
    const answer = await postJson(simulator, api);
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [
        {
          type: 'thinking',
          thinking: 'Two files must be read before anything is said.',
          signature: expect.any(String),
        },
        { type: 'text', text: 'Reading both … 🙂' },
        { type: 'tool_use', id: 'call_a', name: 'read', input: { path: 'über.md' } },
        { type: 'tool_use', id: 'call_b', name: 'read', input: { path: 'b.md' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    });
  });

  test('a stream tells the same message, block by block', async () => {
    simulator.script(FULL, FULL);
    const whole = await postJson(simulator, api);
    const events = await postEvents(simulator, api);
    for (const { name, data } of events) expect(parsed(data).type).toBe(name);
    expect(events.filter(({ name }) => name !== 'content_block_delta').map(({ name }) => name)).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_stop',
      ...[1, 2, 3].flatMap(() => ['content_block_start', 'content_block_stop']),
      'message_delta',
      'message_stop',
    ]);
    expect(assembled(events.map(({ data }) => parsed(data)))).toEqual(whole.content);
    const last = parsed(events.at(-2)?.data ?? '');
    expect(last).toMatchObject({
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: expect.any(Number) },
    });
  });

  /** Puts the blocks of a stream together as the official client does. */
  function assembled(events: readonly Json[]): unknown[] {
    const blocks: Json[] = [];
    const inputs: string[] = [];
    for (const event of events) {
      const index = event.index as number;
      if (event.type === 'content_block_start') blocks[index] = { ...(event.content_block as Json) };
      const block = blocks[index];
      if (event.type !== 'content_block_delta' || block === undefined) continue;
      const delta = event.delta as Json;
      if (delta.type === 'text_delta') block.text = `${String(block.text)}${String(delta.text)}`;
      else if (delta.type === 'thinking_delta') block.thinking = `${String(block.thinking)}${String(delta.thinking)}`;
      else if (delta.type === 'signature_delta') block.signature = delta.signature;
      else inputs[index] = `${inputs[index] ?? ''}${String(delta.partial_json)}`;
    }
    return blocks.map((block, index) =>
      inputs[index] === undefined ? block : { ...block, input: parsed(inputs[index]) },
    );
  }

  const stops: readonly (readonly [Reply, string])[] = [
    [reply('done'), 'end_turn'],
    [{ ...reply('cut of'), stop: 'length' }, 'max_tokens'],
    [
      {
        parts: [
          { kind: 'opaque', value: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} } },
        ],
        stop: 'pause',
      },
      'pause_turn',
    ],
    [{ parts: [{ kind: 'refusal', text: 'No.' }] }, 'refusal'],
  ];
  test.each(stops)('%j stops with %s', async (given, reason) => {
    simulator.script(given, given);
    expect((await postJson(simulator, api)).stop_reason).toBe(reason);
    const delta = (await postEvents(simulator, api)).find(({ name }) => name === 'message_delta');
    expect(delta?.data).toContain(`"stop_reason":"${reason}"`);
  });

  test('redacted reasoning comes as data', async () => {
    simulator.script(reply(reasoning('', { redacted: true }), 'ok'), reply(reasoning('', { redacted: true }), 'ok'));
    const { content } = await postJson(simulator, api);
    expect(content).toEqual([
      { type: 'redacted_thinking', data: expect.any(String) },
      { type: 'text', text: 'ok' },
    ]);
    const events = await postEvents(simulator, api);
    expect(parsed(events[1]?.data ?? '').content_block).toEqual((content as unknown[])[0]);
  });

  test('tokens are counted without an answer', async () => {
    const { max_tokens: _, ...body } = least(api);
    const answer = await postJson(simulator, api, { path: '/v1/messages/count_tokens', body });
    expect(answer).toEqual({ input_tokens: Math.ceil(JSON.stringify(body).length / 4) });
  });
});

describe('chat completions of OpenAI', () => {
  const api: ApiName = 'openai-chat';
  const CALLS = [
    { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":"über.md"}' } },
    { id: 'call_b', type: 'function', function: { name: 'read', arguments: '{"path":"b.md"}' } },
  ];

  test('a reply comes as one choice', async () => {
    simulator.script(FULL);
    expect(await postJson(simulator, api)).toMatchObject({
      object: 'chat.completion',
      created: 1_700_000_000,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Reading both … 🙂', tool_calls: CALLS },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { total_tokens: expect.any(Number) },
    });
  });

  test('a stream begins with the role, tells calls by index, and ends with [DONE]', async () => {
    simulator.script(FULL);
    const events = await postEvents(simulator, api);
    expect(events.pop()?.data).toBe('[DONE]');
    const chunks = events.map(({ data }) => parsed(data));
    expect(chunks.every(({ usage }) => usage === undefined)).toBe(true);
    const choices = chunks.map((chunk) => (chunk.choices as { delta: Json; finish_reason: unknown }[])[0]);
    expect(choices[0]?.delta).toMatchObject({ role: 'assistant' });
    expect(choices.at(-1)).toMatchObject({ delta: {}, finish_reason: 'tool_calls' });
    const words = choices.map((choice) => (choice?.delta.content as string | undefined) ?? '').join('');
    expect(words).toBe('Reading both … 🙂');
    const deltas = choices.flatMap((choice) => (choice?.delta.tool_calls ?? []) as { index: number; function: Json }[]);
    for (const [index, expected] of CALLS.entries()) {
      const own = deltas.filter((delta) => delta.index === index);
      expect(own[0]).toMatchObject({ id: expected.id, type: 'function', function: { name: 'read', arguments: '' } });
      expect(own.map((delta) => String(delta.function.arguments)).join('')).toBe(expected.function.arguments);
    }
  });

  test('usage comes in a chunk of its own when it is asked for', async () => {
    simulator.script('ok');
    const body = { ...least(api), stream_options: { include_usage: true } };
    const events = await postEvents(simulator, api, { body });
    expect(events.at(-1)?.data).toBe('[DONE]');
    expect(parsed(events.at(-2)?.data ?? '')).toMatchObject({
      choices: [],
      usage: { prompt_tokens: expect.any(Number) },
    });
    expect(parsed(events[0]?.data ?? '').usage).toBeNull();
  });

  test('broken input of a call is sent as it is', async () => {
    simulator.script({ ...reply(call('read', '{"path": "a')), stop: 'length' });
    const answer = await postJson(simulator, api);
    expect(answer.choices).toMatchObject([
      { message: { content: null, tool_calls: [{ function: { arguments: '{"path": "a' } }] }, finish_reason: 'length' },
    ]);
  });
});

describe('responses of OpenAI', () => {
  const api: ApiName = 'openai-responses';

  test('a stream counts its events and tells every item before it is done', async () => {
    simulator.script(FULL);
    const body = { ...least(api), include: ['reasoning.encrypted_content'], reasoning: { effort: 'low' } };
    const events = (await postEvents(simulator, api, { body })).map(({ name, data }): Json => ({
      ...parsed(data),
      event: name,
    }));
    expect(events.map(({ sequence_number: n }) => n)).toEqual(events.map((_, n) => n));
    for (const event of events) expect(event.type).toBe(event.event);
    const names = events.map(({ event }) => event);
    expect(names.slice(0, 3)).toEqual(['response.created', 'response.in_progress', 'response.output_item.added']);
    expect(new Set(names)).toEqual(
      new Set([
        'response.created',
        'response.in_progress',
        'response.completed',
        'response.output_item.added',
        'response.output_item.done',
        'response.content_part.added',
        'response.content_part.done',
        'response.output_text.delta',
        'response.output_text.done',
        'response.function_call_arguments.delta',
        'response.function_call_arguments.done',
        'response.reasoning_summary_part.added',
        'response.reasoning_summary_part.done',
        'response.reasoning_summary_text.delta',
        'response.reasoning_summary_text.done',
      ]),
    );
    const done = events.filter(({ event }) => event === 'response.output_item.done').map(({ item }) => item);
    const last = events.at(-1)?.response as Json;
    expect(last.output).toEqual(done);
    expect(done.map((item) => (item as Json).type)).toEqual(['reasoning', 'message', 'function_call', 'function_call']);
    expect(done[0]).toMatchObject({ id: expect.stringMatching(/^rs_/), encrypted_content: expect.any(String) });
    const announced = events.find(({ event }) => event === 'response.output_item.added')?.item;
    expect(announced).toEqual({ id: (done[0] as Json).id, type: 'reasoning', summary: [] });
    const inputs = events.filter(
      ({ event, output_index: at }) => String(event).endsWith('arguments.delta') && at === 2,
    );
    expect(inputs.map(({ delta }) => delta).join('')).toBe('{"path":"über.md"}');
  });

  test('sealed reasoning is given only to those who ask for it', async () => {
    simulator.script(FULL);
    const { output } = await postJson(simulator, api);
    expect((output as Json[])[0]).not.toHaveProperty('encrypted_content');
  });

  test('a reply that was cut short is incomplete', async () => {
    const short: Reply = { ...reply('cut'), stop: 'length' };
    simulator.script(short, short);
    expect(await postJson(simulator, api)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ type: 'message', status: 'incomplete' }],
    });
    expect((await postEvents(simulator, api)).at(-1)?.name).toBe('response.incomplete');
  });

  test('a request can go on from a stored response, and not from one that was not stored', async () => {
    simulator.script(reply(call('read', {}, 'call_1')), 'done', reply(call('read', {}, 'call_1')));
    const tools = [{ type: 'function', name: 'read', parameters: { type: 'object', properties: {} } }];
    const first = await postJson(simulator, api, { body: { ...least(api), tools } });
    const input = [{ type: 'function_call_output', call_id: 'call_1', output: 'text' }];
    const next = { model: 'gpt-5', input, tools, previous_response_id: first.id };
    expect(await postJson(simulator, api, { body: next })).toMatchObject({
      status: 'completed',
      previous_response_id: first.id,
    });
    const lost = await postJson(simulator, api, { body: { ...least(api), tools, store: false } });
    const refused = await post(simulator, api, { body: { ...next, previous_response_id: lost.id } });
    expect(await refused.json()).toMatchObject({ error: { code: 'previous_response_not_found' } });
    expect(refused.status).toBe(400);
  });

  test('a custom tool is called with text', async () => {
    simulator.script(reply(call('patch', '*** begin', 'call_1')), reply(call('patch', '*** begin', 'call_1')));
    const body = { ...least(api), tools: [{ type: 'custom', name: 'patch' }] };
    const item = {
      type: 'custom_tool_call',
      call_id: 'call_1',
      name: 'patch',
      input: '*** begin',
      id: expect.stringMatching(/^ctc_/),
    };
    expect((await postJson(simulator, api, { body })).output).toMatchObject([item]);
    const events = await postEvents(simulator, api, { body });
    const deltas = events.filter(({ name }) => name === 'response.custom_tool_call_input.delta');
    expect(deltas.map(({ data }) => parsed(data).delta).join('')).toBe('*** begin');
  });
});

describe('Gemini', () => {
  const api: ApiName = 'gemini';

  test('a reply comes as one candidate, whose first call is signed', async () => {
    simulator.script(FULL);
    const answer = await postJson(simulator, api);
    expect(answer).toMatchObject({
      candidates: [{ content: { role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: expect.any(Number), thoughtsTokenCount: expect.any(Number) },
      modelVersion: 'gemini-2.5-pro',
    });
    expect((answer.candidates as { content: { parts: unknown[] } }[])[0]?.content.parts).toEqual([
      { text: 'Two files must be read before anything is said.', thought: true },
      { text: 'Reading both … 🙂' },
      { functionCall: { id: 'call_a', name: 'read', args: { path: 'über.md' } }, thoughtSignature: expect.any(String) },
      { functionCall: { id: 'call_b', name: 'read', args: { path: 'b.md' } } },
    ]);
  });

  test('a stream is a row of answers, of which the last says why it stopped', async () => {
    simulator.script(FULL);
    const chunks = (await postEvents(simulator, api)).map(({ data }) => parsed(data).candidates as Json[]);
    expect(chunks.map((candidates) => candidates[0]?.finishReason)).toEqual([
      ...chunks.slice(1).map(() => undefined),
      'STOP',
    ]);
    const parts = chunks.flatMap(
      (candidates) => (candidates[0]?.content as { parts: Json[] } | undefined)?.parts ?? [],
    );
    const told = (thought: boolean): string =>
      parts.map((part) => ((part.thought === true) === thought ? (part.text as string) : '')).join('');
    expect(told(true)).toBe('Two files must be read before anything is said.');
    expect(told(false)).toBe('Reading both … 🙂');
    expect(parts.filter(({ functionCall }) => functionCall !== undefined)).toHaveLength(2);
  });

  test('the signature of a streamed text comes last, on a part without text', async () => {
    simulator.script(reply(reasoning('hm'), 'done'));
    const last = parsed((await postEvents(simulator, api)).at(-1)?.data ?? '');
    expect(last.candidates).toMatchObject([
      { content: { parts: [{ text: '', thoughtSignature: expect.any(String) }] } },
    ]);
  });

  test('without alt=sse a stream is one JSON array', async () => {
    simulator.script('one two three four five six');
    const path = '/v1beta/models/gemini-2.5-pro:streamGenerateContent';
    const chunks = await (await post(simulator, api, { path })).json();
    expect(chunks).toHaveLength(2);
  });

  test('a call whose input is no JSON is reported as malformed', async () => {
    simulator.script(reply(call('read', '{"path": ')));
    expect((await postJson(simulator, api)).candidates).toMatchObject([{ finishReason: 'MALFORMED_FUNCTION_CALL' }]);
  });
});

describe('every API', () => {
  test.each(APIS)('%s gives the usage that a reply states', async (api) => {
    simulator.script({ ...reply('ok'), usage: { input: 1000, output: 77, cached: 250, reasoning: 7 } });
    const { usage, usageMetadata } = await postJson(simulator, api);
    const figures: Readonly<Record<ApiName, object>> = {
      'anthropic-messages': { input_tokens: 750, cache_read_input_tokens: 250, output_tokens: 77 },
      'openai-chat': { prompt_tokens: 1000, completion_tokens: 77, prompt_tokens_details: { cached_tokens: 250 } },
      'openai-responses': { input_tokens: 1000, output_tokens: 77, output_tokens_details: { reasoning_tokens: 7 } },
      gemini: { promptTokenCount: 1000, candidatesTokenCount: 70, thoughtsTokenCount: 7, cachedContentTokenCount: 250 },
    };
    expect(usage ?? usageMetadata).toMatchObject(figures[api]);
  });

  test.each(APIS)(
    '%s answers a refused history with the first refusal, also when it was to be streamed',
    async (api) => {
      await post(simulator, api);
      const field = { 'openai-responses': 'input', gemini: 'contents' }[api as string] ?? 'messages';
      const response = await post(simulator, api, { body: { ...least(api), [field]: [] }, stream: true });
      expect(response.status).toBe(400);
      const answer = (await response.json()) as { error: { message: string } };
      const verdict = simulator.verdicts.at(-1);
      expect(verdict).toMatchObject({ api, accepted: false, status: 400 });
      expect(answer.error.message).toBe(verdict?.refusals[0]?.text);
    },
  );
});
