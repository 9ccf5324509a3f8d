import { ApiError, FunctionCallingConfigMode, GoogleGenAI, type Content, type Part } from '@google/genai';
import { expect, test } from 'vitest';

import { call, reasoning, reply } from '../../src/index.ts';
import { drain, KEY, rejection, useSimulator } from './surroundings.ts';

type Params = Parameters<GoogleGenAI['models']['generateContent']>[0];

const simulator = useSimulator();
const clientOf = (apiKey = KEY): GoogleGenAI =>
  new GoogleGenAI({ apiKey, enterprise: false, httpOptions: { baseUrl: simulator().baseUrls.gemini } });

/** A model that refuses a call of the current turn without its signature. */
const MODEL = 'gemini-3-pro-preview';
const QUESTION: Content = { role: 'user', parts: [{ text: 'What do they say?' }] };
const READ = {
  name: 'read',
  parametersJsonSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const THOUGHT_AND_CALLS = reply(
  reasoning('Only the files can tell.'),
  call('read', { path: 'über.md' }),
  call('read', { path: 'b.md' }),
);

const asking = (...contents: Content[]): Params => ({
  model: MODEL,
  contents,
  config: { tools: [{ functionDeclarations: [READ] }], thinkingConfig: { includeThoughts: true } },
});

const responsesFor = (calls: readonly Part[]): Content => ({
  role: 'user',
  parts: calls.flatMap(({ functionCall }) =>
    functionCall === undefined
      ? []
      : [{ functionResponse: { id: functionCall.id ?? '', name: 'read', response: { text: 'hello' } } }],
  ),
});

/** The content of a model as it came, whole or put together from the chunks of a stream. */
async function ask(how: string, params: Params): Promise<Content> {
  const client = clientOf();
  if (how === 'whole') {
    const answer = await client.models.generateContent(params);
    return answer.candidates?.[0]?.content ?? {};
  }
  const { seen, error } = await drain(await client.models.generateContentStream(params));
  expect(error).toBeUndefined();
  return { role: 'model', parts: seen.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []) };
}

/** The error in the envelope, which the client puts into the message of its own. */
const envelopeOf = (error: unknown): unknown => (JSON.parse((error as ApiError).message) as { error: unknown }).error;

test('a text comes back whole and as a stream, with its token figures', async () => {
  const words = 'Both say hello – 日本語 too. 🙂';
  const answer = { ...reply(words), usage: { input: 12, output: 7 } };
  simulator().script(answer, answer);
  const whole = await clientOf().models.generateContent({ model: MODEL, contents: 'What do they say?' });
  expect(whole.text).toBe(words);
  expect(whole.usageMetadata).toMatchObject({ promptTokenCount: 12, candidatesTokenCount: 7 });
  const { seen, error } = await drain(
    await clientOf().models.generateContentStream({ model: MODEL, contents: 'What do they say?' }),
  );
  expect(error).toBeUndefined();
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.map(({ text }) => text ?? '').join('')).toBe(words);
  expect(seen.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP');
});

test.each(['whole', 'streamed'])('signed parallel calls are sent back as they came and answered (%s)', async (how) => {
  simulator().script(THOUGHT_AND_CALLS, 'They agree.');
  const first = await ask(how, asking(QUESTION));
  const calls = (first.parts ?? []).filter(({ functionCall }) => functionCall !== undefined);
  expect(calls.map(({ functionCall }) => functionCall?.args)).toEqual([{ path: 'über.md' }, { path: 'b.md' }]);
  expect(calls.map(({ thoughtSignature }) => typeof thoughtSignature)).toEqual(['string', 'undefined']);
  const last = await ask(how, asking(QUESTION, first, responsesFor(calls)));
  expect(last.parts?.map(({ text }) => text).join('')).toBe('They agree.');
  expect(simulator().verdicts.map(({ refusals }) => refusals)).toEqual([[], []]);
});

test('the chat of the client keeps a history that is accepted', async () => {
  simulator().script(THOUGHT_AND_CALLS, reply(reasoning('Both are short.'), 'They agree.'), 'You are welcome.');
  const { model, config } = asking();
  const chat = clientOf().chats.create({ model, ...(config && { config }) });
  const first = await chat.sendMessage({ message: 'What do they say?' });
  const calls = first.candidates?.[0]?.content?.parts ?? [];
  const results = responsesFor(calls).parts ?? [];
  expect(results).toHaveLength(2);
  expect((await chat.sendMessage({ message: results })).text).toBe('They agree.');
  const told: string[] = [];
  for await (const chunk of await chat.sendMessageStream({ message: 'Thanks.' })) told.push(chunk.text ?? '');
  expect(told.join('')).toBe('You are welcome.');
  expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true, true, true]);
});

