import { describe, expect, test } from 'vitest';

import { repairingFetch, type Fetch, type RepairingFetchOptions, type Sent } from '../src/fetch.ts';

type Call = { readonly input: Parameters<Fetch>[0]; readonly init: Parameters<Fetch>[1] };

/** A fetch that answers everything with the same status, and what it was called with. */
function recorder(status = 200): { calls: Call[]; fetch: Fetch } {
  const calls: Call[] = [];
  return {
    calls,
    fetch: (input, init) => (calls.push({ input, init }), Promise.resolve(new Response('{}', { status }))),
  };
}

const URL_OF_MESSAGES = 'https://api.anthropic.com/v1/messages';
const TOOLS = [{ name: 'read', input_schema: { type: 'object' } }];
const BROKEN = {
  model: 'claude-sonnet-5',
  max_tokens: 100,
  tools: TOOLS,
  messages: [
    { role: 'user', content: 'What does it say? 🙂' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
    { role: 'user', content: 'Are you still there?' },
  ],
};
const HEALTHY = { ...BROKEN, messages: BROKEN.messages.slice(0, 1) };
const REFERRED = {
  model: 'gpt-5.1',
  input: [
    { role: 'user', content: 'go' },
    { type: 'item_reference', id: 'sh_1' },
    { type: 'shell_call_output', call_id: 'call_1', output: [] },
  ],
};
const JSON_HEADERS = { 'content-type': 'application/json' };
const post = (body: unknown, extra: Partial<RequestInit> = {}): RequestInit => ({
  method: 'POST',
  headers: JSON_HEADERS,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...extra,
});

/** Sends one request, and gives what went out. */
async function sent(
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
  options: RepairingFetchOptions = {},
): Promise<Call | undefined> {
  const { calls, fetch } = recorder();
  await repairingFetch(fetch, options)(input, init);
  expect(calls).toHaveLength(1);
  return calls[0];
}

/** The text that went out as the body. */
const textOf = (call: Call | undefined): string => (typeof call?.init?.body === 'string' ? call.init.body : '');

describe('an API of somebody else under a path that ends like a known one', () => {
  const foreign: readonly (readonly [url: string, body: unknown])[] = [
    ['https://example.com/api/messages', { messages: [{ text: 'x' }] }],
    ['https://example.com/api/messages', { messages: [{ text: 'x' }, 'y', null] }],
    ['https://example.com/api/messages', { messages: [] }],
    ['https://example.com/v1/responses', { survey: 5, input: [{ question: 1 }] }],
    ['https://example.com/v1/responses', { survey: 5, input: [] }],
    ['https://example.com/chat/completions', { messages: [{ body: 'x' }] }],
  ];

  test.each(foreign)('gets what was given: %s %j', async (url, body) => {
    const reports: string[] = [];
    const init = post(body);
    const { calls, fetch } = recorder(400);
    const onReport: RepairingFetchOptions['onReport'] = ({ verdict, repairs }) =>
      void reports.push(`${verdict} ${repairs.length}`);
    await repairingFetch(fetch, { onReport })(url, init);
    expect(calls.map((call) => call.init)).toEqual([init]);
    // What is no request of the dialect is told as something that was not repaired, and once.
    expect(reports).toEqual(['broken 0']);
  });

  test('is repaired where somebody says that it is one, or the request names a model', async () => {
    const body = { messages: [{ text: 'x' }] };
    const told = await sent('https://example.com/api/messages', post(body), { target: () => 'anthropic-messages' });
    expect(textOf(told)).toContain('[unreadable message] x');
    const empty = await sent(URL_OF_MESSAGES, post({ ...BROKEN, messages: [] }));
    expect(textOf(empty)).toContain('[conversation resumed]');
  });
});

describe('what is not a request to a known API passes untouched', () => {
  const text = JSON.stringify(BROKEN);
  const cases: readonly (readonly [what: string, input: string | URL | Request, init: RequestInit | undefined])[] = [
    ['no options', URL_OF_MESSAGES, undefined],
    ['another method', URL_OF_MESSAGES, { ...post(BROKEN), method: 'PUT' }],
    ['no method', URL_OF_MESSAGES, { body: text }],
    ['another path', 'https://api.anthropic.com/v1/files', post(BROKEN)],
    ['no list of messages', URL_OF_MESSAGES, post({ to: 'Bob', text: 'x' })],
    ['a path that only begins like one', 'https://api.anthropic.com/v1/messages/batches', post(BROKEN)],
    ['a form', URL_OF_MESSAGES, { method: 'POST', body: new FormData() }],
    ['a stream', URL_OF_MESSAGES, { method: 'POST', body: new Blob([text]).stream(), duplex: 'half' }],
    ['a blob', URL_OF_MESSAGES, { method: 'POST', body: new Blob([text]) }],
    ['a signal that was aborted', URL_OF_MESSAGES, post(BROKEN, { signal: AbortSignal.abort() })],
    ['a request object', new Request(URL_OF_MESSAGES, post(BROKEN)), undefined],
    ['text that is no JSON', URL_OF_MESSAGES, post('{"messages":')],
    ['JSON that is no object', URL_OF_MESSAGES, post('"messages"')],
    ['a list of messages, which is no request', 'https://example.com/api/messages', post(BROKEN.messages)],
    ['bytes that are no text', URL_OF_MESSAGES, post('', { body: new Uint8Array([0xff, 0xfe]) })],
    ['another type of content', URL_OF_MESSAGES, post(BROKEN, { headers: { 'content-type': 'text/plain' } })],
    ['a compressed body', URL_OF_MESSAGES, post(BROKEN, { headers: { 'content-encoding': 'gzip' } })],
    ['a signed body', URL_OF_MESSAGES, post(BROKEN, { headers: { authorization: 'AWS4-HMAC-SHA256 Credential=x' } })],
    ['a digest of the body', URL_OF_MESSAGES, post(BROKEN, { headers: { 'content-digest': 'sha-256=:x:' } })],
    ['a body without messages', 'https://api.openai.com/v1/threads/t/messages', post({ role: 'user', content: 'hi' })],
    ['another model of a cloud', 'https://x/publishers/meta/models/llama:rawPredict', post(BROKEN)],
    ['a healthy history', URL_OF_MESSAGES, post(HEALTHY)],
    ['a call that the AI SDK sends as a reference', 'https://api.openai.com/v1/responses', post(REFERRED)],
  ];

  test.each(cases)('%s', async (_what, input, init) => {
    const errors: unknown[] = [];
    const reports: unknown[] = [];
    const options = {
      onError: (error: unknown) => errors.push(error),
      onReport: (...told: unknown[]) => reports.push(told),
    };
    const call = await sent(input, init, options);
    expect(call?.input).toBe(input);
    expect(call?.init).toBe(init);
    expect([reports, errors]).toEqual([[], []]);
  });
});

describe('a broken history is repaired on its way out', () => {
  test('and everything else of the request stays as it was', async () => {
    const { signal } = new AbortController();
    const init = post(BROKEN, { signal, keepalive: true });
    const url = new URL(URL_OF_MESSAGES);
    const call = await sent(url, init);
    expect(call?.input).toBe(url);
    expect(call?.init).toMatchObject({ method: 'POST', keepalive: true });
    expect(call?.init?.signal).toBe(signal);
    expect(call?.init?.headers).toBe(JSON_HEADERS);
    const body = JSON.parse(textOf(call)) as typeof BROKEN;
    expect(body).toMatchObject({ model: 'claude-sonnet-5', max_tokens: 100, tools: TOOLS });
    expect(body.messages[2]?.content[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true });
    expect(init.body).toBe(JSON.stringify(BROKEN));
  });

  test.each([
    ['bytes', new TextEncoder().encode(JSON.stringify(BROKEN))],
    ['a buffer', new TextEncoder().encode(JSON.stringify(BROKEN)).buffer],
  ])('also one that comes as %s', async (_what, body) => {
    const call = await sent(URL_OF_MESSAGES, post('', { body }));
    expect(textOf(call)).toContain('"tool_result"');
  });

  test.each([
    ['an object', { ...JSON_HEADERS, 'Content-Length': '1' }],
    ['pairs', [['Content-Length', '1'] as [string, string]]],
    ['headers', new Headers({ 'content-length': '1' })],
  ])('and a length that was given as %s is right', async (_what, headers) => {
    const call = await sent(URL_OF_MESSAGES, post(BROKEN, { headers }));
    const length = new Headers(call?.init?.headers).get('content-length');
    expect(Number(length)).toBe(new TextEncoder().encode(textOf(call)).length);
    expect(Number(length)).toBeGreaterThan(textOf(call).length);
  });

  test('with the policy and the evidence that were chosen', async () => {
    const denied = await sent(URL_OF_MESSAGES, post(BROKEN), { evidence: { toolu_1: 'denied' } });
    expect(textOf(denied)).toContain('permission for this call was refused');
    const discarded = await sent(URL_OF_MESSAGES, post(BROKEN), { policy: 'discard' });
    expect(textOf(discarded)).not.toContain('toolu_1');
  });
});

const chat = (model: string): object => ({
  model,
  messages: [{ role: 'tool', tool_call_id: 'call_1', content: 'hello' }],
});
const claude = { ...BROKEN, anthropic_version: 'vertex-2023-10-16' };
const contents = { contents: [{ role: 'user', parts: [] }] };
const converse = {
  messages: [{ role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text: 'b' }] } }] }],
};
const items = { model: 'gpt-5', input: [{ type: 'function_call_output', call_id: 'call_1', output: 'hello' }] };

