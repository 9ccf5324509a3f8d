import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import {
  APICallError,
  generateText,
  isStepCount,
  jsonSchema,
  RetryError,
  streamText,
  tool,
  type LanguageModel,
  type ModelMessage,
} from 'ai';
import { describe, expect, test } from 'vitest';

import { call, reasoning, reply, type Reply } from '../../src/index.ts';
import { drain, KEY, rejection, useSimulator } from './surroundings.ts';

const simulator = useSimulator();

type Keyed = (apiKey?: string) => LanguageModel;
type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;

const anthropic: Keyed = (apiKey = KEY) =>
  createAnthropic({ apiKey, baseURL: `${simulator().url}/v1` })('claude-fable-5-1');
const chat: Keyed = (apiKey = KEY) => createOpenAI({ apiKey, baseURL: simulator().baseUrls.openai }).chat('gpt-4.1');
const responses: Keyed = (apiKey = KEY) =>
  createOpenAI({ apiKey, baseURL: simulator().baseUrls.openai }).responses('gpt-5');

const QUESTION: ModelMessage = { role: 'user', content: 'What do they say?' };
const THINKING: ProviderOptions = { anthropic: { thinking: { type: 'adaptive' } } };
const SEALED: ProviderOptions = { openai: { store: false, reasoningEffort: 'low', reasoningSummary: 'auto' } };
/** Each API with the options that make it send reasoning, where it has any. */
const MODELS: readonly (readonly [string, Keyed, ProviderOptions])[] = [
  ['Anthropic messages', anthropic, THINKING],
  ['OpenAI chat', chat, {}],
  ['OpenAI responses', responses, SEALED],
];
const THOUGHT_AND_CALLS: Reply = reply(
  reasoning('Only the files can tell.'),
  'Reading both … 🙂',
  call('read', { path: 'über.md' }),
  call('read', { path: 'b.md' }),
);

/** The tool that is called, and the paths it was called with. */
function reader(): { paths: string[]; tools: { read: ReturnType<typeof readInto> } } {
  const paths: string[] = [];
  return { paths, tools: { read: readInto(paths) } };
}

const readInto = (paths: string[]) =>
  tool({
    description: 'reads a file',
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    }),
    execute: ({ path }) => (paths.push(path), `text of ${path}`),
  });

describe.each(MODELS)('%s', (_name, model, providerOptions) => {
  test('a text comes back whole and as a stream', async () => {
    const words = 'Both say hello – 日本語 too. 🙂';
    simulator().script(words, words);
    expect((await generateText({ model: model(), messages: [QUESTION], maxRetries: 0 })).text).toBe(words);
    const { seen, error } = await drain(streamText({ model: model(), messages: [QUESTION], maxRetries: 0 }).textStream);
    expect(error).toBeUndefined();
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.join('')).toBe(words);
  });

  test.each(['whole', 'streamed'])(
    'two parallel calls are run and answered, and the turn goes on (%s)',
    async (how) => {
      simulator().script(THOUGHT_AND_CALLS, 'They agree.', 'You are welcome.');
      const { paths, tools } = reader();
      const settings = { model: model(), tools, maxRetries: 0, providerOptions, stopWhen: isStepCount(4) };
      const ask = async (messages: ModelMessage[]): Promise<{ text: string; kept: ModelMessage[] }> => {
        const given = { ...settings, messages };
        const result = how === 'whole' ? await generateText(given) : streamText(given);
        return { text: await result.text, kept: (await result.response).messages };
      };
      const first = await ask([QUESTION]);
      expect(paths.toSorted()).toEqual(['b.md', 'über.md']);
      expect(first.text).toBe('They agree.');
      const second = await ask([QUESTION, ...first.kept, { role: 'user', content: 'Thanks.' }]);
      expect(second.text).toBe('You are welcome.');
      expect(simulator().verdicts.map(({ refusals }) => refusals)).toEqual([[], [], []]);
    },
  );

  test('a wrong key and troubles of the server are APICallErrors', async () => {
    simulator().inject('429:7@2, 529@3, 500@4');
    const ask = (apiKey?: string): Promise<unknown> =>
      rejection(generateText({ model: model(apiKey), messages: [QUESTION], maxRetries: 0 }));
    const errors = [await ask('sk-other'), await ask(), await ask(), await ask()];
    for (const error of errors) expect(APICallError.isInstance(error)).toBe(true);
    expect(errors).toMatchObject([
      { statusCode: 401, isRetryable: false },
      { statusCode: 429, isRetryable: true, responseHeaders: { 'retry-after': '7' } },
      { statusCode: expect.toSatisfy((status) => status === 529 || status === 503), isRetryable: true },
      { statusCode: 500, isRetryable: true },
    ]);
  });

  test('a connection that closes before the head is an APICallError', async () => {
    simulator().inject('close');
    const error = await rejection(generateText({ model: model(), messages: [QUESTION], maxRetries: 0 }));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ isRetryable: true, statusCode: undefined });
  });

  test('what fails again and again is a RetryError', async () => {
    simulator().inject('429:0');
    const error = await rejection(generateText({ model: model(), messages: [QUESTION], maxRetries: 1 }));
    expect(RetryError.isInstance(error)).toBe(true);
    expect(simulator().verdicts.map(({ status }) => status)).toEqual([429, 429]);
  });

  test('a stream that is cut tells what came and then throws an APICallError', async () => {
    simulator().script('One, two, three, four, five, six, seven.');
    simulator().inject('cut-events:6');
    const { seen, error } = await drain(streamText({ model: model(), messages: [QUESTION], maxRetries: 0 }).stream);
    expect(seen.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')).toMatch(/^One/);
    expect(seen.map(({ type }) => type)).not.toContain('finish');
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode: 200, isRetryable: true });
  });
});

