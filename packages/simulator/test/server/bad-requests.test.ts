import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createSimulator, type ApiName, type Simulator } from '../../src/index.ts';
import { APIS, headersFor, least, post, type Post } from './client.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ key: 'key' });
});
afterAll(() => simulator.close());

const anthropicError = (type: string, message: unknown): object => ({
  type: 'error',
  error: { type, message },
  request_id: expect.stringMatching(/^req_/),
});
const openaiError = (message: unknown, rest: { code?: string; param?: string } = {}): object => ({
  error: { message, type: 'invalid_request_error', param: rest.param ?? null, code: rest.code ?? null },
});
const geminiError = (code: number, status: string, message: unknown): object => ({ error: { code, message, status } });

const seen = async (response: Response): Promise<object> => ({
  status: response.status,
  type: response.headers.get('content-type'),
  body: await response.json(),
});
const answer = (status: number, body: object): object => ({ status, type: 'application/json', body });

type Case = readonly [what: string, api: ApiName, post: Post, status: number, body: object];

const withBody = (api: ApiName, change: Record<string, unknown>): Post => ({
  body: JSON.parse(JSON.stringify({ ...least(api), ...change })) as Record<string, unknown>,
});

const cases: readonly Case[] = [
  ['a wrong path', 'anthropic-messages', { path: '/v1/message' }, 404, anthropicError('not_found_error', 'Not Found')],
  [
    'a wrong path',
    'openai-chat',
    { path: '/v1/chat/completion' },
    404,
    openaiError('Invalid URL (POST /v1/chat/completion)'),
  ],
  ['a wrong path', 'openai-responses', { path: '/v1/response' }, 404, openaiError('Invalid URL (POST /v1/response)')],
  [
    'a wrong path',
    'gemini',
    { path: '/v1beta/models/gemini-2.5-pro:generate' },
    404,
    geminiError(404, 'NOT_FOUND', expect.stringMatching(/^models\/gemini-2.5-pro is not found for API version v1beta/)),
  ],
  [
    'no JSON',
    'anthropic-messages',
    { body: '{"model": ' },
    400,
    anthropicError('invalid_request_error', expect.stringContaining('The request body is not valid JSON: ')),
  ],
  [
    'no JSON',
    'openai-chat',
    { body: 'hello' },
    400,
    openaiError(expect.stringContaining('We could not parse the JSON body of your request.')),
  ],
  [
    'no JSON',
    'openai-responses',
    { body: '[1' },
    400,
    openaiError(expect.stringContaining('We could not parse the JSON body of your request.')),
  ],
  [
    'no JSON',
    'gemini',
    { body: '' },
    400,
    geminiError(400, 'INVALID_ARGUMENT', expect.stringContaining('Invalid JSON payload received.')),
  ],
  [
    'no object',
    'anthropic-messages',
    { body: '[]' },
    400,
    anthropicError('invalid_request_error', expect.stringContaining('not valid JSON')),
  ],
  ['no object', 'openai-chat', { body: '7' }, 400, openaiError(expect.stringContaining('could not parse the JSON'))],
  ['no object', 'openai-responses', { body: '""' }, 400, openaiError(expect.stringContaining('could not parse'))],
  ['no object', 'gemini', { body: 'null' }, 400, geminiError(400, 'INVALID_ARGUMENT', expect.stringContaining('JSON'))],
  [
    'no model',
    'anthropic-messages',
    withBody('anthropic-messages', { model: undefined }),
    400,
    anthropicError('invalid_request_error', 'model: Field required'),
  ],
  [
    'no max_tokens',
    'anthropic-messages',
    withBody('anthropic-messages', { max_tokens: undefined }),
    400,
    anthropicError('invalid_request_error', 'max_tokens: Field required'),
  ],
  [
    'no model',
    'openai-chat',
    withBody('openai-chat', { model: undefined }),
    400,
    openaiError('you must provide a model parameter'),
  ],
  [
    'no model',
    'openai-responses',
    withBody('openai-responses', { model: undefined }),
    400,
    openaiError("Missing required parameter: 'model'.", { param: 'model', code: 'missing_required_parameter' }),
  ],
  [
    'no version',
    'anthropic-messages',
    { headers: { 'anthropic-version': '' } },
    400,
    anthropicError('invalid_request_error', 'anthropic-version: header is required'),
  ],
  [
    'a wrong key',
    'anthropic-messages',
    { headers: { 'x-api-key': 'other' } },
    401,
    anthropicError('authentication_error', 'invalid x-api-key'),
  ],
  [
    'a wrong key',
    'openai-chat',
    { headers: { authorization: 'Bearer sk-other-key-1234' } },
    401,
    openaiError(expect.stringMatching(/^Incorrect API key provided: sk-other\*+1234\. /), { code: 'invalid_api_key' }),
  ],
  [
    'a wrong key',
    'openai-responses',
    { headers: { authorization: 'Bearer sk-other-key-1234' } },
    401,
    openaiError(expect.stringMatching(/^Incorrect API key provided: sk-other\*+1234\. /), { code: 'invalid_api_key' }),
  ],
  [
    'a wrong key',
    'gemini',
    { headers: { 'x-goog-api-key': 'other' } },
    400,
    geminiError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
  ],
];

