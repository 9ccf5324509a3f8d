import { connect, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call, createSimulator, reply, type ApiName, type Simulator } from '../../src/index.ts';
import { APIS, eventsOf, hear, least, post } from './client.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({
    model: () => reply('Reading it now.', call('read', { path: 'docs/a-long-name.md' })),
  });
});
afterAll(() => simulator.close());

const faulty = (api: ApiName, fault: string, stream = true): Promise<Response> =>
  post(simulator, api, { stream, headers: { 'x-simulate': fault } });

const wholeText = async (api: ApiName): Promise<string> => (await post(simulator, api, { stream: true })).text();
const lastFault = (): string | undefined => simulator.verdicts.at(-1)?.fault;
/** Ids count requests and some answers tell the second, so two answers to the same request differ in these only. */
const anonymous = (text: string): string =>
  text.replaceAll(/[0-9a-f]{10}[0-9a-z]{12}/g, '#').replaceAll(/"created(_at)?":\d*/g, '"created"');

describe('a stream that breaks', () => {
  test.each(APIS)('after 100 bytes: %s', async (api) => {
    const whole = await wholeText(api);
    const { bytes, ended } = await hear(await faulty(api, 'cut-bytes:100'));
    expect(ended).toBe('broken');
    expect(anonymous(String(bytes))).toBe(anonymous(Buffer.from(whole).subarray(0, 100).toString()));
    expect(lastFault()).toBe('cut-bytes');
  });

  test.each(APIS)('after 2 events: %s', async (api) => {
    const whole = eventsOf(await wholeText(api));
    const { bytes, ended } = await hear(await faulty(api, 'cut-events:2'));
    expect(ended).toBe('broken');
    expect(eventsOf(String(bytes)).map(({ name }) => name)).toEqual(whole.slice(0, 2).map(({ name }) => name));
  });

  test.each(APIS)('inside the input of a call: %s', async (api) => {
    const { bytes, ended } = await hear(await faulty(api, 'cut-call'));
    expect(ended).toBe('broken');
    const text = String(bytes);
    expect(text).toContain('read');
    expect(text).not.toMatch(/finish_reason":"|message_stop|response.completed|finishReason/);
    expect(text.endsWith('\n\n')).toBe(false);
  });

  test.each(APIS)('inside a character: %s', async (api) => {
    const { bytes, ended } = await hear(await faulty(api, 'cut-character'));
    expect(ended).toBe('broken');
    expect(bytes.at(-1)).toBeGreaterThanOrEqual(0xc0);
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(TypeError);
  });

  test('before any event, though its head has come', async () => {
    const response = await faulty('anthropic-messages', 'cut-events:0');
    expect(response.status).toBe(200);
    expect(await hear(response)).toEqual({ bytes: Buffer.alloc(0), ended: 'broken' });
  });
});

describe('JSON that breaks', () => {
  test.each(['cut-bytes:30', 'cut-events:1', 'cut-call', 'cut-character'])('%s', async (fault) => {
    const { bytes, ended } = await hear(await faulty('openai-chat', fault, false));
    expect(ended).toBe('broken');
    expect(bytes.length).toBeGreaterThan(0);
    expect(() => JSON.parse(String(bytes))).toThrow(SyntaxError);
  });

  test.each(['malformed', 'end-events:1'])('%s ends as if all had come', async (fault) => {
    const { bytes, ended } = await hear(await faulty('openai-chat', fault, false));
    expect(ended).toBe('whole');
    expect(() => JSON.parse(String(bytes))).toThrow(SyntaxError);
  });

  test('a fault that finds no hold changes nothing and is not named', async () => {
    const response = await faulty('openai-chat', 'reorder', false);
    expect(await response.json()).toHaveProperty('choices');
    expect(lastFault()).toBeUndefined();
  });
});