describe('the address and the body tell the dialect', () => {
  test.each([
    [URL_OF_MESSAGES, BROKEN, 'anthropic-messages'],
    [`${URL_OF_MESSAGES}?beta=true`, BROKEN, 'anthropic-messages'],
    [`${URL_OF_MESSAGES}/count_tokens`, BROKEN, 'anthropic-messages'],
    ['/api/anthropic/v1/messages', BROKEN, 'anthropic-messages'],
    [
      'https://x/v1/projects/p/publishers/anthropic/models/claude-opus-4-5:streamRawPredict',
      claude,
      'anthropic-messages',
    ],
    ['https://bedrock/model/anthropic.claude-opus-4-5-v1%3A0/invoke', claude, 'anthropic-messages'],
    ['https://bedrock/model/anthropic.claude-opus-4-5-v1%3A0/converse-stream', converse, 'bedrock-converse'],
    ['https://bedrock/model/%E0%A4%A/converse', converse, 'bedrock-converse'],
    ['https://api.openai.com/v1/chat/completions', chat('gpt-4.1'), 'openai-chat'],
    ['https://a.openai.azure.com/openai/deployments/d/chat/completions?api-version=1', chat('d'), 'openai-chat'],
    ['https://api.groq.com/openai/v1/chat/completions', chat('llama-3.3-70b-versatile'), 'openai-chat'],
    ['https://openrouter.ai/api/v1/chat/completions', chat('x/y'), 'openai-chat'],
    ['https://api.mistral.ai/v1/chat/completions', chat('my-model'), 'mistral-chat'],
    ['https://api.mistral.ai/v1/agents/completions', chat('my-model'), 'mistral-chat'],
    ['http://localhost:8000/v1/chat/completions', chat('mistral-large-latest'), 'mistral-chat'],
    ['https://api.openai.com/v1/responses', items, 'openai-responses'],
    ['https://api.openai.com/v1/responses/compact', items, 'openai-responses'],
    ['https://g/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse', contents, 'gemini'],
    ['https://g/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:generateContent', contents, 'gemini'],
  ])('%s', async (url, body, dialect) => {
    const told: Sent[] = [];
    await sent(url, post(body), { onReport: (_report, request) => told.push(request) });
    expect(told).toEqual([{ url, dialect }]);
  });

  test('a table of one’s own comes first, and leaves to the address what it does not know', async () => {
    const target: RepairingFetchOptions['target'] = (url) => (url.endsWith('/ask') ? 'anthropic-messages' : undefined);
    expect(textOf(await sent('https://mine/ask', post(BROKEN), { target }))).toContain('tool_result');
    expect(textOf(await sent(URL_OF_MESSAGES, post(BROKEN), { target }))).toContain('tool_result');
    const init = post(BROKEN);
    expect((await sent('https://mine/other', init, { target }))?.init).toBe(init);
  });

  test('the model in an address decides what depends on the model', async () => {
    const prefilled = { messages: [...HEALTHY.messages, { role: 'assistant', content: 'It says' }] };
    const at = (model: string): string => `https://x/publishers/anthropic/models/${model}:rawPredict`;
    const body = { ...prefilled, anthropic_version: 'vertex-2023-10-16', max_tokens: 9 };
    const init = post(body);
    expect((await sent(at('claude-3-5-haiku-20241022'), init))?.init).toBe(init);
    expect((await sent(at('claude-opus-4-6'), init))?.init).not.toBe(init);
  });
});