describe('a bad request gets what the real API gives', () => {
  test.each(cases)('%s: %s', async (...[, api, given, status, body]) => {
    expect(await seen(await post(simulator, api, given))).toEqual(answer(status, body));
  });

  const noKeys: readonly (readonly [ApiName, number, object])[] = [
    ['anthropic-messages', 401, anthropicError('authentication_error', 'x-api-key header is required')],
    ['openai-chat', 401, openaiError(expect.stringMatching(/^You didn't provide an API key\./))],
    ['openai-responses', 401, openaiError(expect.stringMatching(/^You didn't provide an API key\./))],
    ['gemini', 403, geminiError(403, 'PERMISSION_DENIED', expect.stringMatching(/^Method doesn't allow unregistered/))],
  ];
  test.each(noKeys)('no key: %s', async (api, status, body) => {
    const headers = { 'x-api-key': '', authorization: '', 'x-goog-api-key': '' };
    expect(await seen(await post(simulator, api, { headers }))).toEqual(answer(status, body));
  });

  const methods: readonly (readonly [ApiName, string, object])[] = [
    ['anthropic-messages', '/v1/messages', anthropicError('invalid_request_error', 'Method Not Allowed')],
    [
      'openai-chat',
      '/v1/chat/completions',
      openaiError('Not allowed to PUT on /v1/chat/completions.', { code: 'method_not_supported' }),
    ],
    [
      'openai-responses',
      '/v1/responses',
      openaiError('Not allowed to PUT on /v1/responses.', { code: 'method_not_supported' }),
    ],
    [
      'gemini',
      '/v1beta/models/g:generateContent',
      geminiError(405, 'UNIMPLEMENTED', expect.stringContaining('The request method PUT')),
    ],
  ];
  test.each(methods)('a wrong method: %s', async (api, path, body) => {
    const response = await fetch(simulator.url + path, { method: 'PUT', headers: headersFor(api), body: '{}' });
    expect(await seen(response)).toEqual(answer(405, body));
  });

  const large: readonly (readonly [ApiName, number, object])[] = [
    ['anthropic-messages', 413, anthropicError('request_too_large', 'Request exceeds the maximum size')],
    [
      'openai-chat',
      400,
      openaiError(expect.stringContaining('string too long. Expected a string with maximum length 10485760'), {
        code: 'string_above_max_length',
        param: 'messages[0].content',
      }),
    ],
    [
      'openai-responses',
      400,
      openaiError(expect.stringContaining('string too long. Expected a string with maximum length 10485760'), {
        code: 'string_above_max_length',
        param: 'input[0].content',
      }),
    ],
    ['gemini', 400, geminiError(400, 'INVALID_ARGUMENT', 'Request payload size exceeds the limit: 20971520 bytes.')],
  ];
  test.each(large)('40 MB: %s', async (api, status, body) => {
    expect(await seen(await post(simulator, api, { body: least(api, 'x'.repeat(40_000_000)) }))).toEqual(
      answer(status, body),
    );
  });

  test('a thread is refused with a code that clients know, and without the beta as an unknown field', async () => {
    const given = withBody('anthropic-messages', { thread: { type: 'create' } });
    const headers = { 'anthropic-beta': 'message-threads-2026-08-12' };
    expect(await (await post(simulator, 'anthropic-messages', { ...given, headers })).json()).toMatchObject({
      error: { type: 'invalid_request_error', details: { error_code: 'thread_unsupported_request' } },
    });
    expect(await seen(await post(simulator, 'anthropic-messages', given))).toEqual(
      answer(400, anthropicError('invalid_request_error', 'thread: Extra inputs are not permitted')),
    );
  });

  test('a bad percent sign in a path harms nobody', async () => {
    const response = await post(simulator, 'gemini', { path: '/v1beta/models/%E0%A4%A:generateContent' });
    expect(response.status).toBe(200);
  });
});

describe('a good request is let in', () => {
  test.each(APIS)('%s', async (api) => {
    expect((await post(simulator, api)).status).toBe(200);
  });

  const doors: readonly (readonly [api: ApiName, headers: Record<string, string>, path: string | undefined])[] = [
    ['anthropic-messages', { 'x-api-key': 'key', authorization: '' }, undefined],
    ['anthropic-messages', { 'x-api-key': '', authorization: 'Bearer key' }, undefined],
    ['gemini', { 'x-goog-api-key': '', authorization: '' }, '/v1beta/models/gemini-2.5-pro:generateContent?key=key'],
  ];
  test.each(doors)('%s with its key in %j', async (api, headers, path) => {
    expect((await post(simulator, api, { headers, ...(path !== undefined && { path }) })).status).toBe(200);
  });

  test('any key will do where none is set', async () => {
    await using open = await createSimulator();
    expect((await post(open, 'openai-chat', { headers: { authorization: 'Bearer whatever' } })).status).toBe(200);
  });
});

describe('words of Anthropic', () => {
  const bodies: readonly (readonly [string, string])[] = [
    ['{"a":1,', 'unexpected end of data: line 1 column 8 (char 7)'],
    ['{"a":', 'unexpected end of data: line 1 column 6 (char 5)'],
    ['', 'unexpected end of data: line 1 column 1 (char 0)'],
    ['{"a" 1}', 'unexpected character: line 1 column 6 (char 5)'],
    ['hello', 'unexpected character: line 1 column 1 (char 0)'],
    ['{"a":\n  x', 'unexpected character: line 2 column 3 (char 8)'],
  ];
  test.each(bodies)('for %j say what stopped the parser, and where', async (body, words) => {
    const { error } = (await (await post(simulator, 'anthropic-messages', { body })).json()) as {
      error: { message: string };
    };
    expect(error.message).toBe(`The request body is not valid JSON: ${words}`);
  });

  test.each(['/v1/models/claude-x', '/v1/models', '/v1/nothing'])(
    'answer its client that asks for %s',
    async (path) => {
      const response = await fetch(simulator.url + path, { headers: headersFor('anthropic-messages') });
      expect(await seen(response)).toEqual(answer(404, anthropicError('not_found_error', 'Not Found')));
    },
  );
});

test('a model that an OpenAI client asks for is not found in the words of OpenAI', async () => {
  const response = await fetch(`${simulator.url}/v1/models/gpt-5`, { headers: headersFor('openai-chat') });
  expect(await seen(response)).toEqual(answer(404, openaiError('Invalid URL (GET /v1/models/gpt-5)')));
});

const cutBodies: readonly (readonly [string, string])[] = [
  ['{"a":', 'Unexpected end of string. Expected a value.\n{"a":\n     ^'],
  ['{"a": x}', 'Unexpected token.\n{"a": x}\n      ^'],
];
test.each(cutBodies)('words of Gemini for %j show the place', async (body, words) => {
  const text = `Invalid JSON payload received. ${words}`;
  expect(await seen(await post(simulator, 'gemini', { body }))).toEqual(
    answer(400, geminiError(400, 'INVALID_ARGUMENT', text)),
  );
});
