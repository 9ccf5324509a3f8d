import OpenAI, {
  APIConnectionError,
  type APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  OpenAIError,
  RateLimitError,
} from 'openai';
import { expect, test } from 'vitest';

import { call, reply } from '../../src/index.ts';
import { drain, KEY, rejection, useSimulator } from './surroundings.ts';

type Message = OpenAI.ChatCompletionMessageParam;

const simulator = useSimulator();
const clientOf = (options: { apiKey?: string; maxRetries?: number } = {}): OpenAI =>
  new OpenAI({ apiKey: KEY, baseURL: simulator().baseUrls.openai, maxRetries: 0, ...options });

const MODEL = 'gpt-4.1';
const QUESTION: Message = { role: 'user', content: 'What do they say?' };
const READ: OpenAI.ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'read',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
};
const TWO_CALLS = reply('Reading both … 🙂', call('read', { path: 'über.md' }), call('read', { path: 'b.md' }));
const asking = (...messages: Message[]): OpenAI.ChatCompletionCreateParamsNonStreaming => ({ model: MODEL, messages });

const functionsOf = (
  message: OpenAI.ChatCompletionMessage | undefined,
): OpenAI.ChatCompletionMessageFunctionToolCall[] =>
  (message?.tool_calls ?? []).filter((each) => each.type === 'function');

test('a text comes back whole and as a stream, with its token figures', async () => {
  const words = 'Both say hello – 日本語 too. 🙂';
  const answer = { ...reply(words), usage: { input: 12, output: 7 } };
  simulator().script(answer, answer);
  const whole = await clientOf().chat.completions.create(asking(QUESTION));
  expect(whole).toMatchObject({
    choices: [{ message: { role: 'assistant', content: words }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 12, completion_tokens: 7 },
  });
  const stream = await clientOf().chat.completions.create({
    ...asking(QUESTION),
    stream: true,
    stream_options: { include_usage: true },
  });
  const { seen, error } = await drain(stream);
  expect(error).toBeUndefined();
  expect(seen.length).toBeGreaterThan(3);
  expect(seen.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(words);
  expect(seen.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 7 } });
});

test.each(['whole', 'streamed'])('two parallel calls are answered by two messages (%s)', async (how) => {
  simulator().script(TWO_CALLS, 'They agree.');
  const client = clientOf();
  const messages: Message[] = [QUESTION];
  const ask = async (): Promise<OpenAI.ChatCompletionMessage | undefined> => {
    const params = { ...asking(...messages), tools: [READ] };
    const completion =
      how === 'whole'
        ? await client.chat.completions.create(params)
        : await client.chat.completions.stream({ ...params, stream: true }).finalChatCompletion();
    return completion.choices[0]?.message;
  };
  const first = await ask();
  const calls = functionsOf(first);
  expect(calls.map((made) => JSON.parse(made.function.arguments) as unknown)).toEqual([
    { path: 'über.md' },
    { path: 'b.md' },
  ]);
  if (first) messages.push(first);
  for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: `text for ${id}` });
  expect(await ask()).toMatchObject({ content: 'They agree.' });
  expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true, true]);
});

test('the tool runner of the client goes through the loop by itself', async () => {
  simulator().script(TWO_CALLS, 'They agree.');
  const paths: string[] = [];
  const runner = clientOf().chat.completions.runTools({
    ...asking(QUESTION),
    tools: [
      {
        type: 'function',
        function: {
          name: 'read',
          description: 'reads a file',
          parameters: { type: 'object', properties: { path: { type: 'string' } } },
          parse: (input: string) => JSON.parse(input) as { path: string },
          function: ({ path }: { path: string }) => (paths.push(path), `text of ${path}`),
        },
      },
    ],
  });
  expect(await runner.finalContent()).toBe('They agree.');
  expect(paths).toEqual(['über.md', 'b.md']);
});

test('a refusal is a BadRequestError with the words and the parameter of the provider', async () => {
  const unanswered: Message = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }],
  };
  const error = await rejection(clientOf().chat.completions.create(asking(QUESTION, unanswered, QUESTION)));
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    param: 'messages.[2].role',
    error: {
      message:
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        'The following tool_call_ids did not have response messages: call_1',
    },
    requestID: expect.stringMatching(/^req_/),
  });
});

test('a wrong key is an AuthenticationError', async () => {
  const error = await rejection(clientOf({ apiKey: 'sk-other' }).chat.completions.create(asking(QUESTION)));
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ status: 401, code: 'invalid_api_key' });
});

test('a rate limit is a RateLimitError that says when to come back', async () => {
  simulator().inject('429:7');
  const error = await rejection(clientOf().chat.completions.create(asking(QUESTION)));
  expect(error).toBeInstanceOf(RateLimitError);
  expect((error as APIError).headers?.get('retry-after')).toBe('7');
  expect(error).toMatchObject({ code: 'rate_limit_exceeded' });
});

test.each([
  ['529', { status: 503 }],
  ['500', { status: 500 }],
])('%s is an InternalServerError', async (fault, expected) => {
  simulator().inject(fault);
  for (const stream of [false, true]) {
    const error = await rejection(clientOf().chat.completions.create({ ...asking(QUESTION), stream }));
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({ ...expected, type: 'server_error' });
  }
});

test('a history that is too long is a BadRequestError with its code', async () => {
  simulator().inject('overflow');
  const error = await rejection(clientOf().chat.completions.create(asking(QUESTION)));
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error).toMatchObject({ code: 'context_length_exceeded' });
});

test('a connection that closes before the head is an APIConnectionError', async () => {
  simulator().inject('close');
  const error = await rejection(clientOf().chat.completions.create(asking(QUESTION)));
  expect(error).toBeInstanceOf(APIConnectionError);
});

test('a stream that is cut keeps what came, and the helper of the client throws an error of its own', async () => {
  const words = 'One, two, three, four, five, six, seven.';
  simulator().script(words, words);
  simulator().inject('cut-events:4');
  const { seen, error } = await drain(await clientOf().chat.completions.create({ ...asking(QUESTION), stream: true }));
  expect(seen.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toMatch(/^One/);
  expect(error).toBeInstanceOf(Error);
  const helped = clientOf().chat.completions.stream({ ...asking(QUESTION), stream: true });
  expect(await rejection(helped.finalContent())).toBeInstanceOf(OpenAIError);
});