describe('nothing of ours keeps a request from going out', () => {
  const broken = new Error('broken');
  const fails = (): never => {
    throw broken;
  };

  test('when a choice throws, the original goes out', async () => {
    const errors: unknown[] = [];
    const init = post(BROKEN);
    const options = { target: fails, onError: (error: unknown) => errors.push(error) };
    expect((await sent(URL_OF_MESSAGES, init, options))?.init).toBe(init);
    expect(errors).toEqual([broken]);
  });

  test('when a listener throws, the repaired request goes out', async () => {
    const errors: unknown[] = [];
    const options = { onReport: fails, onError: (error: unknown) => errors.push(error) };
    expect(textOf(await sent(URL_OF_MESSAGES, post(BROKEN), options))).toContain('tool_result');
    expect(errors).toEqual([broken]);
  });

  test('when what is told of errors throws too, nobody is told', async () => {
    const init = post(BROKEN);
    expect((await sent(URL_OF_MESSAGES, init, { target: fails, onError: fails }))?.init).toBe(init);
  });

  test('when the options of a request cannot be read, they go out as they are', async () => {
    const init = post(BROKEN, { headers: [['no']] as unknown as [string, string][] });
    expect((await sent(URL_OF_MESSAGES, init))?.init).toBe(init);
  });

  test('what the wrapped fetch throws comes through', async () => {
    const failing = repairingFetch(() => Promise.reject(broken));
    await expect(failing(URL_OF_MESSAGES, post(BROKEN))).rejects.toBe(broken);
  });

  test('without a fetch the global one is used, as it is at the time', async () => {
    const { calls, fetch } = recorder();
    const repairing = repairingFetch();
    const original = globalThis.fetch;
    globalThis.fetch = fetch;
    try {
      await repairing(URL_OF_MESSAGES, post(BROKEN));
    } finally {
      globalThis.fetch = original;
    }
    expect(calls).toHaveLength(1);
  });
});

