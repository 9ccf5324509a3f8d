import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, streamText, type ModelMessage } from 'ai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';

import { drain, KEY, rejection, useSimulator } from '../../simulator/test/clients/surroundings.ts';
import { repairingFetch, type Fetch } from '../src/fetch.ts';

const simulator = useSimulator();

const PARAMETERS = { type: 'object' as const, properties: { path: { type: 'string' as const } } };

/** A request with a broken history by a real client: whole, and streamed to its end. */
type Client = {
  readonly name: string;
  readonly whole: (fetch: Fetch | undefined) => PromiseLike<unknown>;
  readonly streamed: (fetch: Fetch | undefined) => PromiseLike<AsyncIterable<unknown>>;
};

/** Without a fetch of its own a client takes the global one. */
const given = <F>(fetch: F | undefined): { fetch?: F } => (fetch === undefined ? {} : { fetch });

const anthropicOf = (fetch?: Fetch): Anthropic =>
  new Anthropic({
    apiKey: KEY,
    authToken: null,
    baseURL: simulator().baseUrls.anthropic,
    maxRetries: 0,
    ...given(fetch),
  });
const openaiOf = (fetch?: Fetch): OpenAI =>
  new OpenAI({ apiKey: KEY, baseURL: simulator().baseUrls.openai, maxRetries: 0, ...given(fetch) });
const geminiOf = (fetch?: Fetch): GoogleGenAI =>
  new GoogleGenAI({
    apiKey: KEY,
    enterprise: false,
    httpOptions: { baseUrl: simulator().baseUrls.gemini, ...given(fetch) },
  });

const messages: Anthropic.MessageCreateParamsNonStreaming = {
  model: 'claude-sonnet-5',
  max_tokens: 1000,
  tools: [{ name: 'read', input_schema: PARAMETERS }],
  messages: [
    { role: 'user', content: 'What does it say?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.md' } }] },
    { role: 'user', content: 'Are you still there?' },
  ],
};
const chat: OpenAI.ChatCompletionCreateParamsNonStreaming = {
  model: 'gpt-4.1',
  tools: [{ type: 'function', function: { name: 'read', parameters: PARAMETERS } }],
  messages: [
    { role: 'user', content: 'What does it say?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a.md"}' } }],
    },
    { role: 'user', content: 'Are you still there?' },
  ],
};
const responses: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
  model: 'gpt-5',
  tools: [{ type: 'function', name: 'read', parameters: PARAMETERS, strict: false }],
  input: [
    { role: 'user', content: 'What does it say?' },
    { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"a.md"}' },
    { role: 'user', content: 'Are you still there?' },
  ],
};
const contents: Parameters<GoogleGenAI['models']['generateContent']>[0] = {
  model: 'gemini-2.5-pro',
  config: { tools: [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: PARAMETERS }] }] },
  contents: [
    { role: 'user', parts: [{ text: 'What does it say?' }] },
    { role: 'model', parts: [{ functionCall: { name: 'read', args: { path: 'a.md' } } }] },
    { role: 'user', parts: [{ text: 'Are you still there?' }] },
  ],
};
/** The framework lets this pass. */
const orphaned: ModelMessage[] = [
  { role: 'user', content: 'What does it say?' },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'call_1', toolName: 'read', output: { type: 'text', value: 'hello' } },
    ],
  },
];
const sdkOf = (fetch?: Fetch): Parameters<typeof generateText>[0] => ({
  model: createAnthropic({ apiKey: KEY, baseURL: `${simulator().url}/v1`, ...given(fetch) })('claude-sonnet-5'),
  messages: orphaned,
  maxRetries: 0,
});
const chain = [new HumanMessage('What does it say?'), new ToolMessage({ content: 'hello', tool_call_id: 'call_1' })];
const chainOf = (fetch?: Fetch): ChatAnthropic =>
  new ChatAnthropic({
    model: 'claude-sonnet-5',
    apiKey: KEY,
    anthropicApiUrl: simulator().url,
    maxRetries: 0,
    clientOptions: given(fetch),
  });
const openChainOf = (fetch?: Fetch): ChatOpenAI =>
  new ChatOpenAI({
    model: 'gpt-4.1',
    apiKey: KEY,
    maxRetries: 0,
    configuration: { baseURL: simulator().baseUrls.openai, ...given(fetch) },
  });

const CLIENTS: readonly Client[] = [
  {
    name: '@anthropic-ai/sdk',
    whole: (fetch) => anthropicOf(fetch).messages.create(messages),
    streamed: (fetch) => anthropicOf(fetch).messages.create({ ...messages, stream: true }),
  },
  {
    name: 'openai, chat',
    whole: (fetch) => openaiOf(fetch).chat.completions.create(chat),
    streamed: (fetch) => openaiOf(fetch).chat.completions.create({ ...chat, stream: true }),
  },
  {
    name: 'openai, responses',
    whole: (fetch) => openaiOf(fetch).responses.create(responses),
    streamed: (fetch) => openaiOf(fetch).responses.create({ ...responses, stream: true }),
  },
  {
    name: '@google/genai',
    whole: (fetch) => geminiOf(fetch).models.generateContent(contents),
    streamed: (fetch) => geminiOf(fetch).models.generateContentStream(contents),
  },
  {
    name: 'ai with @ai-sdk/anthropic',
    whole: (fetch) => generateText(sdkOf(fetch)),
    streamed: async (fetch) =>
      streamText({
        ...sdkOf(fetch),
        onError: ({ error }) => {
          throw error;
        },
      }).textStream,
  },
  {
    name: '@langchain/anthropic',
    whole: (fetch) => chainOf(fetch).invoke(chain),
    streamed: (fetch) => chainOf(fetch).stream(chain),
  },
  {
    name: '@langchain/openai',
    whole: (fetch) => openChainOf(fetch).invoke(chain),
    streamed: (fetch) => openChainOf(fetch).stream(chain),
  },
];

const streamedToEnd = async (stream: PromiseLike<AsyncIterable<unknown>>): Promise<unknown[]> => {
  const { seen, error } = await drain(await stream);
  if (error instanceof Error) throw error;
  return seen;
};

describe.each(CLIENTS)('$name', ({ whole, streamed }) => {
  test('as it is, a broken history is refused', async () => {
    await rejection(whole(undefined));
    await streamedToEnd(streamed(undefined)).catch(() => undefined);
    expect(simulator().verdicts.map(({ status }) => status)).toEqual([400, 400]);
  });

  test('with the repairing fetch it is answered, whole and streamed', async () => {
    const dialects: string[] = [];
    const fetch = repairingFetch(undefined, { onReport: (_report, { dialect }) => dialects.push(dialect) });
    await whole(fetch);
    expect((await streamedToEnd(streamed(fetch))).length).toBeGreaterThan(0);
    expect(simulator().verdicts.map(({ accepted, status }) => [accepted, status])).toEqual([
      [true, 200],
      [true, 200],
    ]);
    expect(dialects).toHaveLength(2);
  });
});