describe('events that are not as they should be', () => {
  test.each(APIS)('one comes twice: %s', async (api) => {
    const whole = eventsOf(await wholeText(api));
    const events = eventsOf(await (await faulty(api, 'duplicate:1')).text());
    expect(events).toHaveLength(whole.length + 1);
    expect(events[0]).toEqual(events[1]);
  });

  test.each(APIS)('one comes too late: %s', async (api) => {
    const whole = eventsOf(anonymous(await wholeText(api)));
    const events = eventsOf(anonymous(await (await faulty(api, 'reorder:1')).text()));
    expect(events.length).toBe(whole.length);
    expect([events[1], events[0]]).toEqual([whole[0], whole[1]]);
  });

  test.each(APIS)('one is no JSON: %s', async (api) => {
    const whole = eventsOf(await wholeText(api));
    const { bytes, ended } = await hear(await faulty(api, 'malformed:2'));
    const events = eventsOf(String(bytes));
    expect(ended).toBe('whole');
    expect(events).toHaveLength(whole.length);
    expect(() => JSON.parse(events[1]?.data ?? '')).toThrow(SyntaxError);
    expect(() => JSON.parse(events[0]?.data ?? '')).not.toThrow();
  });

  test.each(APIS)('the stream ends early as if it were over: %s', async (api) => {
    const { bytes, ended } = await hear(await faulty(api, 'end-events:2'));
    expect(ended).toBe('whole');
    expect(eventsOf(String(bytes))).toHaveLength(2);
  });
});

describe('slow answers', () => {
  test('a drip takes its time and loses nothing', async () => {
    const whole = await wholeText('openai-chat');
    const started = performance.now();
    const text = await (await faulty('openai-chat', 'drip:5')).text();
    expect(anonymous(text)).toBe(anonymous(whole));
    expect(performance.now() - started).toBeGreaterThan(5 * (eventsOf(whole).length - 1));
  });

  test('a client that leaves ends the drip', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const response = await faulty('openai-chat', 'drip:90000');
    expect(timers()).toBeGreaterThan(before);
    await response.body?.cancel();
    await expect.poll(timers).toBe(before);
  });

  test.each([true, false])(
    'nothing comes after a stall, and the connection stays open (streaming: %j)',
    async (stream) => {
      const response = await faulty('anthropic-messages', 'stall:2', stream);
      const reader = response.body?.getReader();
      const first = await reader?.read();
      expect(first?.value?.length).toBeGreaterThan(0);
      const silence = new Promise((resolve) => setTimeout(resolve, 80, 'silence'));
      let heard = 0;
      for (;;) {
        const next = await Promise.race([reader?.read(), silence]);
        if (next === 'silence') break;
        heard++;
        expect(next).toMatchObject({ done: false });
      }
      expect(heard).toBeLessThan(3);
      await reader?.cancel();
    },
  );
});

describe('troubles of the provider', () => {
  const kinds: readonly (readonly [ApiName, string, number, string])[] = [
    ['anthropic-messages', '429', 429, 'rate_limit_error'],
    ['anthropic-messages', '500', 500, 'api_error'],
    ['anthropic-messages', '529', 529, 'overloaded_error'],
    ['anthropic-messages', 'overflow', 400, 'prompt is too long: '],
    ['openai-chat', '429', 429, 'rate_limit_exceeded'],
    ['openai-chat', '500', 500, 'server_error'],
    ['openai-chat', '529', 503, 'server_error'],
    ['openai-chat', 'overflow', 400, 'context_length_exceeded'],
    ['openai-responses', '429', 429, 'rate_limit_exceeded'],
    ['openai-responses', 'overflow', 400, 'Your input exceeds the context window of this model.'],
    ['gemini', '429', 429, 'RESOURCE_EXHAUSTED'],
    ['gemini', '500', 500, 'INTERNAL'],
    ['gemini', '529', 503, 'UNAVAILABLE'],
    ['gemini', 'overflow', 400, 'exceeds the maximum number of tokens allowed'],
  ];
  test.each(kinds)('%s answers %s with %i and %s', async (...[api, fault, status, words]) => {
    const response = await faulty(api, fault);
    expect(response.status).toBe(status);
    expect(response.headers.has('retry-after')).toBe(false);
    expect(await response.text()).toContain(words);
    expect(simulator.verdicts.at(-1)).toMatchObject({ status, accepted: true, refusals: [] });
    expect(lastFault()).toBeDefined();
  });

  test('a rate limit can say when to come back', async () => {
    expect((await faulty('anthropic-messages', '429:7')).headers.get('retry-after')).toBe('7');
    expect(await (await faulty('gemini', '429:7')).json()).toMatchObject({
      error: { details: [{ retryDelay: '7s' }] },
    });
  });

  test('the history is judged even when the answer is a trouble', async () => {
    const body = { ...least('openai-chat'), messages: [] };
    const response = await post(simulator, 'openai-chat', { body, headers: { 'x-simulate': '500' } });
    expect(response.status).toBe(500);
    expect(simulator.verdicts.at(-1)).toMatchObject({ accepted: false, refusals: [{ row: 'oc-nonempty' }] });
  });

  test.each(APIS)('an empty answer is a whole one: %s', async (api) => {
    const response = await faulty(api, 'empty', false);
    const answer = (await response.json()) as Record<string, unknown>;
    const found = [answer.content, answer.output, answer.choices, answer.candidates].find(
      (value) => value !== undefined,
    );
    expect(JSON.stringify(found)).not.toMatch(/"text"|read/);
    expect(lastFault()).toBe('empty');
    expect((await hear(await faulty(api, 'empty'))).ended).toBe('whole');
  });

  test('the connection can close before the head', async () => {
    await expect(faulty('openai-chat', 'close')).rejects.toThrow('fetch failed');
    expect(simulator.verdicts.at(-1)).toMatchObject({ status: 0, accepted: true, fault: 'close' });
    const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1');
    expect(await rawAnswer(socket, 'close')).toBe('');
  });

  function rawAnswer(socket: Socket, fault: string): Promise<string> {
    const body = JSON.stringify(least('openai-chat'));
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer k\r\nx-simulate: ${fault}\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
    return new Promise((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk)));
      socket.on('error', () => {});
      socket.on('close', () => resolve(text));
    });
  }
});

