import OpenAI, {
  APIConnectionError,
  type APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  OpenAIError,
  RateLimitError,
} from 'openai';
import { expect, test } from 'vitest';

import { call, reasoning, reply } from '../../src/index.ts';
import { drain, KEY, rejection, useSimulator } from './surroundings.ts';

type Item = OpenAI.Responses.ResponseInputItem;
type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;

const simulator = useSimulator();
const clientOf = (options: { apiKey?: string } = {}): OpenAI =>
  new OpenAI({ apiKey: KEY, baseURL: simulator().baseUrls.openai, maxRetries: 0, ...options });

const QUESTION: Item = { role: 'user', content: 'What do they say?' };
const READ: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'read',
  strict: null,
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const THOUGHT_AND_CALLS = reply(
  reasoning('Only the files can tell.'),
  'Reading both … 🙂',
  call('read', { path: 'über.md' }),
  call('read', { path: 'b.md' }),
);

/** A request that keeps nothing at the server: reasoning comes sealed and is sent back. */
const asking = (...input: Item[]): Params => ({
  model: 'gpt-5',
  input,
  tools: [READ],
  store: false,
  reasoning: { effort: 'low', summary: 'auto' },
  include: ['reasoning.encrypted_content'],
});

const outputsFor = (response: OpenAI.Responses.Response): Item[] =>
  response.output
    .filter((item) => item.type === 'function_call')
    .map(({ call_id: id }) => ({ type: 'function_call_output', call_id: id, output: `text for ${id}` }));

test('a text comes back whole and as a stream', async () => {
  const words = 'Both say hello – 日本語 too. 🙂';
  const answer = { ...reply(words), usage: { input: 12, output: 7 } };
  simulator().script(answer, answer);
  const whole = await clientOf().responses.create({ model: 'gpt-5', input: 'What do they say?' });
  expect(whole.output_text).toBe(words);
  expect(whole).toMatchObject({ status: 'completed', usage: { input_tokens: 12, output_tokens: 7 } });
  const { seen, error } = await drain(
    await clientOf().responses.create({ model: 'gpt-5', input: 'What do they say?', stream: true }),
  );
  expect(error).toBeUndefined();
  const deltas = seen.filter((event) => event.type === 'response.output_text.delta');
  expect(deltas.length).toBeGreaterThan(1);
  expect(deltas.map(({ delta }) => delta).join('')).toBe(words);
  expect(seen.at(-1)?.type).toBe('response.completed');
});

test.each(['whole', 'streamed'])(
  'reasoning and two parallel calls are sent back as they came, with both outputs (%s)',
  async (how) => {
    simulator().script(THOUGHT_AND_CALLS, 'They agree.');
    const client = clientOf();
    const ask = (params: Params): Promise<OpenAI.Responses.Response> =>
      how === 'whole'
        ? client.responses.create(params)
        : client.responses.stream({ ...params, stream: true }).finalResponse();
    const first = await ask(asking(QUESTION));
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'function_call']);
    expect(first.output[0]).toMatchObject({ encrypted_content: expect.stringMatching(/^gAAAA/) });
    const last = await ask(asking(QUESTION, ...(first.output as Item[]), ...outputsFor(first)));
    expect(last.output).toMatchObject([{ type: 'message', content: [{ text: 'They agree.' }] }]);
    expect(simulator().verdicts.map(({ refusals }) => refusals)).toEqual([[], []]);
  },
);

test('a conversation goes on from a stored response', async () => {
  simulator().script(THOUGHT_AND_CALLS, 'They agree.');
  const client = clientOf();
  const params: Params = { model: 'gpt-5', tools: [READ] };
  const first = await client.responses.create({ ...params, input: [QUESTION] });
  const last = await client.responses.create({ ...params, previous_response_id: first.id, input: outputsFor(first) });
  expect(last.output_text).toBe('They agree.');
});

test('sealed reasoning on another item is a BadRequestError with its code', async () => {
  simulator().script(THOUGHT_AND_CALLS);
  const client = clientOf();
  const first = await client.responses.create(asking(QUESTION));
  const [thought, ...rest] = first.output as [OpenAI.Responses.ResponseReasoningItem, ...Item[]];
  const changed = { ...thought, id: 'rs_another' };
  const error = await rejection(client.responses.create(asking(QUESTION, changed, ...rest, ...outputsFor(first))));
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error).toMatchObject({
    code: 'invalid_encrypted_content',
    error: { message: expect.stringMatching(/^The encrypted content gAAA.* could not be verified\./) },
  });
});

test('a refusal is a BadRequestError with the words of the provider', async () => {
  const open: Item = { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}' };
  const error = await rejection(clientOf().responses.create(asking(QUESTION, open)));
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    param: 'input',
    error: { message: 'No tool output found for function call call_1.' },
  });
});

test('a reference to what was never stored is a NotFoundError', async () => {
  const lost: Item = { type: 'item_reference', id: 'rs_1' };
  const error = await rejection(clientOf().responses.create(asking(QUESTION, lost)));
  expect(error).toBeInstanceOf(NotFoundError);
});

test('a wrong key is an AuthenticationError', async () => {
  const error = await rejection(clientOf({ apiKey: 'sk-other' }).responses.create(asking(QUESTION)));
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ code: 'invalid_api_key' });
});

test('troubles of the server are errors of the client', async () => {
  simulator().inject('429:7@1, 529@2, 500@3, close@4');
  const ask = (): Promise<unknown> => rejection(clientOf().responses.create(asking(QUESTION)));
  const limited = await ask();
  expect(limited).toBeInstanceOf(RateLimitError);
  expect((limited as APIError).headers?.get('retry-after')).toBe('7');
  expect(await ask()).toBeInstanceOf(InternalServerError);
  expect(await ask()).toBeInstanceOf(InternalServerError);
  expect(await ask()).toBeInstanceOf(APIConnectionError);
});

test('a stream that is cut keeps what came, and the helper of the client throws an error of its own', async () => {
  const words = 'One, two, three, four, five, six, seven.';
  simulator().script(words, words);
  simulator().inject('cut-events:6');
  const { seen, error } = await drain(await clientOf().responses.create({ ...asking(QUESTION), stream: true }));
  expect(seen.filter(({ type }) => type === 'response.output_text.delta').length).toBeGreaterThan(0);
  expect(seen.map(({ type }) => type)).not.toContain('response.completed');
  expect(error).toBeInstanceOf(Error);
  const helped = clientOf().responses.stream({ ...asking(QUESTION), stream: true });
  expect(await rejection(helped.finalResponse())).toBeInstanceOf(OpenAIError);
});