test('the client calls functions by itself', async () => {
  simulator().script(THOUGHT_AND_CALLS, 'They agree.');
  const made: unknown[] = [];
  const { model, contents } = asking(QUESTION);
  const answer = await clientOf().models.generateContent({
    model,
    contents,
    config: {
      toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
      tools: [
        {
          tool: () => Promise.resolve({ functionDeclarations: [READ] }),
          callTool: (calls) => {
            made.push(...calls.map(({ args }) => args));
            return Promise.resolve(responsesFor(calls.map((functionCall) => ({ functionCall }))).parts ?? []);
          },
        },
      ],
    },
  });
  expect(made).toEqual([{ path: 'über.md' }, { path: 'b.md' }]);
  expect(answer.text).toBe('They agree.');
});

test('a call of the current turn needs the signature it came with', async () => {
  simulator().script(THOUGHT_AND_CALLS);
  const first = await ask('whole', asking(QUESTION));
  const calls = (first.parts ?? []).filter(({ functionCall }) => functionCall !== undefined);
  const refusalOf = async (change: (part: Part) => Part): Promise<unknown> => {
    const changed = { role: 'model', parts: calls.map(change) };
    const error = await rejection(ask('whole', asking(QUESTION, changed, responsesFor(calls))));
    expect(error).toBeInstanceOf(ApiError);
    return envelopeOf(error);
  };
  expect(await refusalOf(({ functionCall = {} }) => ({ functionCall }))).toMatchObject({
    message: expect.stringContaining('is missing a `thought_signature`'),
  });
  expect(
    await refusalOf((part) => (part.thoughtSignature === undefined ? part : { ...part, thoughtSignature: 'AAAA' })),
  ).toMatchObject({ message: 'Corrupted thought signature.' });
  expect(
    await refusalOf((part) => ({ ...part, functionCall: { ...part.functionCall, args: { path: 'c.md' } } })),
  ).toMatchObject({ message: expect.stringContaining('thought signature stays on the part') });
});

test('a refusal is an ApiError with the words of the provider', async () => {
  const orphan = responsesFor([{ functionCall: { name: 'read' } }]);
  for (const how of ['whole', 'streamed']) {
    const error = await rejection(ask(how, asking(QUESTION, orphan)));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400 });
    expect(envelopeOf(error)).toEqual({
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: 'Please ensure that function response turn comes immediately after a function call turn.',
    });
  }
});

test('a wrong key is an ApiError in the words of the provider', async () => {
  const error = await rejection(clientOf('other').models.generateContent(asking(QUESTION)));
  expect(error).toBeInstanceOf(ApiError);
  expect(envelopeOf(error)).toMatchObject({ code: 400, message: 'API key not valid. Please pass a valid API key.' });
});

test.each([
  ['429:7', 429, 'RESOURCE_EXHAUSTED'],
  ['529', 503, 'UNAVAILABLE'],
  ['500', 500, 'INTERNAL'],
])('%s is an ApiError with status %i', async (fault, status, name) => {
  simulator().inject(fault);
  for (const how of ['whole', 'streamed']) {
    const error = await rejection(ask(how, asking(QUESTION)));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status });
    expect(envelopeOf(error)).toMatchObject({ code: status, status: name });
  }
});

test('a rate limit says when to come back', async () => {
  simulator().inject('429:7');
  const error = await rejection(clientOf().models.generateContent(asking(QUESTION)));
  expect(envelopeOf(error)).toMatchObject({ details: [{ retryDelay: '7s' }] });
});

test('a stream that is cut keeps what came and then throws', async () => {
  simulator().script('One, two, three, four, five, six, seven.');
  simulator().inject('cut-events:2');
  const { seen, error } = await drain(await clientOf().models.generateContentStream(asking(QUESTION)));
  expect(seen.map(({ text }) => text ?? '').join('')).toMatch(/^One/);
  expect(seen.at(-1)?.candidates?.[0]?.finishReason).toBeUndefined();
  expect(error).toBeInstanceOf(Error);
});