describe('a refusal that says nothing new', () => {
  /** Answers everything with the same text. */
  const answering = (text: string, status: number): { calls: Call[]; fetch: Fetch } => {
    const calls: Call[] = [];
    const fetch: Fetch = (input, init) => (
      calls.push({ input, init }),
      Promise.resolve(new Response(text, { status }))
    );
    return { calls, fetch };
  };

  test.each([
    [400, '{"error":{"message":"The moon is full."}}'],
    [400, '[{"error":{"message":"The moon is full."}}]'],
    [422, '{"message":"The moon is full."}'],
    [404, '{"error":"The moon is full."}'],
    [400, 'The moon is full.'],
    [400, 'null'],
    [400, ''],
    [400, 'x'.repeat(200_000)],
    [500, '{"error":{"message":"The moon is full."}}'],
  ])('with status %i is given to the caller as it came: %s', async (status, text) => {
    const { calls, fetch } = answering(text, status);
    const errors: unknown[] = [];
    const response = await repairingFetch(fetch, { onError: (error) => errors.push(error) })(
      URL_OF_MESSAGES,
      post(BROKEN),
    );
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect([calls.length, errors]).toEqual([1, []]);
  });

  test('is given on also where it cannot be read', async () => {
    const broken = new Error('broken');
    const clone = (): never => {
      throw broken;
    };
    const response = Object.defineProperty(new Response('{}', { status: 400 }), 'clone', { value: clone });
    const errors: unknown[] = [];
    const fetch = repairingFetch(() => Promise.resolve(response), { onError: (error) => errors.push(error) });
    expect(await fetch(URL_OF_MESSAGES, post(HEALTHY))).toBe(response);
    expect(errors).toEqual([broken]);
  });
});
