import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI, type Content } from '@google/genai';
import { call, createSimulator, reasoning, reply, type Simulator } from '@rethread/simulator';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';

import { createAccumulator, settle, type Accumulator } from '../src/loop.ts';
import { drain, useScrubbedEnvironment } from '../../simulator/test/clients/surroundings.ts';

useScrubbedEnvironment();

type Json = Record<string, unknown>;

/** A loop of one's own over one API: how it streams, and how it asks with a whole history. */
type Loop = {
  readonly name: string;
  readonly question: unknown;
  readonly next: unknown;
  readonly accumulator: () => Accumulator<unknown>;
  readonly stream: (simulator: Simulator, history: unknown[]) => Promise<AsyncIterable<unknown>>;
  readonly request: (history: unknown[]) => Json;
  readonly send: (simulator: Simulator, body: Json) => Promise<unknown>;
};

const PARAMETERS = { type: 'object' as const, properties: { path: { type: 'string' as const } } };
const user = (content: string): Json => ({ role: 'user', content });
const said = (text: string): Content => ({ role: 'user', parts: [{ text }] });

const anthropicOf = ({ baseUrls }: Simulator): Anthropic =>
  new Anthropic({ apiKey: 'key', authToken: null, baseURL: baseUrls.anthropic, maxRetries: 0 });
const openaiOf = ({ baseUrls }: Simulator): OpenAI =>
  new OpenAI({ apiKey: 'key', baseURL: baseUrls.openai, maxRetries: 0 });
const geminiOf = ({ baseUrls }: Simulator): GoogleGenAI =>
  new GoogleGenAI({ apiKey: 'key', enterprise: false, httpOptions: { baseUrl: baseUrls.gemini } });

const messagesLoop: Loop = {
  name: 'Anthropic messages',
  question: user('What do they say?'),
  next: user('Are you still there?'),
  accumulator: () => createAccumulator('anthropic-messages'),
  request: (messages) => ({
    model: 'claude-fable-5-1',
    max_tokens: 1000,
    thinking: { type: 'adaptive' },
    tools: [{ name: 'read', input_schema: PARAMETERS }],
    messages,
  }),
  stream: (simulator, history) =>
    anthropicOf(simulator).messages.create({
      ...(messagesLoop.request(history) as unknown as Anthropic.MessageCreateParams),
      stream: true,
    }),
  send: (simulator, body) =>
    anthropicOf(simulator).messages.create(body as unknown as Anthropic.MessageCreateParamsNonStreaming),
};

const chatLoop: Loop = {
  name: 'OpenAI chat',
  question: user('What do they say?'),
  next: user('Are you still there?'),
  accumulator: () => createAccumulator('openai-chat'),
  request: (messages) => ({
    model: 'gpt-4.1',
    tools: [{ type: 'function', function: { name: 'read', parameters: PARAMETERS } }],
    messages,
  }),
  stream: (simulator, history) =>
    openaiOf(simulator).chat.completions.create({
      ...(chatLoop.request(history) as unknown as OpenAI.ChatCompletionCreateParams),
      stream: true,
    }),
  send: (simulator, body) =>
    openaiOf(simulator).chat.completions.create(body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming),
};

const responsesLoop = (store: boolean): Loop => {
  const request = (input: unknown[]): Json => ({
    model: 'gpt-5',
    store,
    reasoning: { effort: 'low', summary: 'auto' },
    ...(!store && { include: ['reasoning.encrypted_content'] }),
    tools: [{ type: 'function', name: 'read', parameters: PARAMETERS, strict: false }],
    input,
  });
  return {
    name: store ? 'OpenAI responses, stored' : 'OpenAI responses, not stored',
    question: user('What do they say?'),
    next: user('Are you still there?'),
    accumulator: () => createAccumulator('openai-responses'),
    request,
    stream: (simulator, history) =>
      openaiOf(simulator).responses.create({
        ...(request(history) as unknown as OpenAI.Responses.ResponseCreateParams),
        stream: true,
      }),
    send: (simulator, body) =>
      openaiOf(simulator).responses.create(body as unknown as OpenAI.Responses.ResponseCreateParamsNonStreaming),
  };
};