describe('which request a fault befalls', () => {
  const statuses = async (faults: string, count: number, seed?: number): Promise<number[]> => {
    await using own = await createSimulator({ faults, seed });
    const found: number[] = [];
    for (let n = 0; n < count; n++) found.push((await post(own, 'openai-chat')).status);
    return found;
  };

  test('the one with its number', async () => {
    expect(await statuses('500@2, 429@4-5', 6)).toEqual([200, 500, 200, 429, 429, 200]);
    expect(await statuses('500@3-', 4)).toEqual([200, 200, 500, 500]);
    expect(await statuses('500', 2)).toEqual([500, 500]);
  });

  test('a share of them, the same for the same seed', async () => {
    const first = await statuses('500@40%', 40, 7);
    expect(first).toEqual(await statuses('500@40%', 40, 7));
    expect(first).not.toEqual(await statuses('500@40%', 40, 8));
    const hit = first.filter((status) => status === 500).length;
    expect(hit).toBeGreaterThan(6);
    expect(hit).toBeLessThan(28);
  });

  test('none, when its header says so', async () => {
    await using own = await createSimulator({ faults: '500' });
    expect((await post(own, 'openai-chat', { headers: { 'x-simulate': 'none' } })).status).toBe(200);
  });

  test('later ones, when faults are added', async () => {
    await using own = await createSimulator();
    expect((await post(own, 'openai-chat')).status).toBe(200);
    own.inject('529@2');
    expect((await post(own, 'openai-chat')).status).toBe(503);
  });

  test('a header that names no fault is refused with the names there are', async () => {
    const response = await faulty('anthropic-messages', 'explode');
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/unknown fault 'explode'; known are .*cut-bytes:n/);
    expect(simulator.verdicts.at(-1)?.refusals).toMatchObject([{ row: 'fault' }]);
  });
});

describe('a fault that finds no hold', () => {
  const cases: readonly (readonly [ApiName, string, boolean])[] = [
    ['anthropic-messages', 'cut-bytes:999999', false],
    ['anthropic-messages', 'cut-bytes:999999', true],
    ['openai-chat', 'cut-events:9999', true],
    ['openai-chat', 'end-events:9999', true],
    ['gemini', 'reorder', true],
  ];
  test.each(cases)('is not named: %s %s, streaming: %s', async (api, fault, stream) => {
    await using own = await createSimulator({ model: () => reply('Hi.') });
    const response = await post(own, api, { stream, headers: { 'x-simulate': fault } });
    expect(await hear(response)).toMatchObject({ ended: 'whole' });
    expect(own.verdicts).toHaveLength(1);
    expect(own.verdicts[0]).not.toHaveProperty('fault');
  });
});

test('a fault that is none is refused, and what else is wrong stands in the verdict', async () => {
  await using own = await createSimulator();
  const body = { ...least('anthropic-messages'), messages: [] };
  const response = await post(own, 'anthropic-messages', { body, headers: { 'x-simulate': 'zzz' } });
  expect(await response.text()).toContain('x-simulate: unknown fault');
  expect(own.verdicts[0]?.refusals.map(({ row }) => row)).toEqual(['fault', 'an-messages-nonempty']);
});
