import { call, createSimulator, reply } from '@rethread/simulator';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';

import { drain, KEY, useSimulator } from '../../../simulator/test/clients/surroundings.ts';
import type { ModelErrorKind, PortTarget } from '../../src/model-port.ts';
import { anthropic } from '../../src/ports/anthropic.ts';
import { kindOf, retryAfterMs } from '../../src/ports/classify.ts';
import { openaiChat, openaiResponses } from '../../src/ports/openai.ts';
import { Redactor } from '../../src/ports/redact.ts';
import { ask, collected, PROVIDERS, TOOLS, user } from './providers.ts';
import { realClock } from '../../src/clock.ts';
import { httpServer } from './raw-server.ts';

const simulator = useSimulator();

const CLAUDE: PortTarget = { dialect: 'anthropic-messages', model: 'claude-sonnet-5' };
const GPT: PortTarget = { dialect: 'openai-chat', model: 'gpt-4.1' };

const TOGETHER_TOO_LONG =
  'input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again';

/** Error responses in the words of providers, and their meaning for a run. */
const ANSWERS: readonly (readonly [status: number | undefined, text: string, PortTarget, ModelErrorKind])[] = [
  [
    400,
    '`tool_use` ids were found without `tool_result` blocks immediately after: toolu_01.',
    CLAUDE,
    'refused-history',
  ],
  [
    400,
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    GPT,
    'refused-history',
  ],
  [
    400,
    '{"error":{"message":"Failed to call a function.","type":"invalid_request_error","code":"tool_use_failed"}}',
    GPT,
    'server',
  ],
  [400, 'messages.4.content.0: something that nobody has ever seen', CLAUDE, 'refused-history'],
  [400, 'prompt is too long: 208310 tokens > 200000 maximum', CLAUDE, 'overflow'],
  [
    400,
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    GPT,
    'overflow',
  ],
  [400, TOGETHER_TOO_LONG, CLAUDE, 'overflow'],
  [undefined, `{"type":"invalid_request_error","message":"${TOGETHER_TOO_LONG}"}`, CLAUDE, 'overflow'],
  [
    400,
    'The input token count (1189423) exceeds the maximum number of tokens allowed (1048576).',
    { dialect: 'gemini', model: 'gemini-2.5-pro' },
    'overflow',
  ],
  [
    400,
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    GPT,
    'overflow',
  ],
  [400, 'Input is too long for requested model.', { dialect: 'bedrock-converse' }, 'overflow'],
  [400, '{"code":"string_above_max_length","message":"Invalid \'messages[0].content\'"}', GPT, 'overflow'],
  [
    undefined,
    '{"code":"string_above_max_length","message":"Invalid \'messages[2].tool_calls[0].id\': string too long. Expected a string with maximum length 40"}',
    GPT,
    'refused-history',
  ],
  [413, '{"error":{"type":"request_too_large"}}', CLAUDE, 'overflow'],
  [400, 'temperature: range: 0..1', CLAUDE, 'bad-request'],
  [404, 'The model `gpt-9` does not exist or you do not have access to it.', GPT, 'bad-request'],
  [401, 'invalid x-api-key', CLAUDE, 'auth'],
  [403, 'permission_error', CLAUDE, 'auth'],
  [429, 'rate_limit_error', CLAUDE, 'rate'],
  [429, 'You exceeded your current quota … "code": "insufficient_quota"', GPT, 'bad-request'],
  [503, 'The engine is currently overloaded', GPT, 'overloaded'],
  [529, 'overloaded_error', CLAUDE, 'overloaded'],
  [500, 'api_error', CLAUDE, 'server'],
  [502, '<html>Bad gateway</html>', GPT, 'server'],
  [408, 'timeout', GPT, 'read'],
  [undefined, '{"type":"overloaded_error","message":"Overloaded"}', CLAUDE, 'overloaded'],
  [undefined, '{"type":"rate_limit_error"}', CLAUDE, 'rate'],
  [undefined, '{"code":"server_error","message":"The server had an error"}', GPT, 'server'],
  [undefined, '{"code":"context_length_exceeded","message":"too long"}', GPT, 'overflow'],
  [
    undefined,
    '{"type":"invalid_request_error","message":"messages.1: `tool_use` ids were found without `tool_result` blocks"}',
    CLAUDE,
    'refused-history',
  ],
  [undefined, '{"message":"something went wrong"}', GPT, 'server'],
];

test.each(ANSWERS)('%s %s', (...[status, text, target, kind]) => {
  expect(kindOf({ text, ...(status !== undefined && { status }) }, target)).toBe(kind);
});