const geminiLoop: Loop = {
  name: 'Gemini',
  question: said('What do they say?'),
  next: said('Are you still there?'),
  accumulator: () => createAccumulator('gemini'),
  request: (contents) => ({
    model: 'gemini-3-pro-preview',
    contents,
    config: { tools: [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: PARAMETERS }] }] },
  }),
  stream: (simulator, history) =>
    geminiOf(simulator).models.generateContentStream(
      geminiLoop.request(history) as unknown as Parameters<GoogleGenAI['models']['generateContentStream']>[0],
    ),
  send: (simulator, body) =>
    geminiOf(simulator).models.generateContent(
      body as unknown as Parameters<GoogleGenAI['models']['generateContent']>[0],
    ),
};

const LOOPS: readonly Loop[] = [messagesLoop, chatLoop, responsesLoop(true), responsesLoop(false), geminiLoop];
const ANSWER = reply(
  reasoning('Only the files can tell, so both are read.'),
  'Reading both … 🙂',
  call('read', { path: 'über.md' }),
  call('read', { path: 'b.md' }),
);

/** What a loop was left with: what it holds, and what became of the next request without and with settling. */
type Interrupted = {
  readonly accumulator: Accumulator<unknown>;
  readonly events: number;
  readonly plain: string[];
  readonly settled: string[];
};

/** The rows by which a server refuses a request; an accepted one is answered. */
async function refusalsOf(loop: Loop, server: Simulator, body: Json): Promise<string[]> {
  const answered = await loop.send(server, body).then(
    () => true,
    () => false,
  );
  const verdict = server.verdicts.at(-1);
  expect(answered).toBe(verdict?.accepted);
  return verdict?.refusals.map(({ row }) => row) ?? [];
}

/** Streams one answer with a fault. Of one that was never finished the server that is asked next knows nothing. */
async function interrupt(loop: Loop, fault: string): Promise<Interrupted> {
  await using first = await createSimulator({ faults: `${fault}@1` });
  await using fresh = await createSimulator();
  first.script(ANSWER, 'I am.', 'I am.');
  const accumulator = loop.accumulator();
  const { seen } = await drain(await loop.stream(first, [loop.question]));
  for (const event of seen) accumulator.push(event);
  const answer = accumulator.message();
  const server = accumulator.complete ? first : fresh;
  const body = loop.request([loop.question].concat(answer ?? [], loop.next));
  const plain = await refusalsOf(loop, server, body);
  const settled = await refusalsOf(loop, server, settle(body).output);
  return { accumulator, events: seen.length, plain, settled };
}

describe.each(LOOPS)('$name', (loop) => {
  test('an answer that is cut after any event can be stored, settled and sent', async () => {
    const whole = await interrupt(loop, 'drip:0');
    expect(whole.accumulator.complete).toBe(true);
    expect(whole.accumulator.unfinished()).toEqual([]);
    const outcomes = [whole];
    for (let n = 1; n < whole.events; n += 1) outcomes.push(await interrupt(loop, `cut-events:${n}`));
    expect(outcomes.length).toBeGreaterThan(3);
    expect(outcomes.map(({ settled }) => settled)).toEqual(outcomes.map(() => []));
    expect(outcomes.some(({ plain }) => plain.length > 0)).toBe(true);
  });
});

test('a whole answer is the message that the SDK itself puts together', async () => {
  await using simulator = await createSimulator({ model: () => ANSWER });
  const claude = createAccumulator('anthropic-messages');
  const body = messagesLoop.request([messagesLoop.question]) as unknown as Anthropic.MessageStreamParams;
  const messages = anthropicOf(simulator).messages.stream(body);
  for await (const event of messages) claude.push(event);
  expect(claude.message()).toEqual({ role: 'assistant', content: (await messages.finalMessage()).content });

  const chat = createAccumulator('openai-chat');
  const asked = chatLoop.request([chatLoop.question]) as unknown as OpenAI.ChatCompletionCreateParamsStreaming;
  const chunks = openaiOf(simulator).chat.completions.stream({ ...asked, stream: true });
  for await (const chunk of chunks) chat.push(chunk);
  expect(await chunks.finalMessage()).toMatchObject(chat.message() ?? {});
});
