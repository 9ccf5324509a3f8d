import Anthropic, {
  AnthropicError,
  APIConnectionError,
  type APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  RateLimitError,
} from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';

import { call, reasoning, reply } from '../../src/index.ts';
import { drain, KEY, rejection, useSimulator } from './surroundings.ts';

const simulator = useSimulator();
const clientOf = (options: { apiKey?: string; maxRetries?: number } = {}): Anthropic =>
  new Anthropic({ apiKey: KEY, authToken: null, baseURL: simulator().baseUrls.anthropic, maxRetries: 0, ...options });

const MODEL = 'claude-sonnet-5';
/** A model whose reasoning is bound to the conversation before it. */
const BINDING = 'claude-fable-5-1';
const READ: Anthropic.Tool = {
  name: 'read',
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const TWO_CALLS = reply('Reading both … 🙂', call('read', { path: 'über.md' }), call('read', { path: 'b.md' }));

const asking = (...messages: Anthropic.MessageParam[]): Anthropic.MessageCreateParamsNonStreaming => ({
  model: MODEL,
  max_tokens: 1000,
  messages,
});
const QUESTION: Anthropic.MessageParam = { role: 'user', content: 'What do they say?' };

/** Answers every call of a message. */
function resultsOf(message: Anthropic.Message): Anthropic.MessageParam {
  const calls = message.content.filter((block) => block.type === 'tool_use');
  return {
    role: 'user',
    content: calls.map(({ id, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: `text of ${(input as { path: string }).path}`,
    })),
  };
}

test('a text comes back whole and as a stream, with its token figures', async () => {
  const words = 'Both say hello – 日本語 too. 🙂';
  simulator().script({ ...reply(words), usage: { input: 12, output: 7 } }, words);
  const whole = await clientOf().messages.create(asking(QUESTION));
  expect(whole).toMatchObject({
    role: 'assistant',
    model: MODEL,
    content: [{ type: 'text', text: words }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 12, output_tokens: 7 },
  });
  const stream = clientOf().messages.stream(asking(QUESTION));
  const told: string[] = [];
  stream.on('text', (piece) => told.push(piece));
  const final = await stream.finalMessage();
  expect(told.length).toBeGreaterThan(1);
  expect(told.join('')).toBe(words);
  expect(final.content).toMatchObject(whole.content);
});

test('tokens are counted', async () => {
  const counted = await clientOf().messages.countTokens({ model: MODEL, messages: [QUESTION] });
  expect(counted.input_tokens).toBeGreaterThan(0);
});

test.each(['whole', 'streamed'])('two parallel calls are answered in one message (%s)', async (how) => {
  simulator().script(TWO_CALLS, 'They agree.');
  const client = clientOf();
  const messages: Anthropic.MessageParam[] = [QUESTION];
  const ask = (): Promise<Anthropic.Message> => {
    const params = { ...asking(...messages), tools: [READ] };
    return how === 'whole' ? client.messages.create(params) : client.messages.stream(params).finalMessage();
  };
  const first = await ask();
  expect(first.stop_reason).toBe('tool_use');
  const calls = first.content.filter((block) => block.type === 'tool_use');
  expect(calls.map(({ input }) => input)).toEqual([{ path: 'über.md' }, { path: 'b.md' }]);
  messages.push({ role: 'assistant', content: first.content }, resultsOf(first));
  const last = await ask();
  expect(last.content).toMatchObject([{ type: 'text', text: 'They agree.' }]);
  expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true, true]);
});

test('the tool runner of the client goes through the loop by itself', async () => {
  simulator().script(TWO_CALLS, 'They agree.');
  const paths: string[] = [];
  const final = await clientOf().beta.messages.toolRunner({
    ...asking(QUESTION),
    tools: [
      {
        ...READ,
        type: 'custom',
        run: ({ path }: { path: string }) => (paths.push(path), `text of ${path}`),
        parse: (input: unknown) => input as { path: string },
      },
    ],
  });
  expect(paths).toEqual(['über.md', 'b.md']);
  expect(final.content).toMatchObject([{ type: 'text', text: 'They agree.' }]);
  // The runner first asks the server to hold the conversation, and sends all of it when it will not.
  expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([false, true, true]);
});