test('the requested wait is read in each of its forms', () => {
  const after = (headers: Record<string, string>): number | undefined => retryAfterMs(new Headers(headers), 0);
  expect(after({ 'retry-after': '2' })).toBe(2000);
  expect(after({ 'retry-after': '1.5' })).toBe(1500);
  expect(after({ 'retry-after-ms': '250', 'retry-after': '9' })).toBe(250);
  expect(after({ 'retry-after': new Date(5000).toUTCString() })).toBe(5000);
  expect(after({ 'retry-after': 'soon' })).toBeUndefined();
  expect(after({ 'retry-after': '-1' })).toBeUndefined();
  expect(retryAfterMs(undefined, 0)).toBeUndefined();
});

describe.each(PROVIDERS)('$name', ({ port: portTo }) => {
  test.each([true, false])('an invalid key is reported, and no message contains it (streaming: %s)', async (stream) => {
    await using strict = await createSimulator({ key: 'sk-the-only-one-that-fits' });
    const { lines, log } = collected();
    const { error } = await ask(portTo(strict), { messages: [user('hi')], log, stream });
    expect(error).toMatchObject({ kind: 'auth', status: 401 });
    expect(error?.body).toMatch(/\w/);
    expect(JSON.stringify([lines, error?.message, error?.body])).not.toContain(KEY);
  });
});

/** A history that a provider refuses, unrepaired. */
const BROKEN = [
  {
    port: () => anthropic({ model: 'claude-sonnet-5', apiKey: KEY, baseURL: simulator().baseUrls.anthropic }),
    messages: [
      user('hi'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
      user('Are you there?'),
    ],
  },
  {
    port: () => openaiChat({ model: 'gpt-4.1', apiKey: KEY, baseURL: simulator().baseUrls.openai }),
    messages: [user('hi'), { role: 'tool', tool_call_id: 'call_1', content: '3 files' }],
  },
  {
    port: () => openaiResponses({ model: 'gpt-5', apiKey: KEY, baseURL: simulator().baseUrls.openai }),
    messages: [user('hi'), { type: 'function_call_output', call_id: 'call_1', output: '3 files' }],
  },
] as const;

test.each(BROKEN)('a refused history is recognised by the text of the refusal', async ({ port, messages }) => {
  const { lines, log } = collected();
  for (const stream of [true, false]) {
    // These messages were not prepared.
    const signal = new AbortController().signal;
    const events = port().call({ messages, tools: TOOLS }, { signal, clock: realClock, stream, log });
    const { error } = await drain(events);
    expect(error).toMatchObject({ name: 'ModelError', kind: 'refused-history', status: 400 });
  }
  expect(lines.map(({ level, event, status }) => [level, event, status])).toEqual([
    ['debug', 'request', undefined],
    ['warn', 'response', 400],
    ['debug', 'request', undefined],
    ['warn', 'response', 400],
  ]);
  expect(String(lines[1]?.['body'])).toMatch(/tool|call/);
  expect(String(lines[1]?.['url'])).toContain('/v1/');
});

test('without any key, a call fails as unauthorised', async () => {
  const ports = [openaiChat({ model: 'gpt-4.1' }), openaiResponses({ model: 'gpt-5' })];
  for (const port of ports) expect((await ask(port, { messages: [user('hi')] })).error?.kind).toBe('auth');
});

test('an error inside a stream is recognised by its type, and earlier text is kept', async () => {
  const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hel' } };
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  await using server = await httpServer(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of [block, overloaded]) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  const port = anthropic({ model: 'claude-sonnet-5', apiKey: KEY, baseURL: server.url });
  const { error } = await ask(port, { messages: [user('hi')] });
  expect(error).toMatchObject({ kind: 'overloaded', partial: [{ content: [{ type: 'text', text: 'Hel' }] }] });
  await port.renew();
});

test('a response that fails inside its stream is recognised by its code', async () => {
  const failed = {
    type: 'response.failed',
    response: { error: { code: 'rate_limit_exceeded', message: 'slow down' } },
  };
  await using server = await httpServer(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`event: ${failed.type}\ndata: ${JSON.stringify(failed)}\n\n`);
  });
  const port = openaiResponses({ model: 'gpt-5', apiKey: KEY, baseURL: `${server.url}/v1` });
  const { error } = await ask(port, { messages: [user('hi')] });
  expect([error?.kind, error?.message]).toEqual(['rate', 'openai/gpt-5: slow down']);
  await port.renew();
});

test('a turn paused by the provider continues with its own output', async () => {
  const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } };
  simulator().script({
    parts: [
      { kind: 'text', text: 'Searching.' },
      { kind: 'opaque', value: use },
    ],
    stop: 'pause',
  });
  const port = anthropic({ model: 'claude-sonnet-5', apiKey: KEY, baseURL: simulator().baseUrls.anthropic });
  const { end } = await ask(port, { messages: [user('hi')] });
  expect(end?.stop).toBe('pause');
  expect(end?.messages).toMatchObject([{ content: [{ text: 'Searching.' }, use] }]);
});