/** A history that the SDK lets pass and the provider refuses: a result whose call is gone. */
const ORPHANED: ModelMessage[] = [
  QUESTION,
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'call_1', toolName: 'read', output: { type: 'text', value: 'hello' } },
    ],
  },
];

test.each([
  ['Anthropic messages', anthropic, /^messages\.0\.content\.1: unexpected `tool_use_id` found in `tool_result` blocks/],
  ['OpenAI chat', chat, /^Invalid parameter: messages with role 'tool' must be a response to a preceeding message/],
  ['OpenAI responses', responses, /^No tool call found for function call output with call_id call_1\./],
] as const)('%s: a refusal is an APICallError with the words of the provider', async (_name, model, words) => {
  const { tools } = reader();
  const error = await rejection(generateText({ model: model(), tools, messages: ORPHANED, maxRetries: 0 }));
  expect(APICallError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({ statusCode: 400, isRetryable: false, message: expect.stringMatching(words) });
});

test('reasoning comes to the caller with its seal and is taken back', async () => {
  simulator().script(reply(reasoning('Only the file can tell.'), call('read', { path: 'a.md' })), 'It says hello.');
  const { tools } = reader();
  const result = await generateText({
    model: anthropic(),
    messages: [QUESTION],
    tools,
    maxRetries: 0,
    providerOptions: THINKING,
    stopWhen: isStepCount(3),
  });
  const thought = result.steps[0]?.reasoning[0];
  expect(thought).toMatchObject({
    text: 'Only the file can tell.',
    providerOptions: { anthropic: { signature: expect.stringMatching(/^gAAAA/) } },
  });
  expect(result.text).toBe('It says hello.');
});

test('what the server has stored is referred to and found again', async () => {
  simulator().script(THOUGHT_AND_CALLS, 'They agree.', 'You are welcome.');
  const { tools } = reader();
  const settings = { model: responses(), tools, maxRetries: 0, stopWhen: isStepCount(3) };
  const first = await generateText({ ...settings, messages: [QUESTION] });
  const messages = [QUESTION, ...first.response.messages, { role: 'user' as const, content: 'Thanks.' }];
  expect((await generateText({ ...settings, messages })).text).toBe('You are welcome.');
  expect(simulator().verdicts.map(({ refusals }) => refusals)).toEqual([[], [], []]);
});