/** Two requests with reasoning: the first is answered with a call, the second replays it as `change` leaves it. */
async function replay(change: (messages: Anthropic.MessageParam[]) => Anthropic.MessageParam[]): Promise<unknown> {
  const thought = reply(reasoning('Only the file itself can tell.'), call('read', { path: 'a.md' }));
  simulator().script(thought, 'It says hello.');
  const client = clientOf();
  const params = { model: BINDING, max_tokens: 1000, tools: [READ], thinking: { type: 'adaptive' as const } };
  const first = await client.messages.stream({ ...params, messages: [QUESTION] }).finalMessage();
  expect(first.content[0]).toMatchObject({ type: 'thinking', signature: expect.stringMatching(/^gAAAA/) });
  const messages = [QUESTION, { role: 'assistant' as const, content: first.content }, resultsOf(first)];
  return client.messages.create({ ...params, messages: change(structuredClone(messages)) });
}

test('signed thinking is taken back as it was given', async () => {
  expect(await replay((messages) => messages)).toMatchObject({ content: [{ type: 'text', text: 'It says hello.' }] });
});

test('thinking whose text was changed is refused', async () => {
  const refused = replay((messages) => {
    const [thought] = (messages[1]?.content ?? []) as Anthropic.ThinkingBlock[];
    if (thought) thought.thinking += ' Or so.';
    return messages;
  });
  const error = await rejection(refused);
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error).toMatchObject({
    type: 'invalid_request_error',
    apiMessage: expect.stringMatching(/`thinking` or `redacted_thinking` blocks in the latest assistant message/),
  });
});

test('thinking behind another conversation is refused by a model that binds it', async () => {
  const error = await rejection(replay(([, ...rest]) => [{ role: 'user', content: 'What does it say?' }, ...rest]));
  expect(error).toBeInstanceOf(BadRequestError);
  expect(
    simulator()
      .verdicts.at(-1)
      ?.refusals.map(({ row }) => row),
  ).toEqual(['an-think-prefix']);
});

test('a refusal is a BadRequestError with the words of the provider', async () => {
  const unanswered: Anthropic.MessageParam = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }],
  };
  const error = await rejection(
    clientOf().messages.create({ ...asking(QUESTION, unanswered, QUESTION), tools: [READ] }),
  );
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    apiMessage:
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. ' +
      'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    requestID: expect.stringMatching(/^req_/),
  });
});

test('a wrong key is an AuthenticationError', async () => {
  const error = await rejection(clientOf({ apiKey: 'sk-other' }).messages.create(asking(QUESTION)));
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ status: 401, type: 'authentication_error', apiMessage: 'invalid x-api-key' });
});

test('a rate limit is a RateLimitError that says when to come back', async () => {
  simulator().inject('429:7');
  const error = await rejection(clientOf().messages.create(asking(QUESTION)));
  expect(error).toBeInstanceOf(RateLimitError);
  expect((error as APIError).headers?.get('retry-after')).toBe('7');
  expect(error).toMatchObject({ type: 'rate_limit_error' });
});

test.each([
  ['529', { status: 529, type: 'overloaded_error', apiMessage: 'Overloaded' }],
  ['500', { status: 500, type: 'api_error' }],
])('%s is an InternalServerError', async (fault, expected) => {
  simulator().inject(fault);
  for (const stream of [false, true]) {
    const error = await rejection(clientOf().messages.create({ ...asking(QUESTION), stream }));
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject(expected);
  }
});

test('a connection that closes before the head is an APIConnectionError', async () => {
  simulator().inject('close');
  expect(await rejection(clientOf().messages.create(asking(QUESTION)))).toBeInstanceOf(APIConnectionError);
});

test('the client repeats by itself what the server was too busy for', async () => {
  simulator().inject('429:0@1');
  const message = await clientOf({ maxRetries: 1 }).messages.create(asking(QUESTION));
  expect(message.stop_reason).toBe('end_turn');
  expect(simulator().verdicts.map(({ status }) => status)).toEqual([429, 200]);
});

test('a stream that is cut keeps what came and then throws an error of the client', async () => {
  simulator().script('One, two, three, four, five, six, seven.');
  simulator().inject('cut-events:5');
  const stream = clientOf().messages.stream(asking(QUESTION));
  const { seen, error } = await drain(stream);
  expect(seen.map(({ type }) => type)).toContain('content_block_delta');
  expect(error).toBeInstanceOf(AnthropicError);
  expect(stream.currentMessage?.content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/^One/) });
});

test('a stream that ends too early is no message', async () => {
  simulator().inject('end-events:4');
  const error = await rejection(clientOf().messages.stream(asking(QUESTION)).finalMessage());
  expect(error).toBeInstanceOf(AnthropicError);
});