test.each(PROVIDERS)('$name: a call cut by the token limit keeps its text', async (provider) => {
  simulator().script({ ...reply('Writing.', call('read', '{"path":"a')), stop: 'length' }, 'Once more.');
  const port = provider.port(simulator());
  const { end } = await ask(port, { messages: [user('hi')] });
  expect(end?.stop).toBe('length');
  expect(JSON.stringify(end?.messages)).toContain(JSON.stringify('{"path":"a').slice(1, -1));
  const next = await ask(port, { messages: [user('hi'), ...(end?.messages ?? []), user('Go on.')] });
  expect(next.error).toBeUndefined();
});

test.each([
  [{ code: 429, message: 'Rate limit exceeded: wait a little' }, 'rate', 429],
  [{ code: 502, message: 'Provider returned error' }, 'server', 502],
  [{ code: 'server_error', message: 'It broke.' }, 'server', undefined],
  ['out of order', 'server', undefined],
] as const)('an error inside a 200 response is reported with its text: %j', async (error, kind, status) => {
  await using server = await httpServer(({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  const port = openaiChat({ model: 'gpt-4.1', apiKey: KEY, baseURL: server.url });
  const outcome = await ask(port, { messages: [user('hi')], stream: false });
  expect(outcome.error).toMatchObject({ kind, ...(status !== undefined && { status }) });
  expect(outcome.error?.message).toContain(typeof error === 'string' ? error : error.message);
});

test('unreadable compression is not requested, whatever the client has chosen', async () => {
  const asked: unknown[] = [];
  await using server = await httpServer(({ request, response }) => {
    asked.push(request.headers['accept-encoding']);
    response.writeHead(500).end();
  });
  const client = new OpenAI({ apiKey: KEY, baseURL: server.url, defaultHeaders: { 'accept-encoding': 'gzip, br' } });
  await ask(openaiChat({ model: 'gpt-4.1', client }), { messages: [user('hi')] });
  expect(asked).toEqual(['identity']);
});

describe('keys', () => {
  test('are removed from every log line', () => {
    const redactor = new Redactor();
    redactor.learn(new Headers({ authorization: 'Bearer my-own-key-1', 'x-api-key': 'another-key' }));
    expect(redactor.text('got my-own-key-1 and another-key')).toBe('got [redacted] and [redacted]');
    expect(redactor.text('Incorrect API key provided: sk-proj-abc***************xyz.')).not.toContain('sk-proj');
    expect(redactor.text('authorization: Bearer abc.def')).toBe('authorization: [redacted]');
    expect(redactor.text('task-force-of-many-people, skateboarders, keyboardists')).not.toContain('[redacted]');
    expect(redactor.url('https://me:pw@host.example/v1/x?key=AIzaSy123456789012&alt=sse')).toBe(
      'https://host.example/v1/x?key=%5Bredacted%5D&alt=%5Bredacted%5D',
    );
  });

  test('in an error response reach neither the log nor the error', async () => {
    await using server = await httpServer(({ request, response }) => {
      const key = String(request.headers['authorization']);
      response.writeHead(401).end(`{"error":{"message":"no such key: ${key}"}}`);
    });
    const { lines, log } = collected();
    // A key of an unknown shape.
    const apiKey = 'plain words and 7 numbers';
    const port = openaiChat({
      model: 'gpt-4.1',
      apiKey,
      baseURL: `${server.url}/v1?key=${encodeURIComponent(apiKey)}`,
    });
    const { error } = await ask(port, { messages: [user('hi')], log });
    expect(error).toMatchObject({ kind: 'auth', status: 401 });
    expect(error?.body).toContain('no such key: [redacted]');
    expect(lines).toHaveLength(2);
    expect(JSON.stringify([lines, error?.message, error?.body])).not.toMatch(/plain|numbers/);
    await port.renew();
  });

  test('a log contains the first 500 characters of an error, and a throwing listener has no effect', async () => {
    await using server = await httpServer(({ response }) => {
      response.writeHead(500).end('x'.repeat(5000));
    });
    const { lines, log } = collected();
    const port = openaiChat({ model: 'gpt-4.1', apiKey: KEY, baseURL: `${server.url}/v1` });
    await ask(port, { messages: [user('hi')], log });
    expect(lines.map(({ event, method, body }) => [event, method, body])).toEqual([
      ['request', 'POST', undefined],
      ['response', 'POST', 'x'.repeat(500)],
    ]);
    const throwing = (): never => {
      throw new Error('the disk is full');
    };
    expect((await ask(port, { messages: [user('hi')], log: throwing })).error?.kind).toBe('server');
    await port.renew();
  });
});
