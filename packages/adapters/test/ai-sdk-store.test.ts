import { createAnthropic } from '@ai-sdk/anthropic';
import { call, reply } from '@rethread/simulator';
import { open, type Session, type Store } from '@rethread/store';
import {
  convertToModelMessages,
  DefaultChatTransport,
  jsonSchema,
  readUIMessageStream,
  stepCountIs,
  streamText,
  tool,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { KEY, useSimulator } from '../../simulator/test/clients/surroundings.ts';
import { durableStream, loadUIMessages, resumeStream, stopStream } from '../src/ai-sdk-store.ts';
import { durableTool } from '../src/durable-tool.ts';

const simulator = useSimulator({ keepBodies: true });
let store: Store;
let session: Session;
beforeEach(async () => {
  store = await open('memory:');
  session = await store.create({ id: 'chat' });
});
afterEach(() => store.close());

const user = (id: string, text: string): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] });
const model = (): ReturnType<ReturnType<typeof createAnthropic>> =>
  createAnthropic({ apiKey: KEY, baseURL: `${simulator().baseUrls.anthropic}/v1` })('claude-sonnet-4-5');

type Run = Parameters<typeof durableStream>[1]['run'];

const listing = (of: Session) =>
  tool({
    description: 'lists files',
    inputSchema: jsonSchema<{ path: string }>({ type: 'object', properties: { path: { type: 'string' } } }),
    execute: durableTool({
      session: of,
      name: 'list',
      effect: 'read',
      run: ({ path }: { path: string }) => `${path}: a, b`,
    }),
  });

const run: Run = async ({ messages, signal }) =>
  streamText({
    model: model(),
    messages: await convertToModelMessages(messages),
    abortSignal: signal,
    maxRetries: 0,
    tools: { list: listing(session) },
    stopWhen: stepCountIs(5),
    onError: () => undefined,
  });

/** Parts that come when the test says so. */
type ByHand = { readonly run: Run; readonly push: (...parts: UIMessageChunk[]) => void; readonly close: () => void };

function byHand(): ByHand {
  const { readable, writable } = new TransformStream<UIMessageChunk>();
  const writer = writable.getWriter();
  return {
    run: () => readable,
    push: (...parts) => parts.forEach((part) => void writer.write(part).catch(() => undefined)),
    close: () => void writer.close().catch(() => undefined),
  };
}

const text = (...deltas: string[]): UIMessageChunk[] => [
  { type: 'text-start', id: 't' },
  ...deltas.map((delta) => ({ type: 'text-delta' as const, id: 't', delta })),
];

/** Reads a response as `useChat` does. */
async function shown(response: Response): Promise<UIMessage | undefined> {
  const transport = new DefaultChatTransport({ fetch: async () => response });
  const stream = await transport.reconnectToStream({ chatId: 'chat' });
  if (stream === null) return undefined;
  let message: UIMessage | undefined;
  for await (const state of readUIMessageStream({ stream })) message = state;
  return message;
}

/** Reads events until one contains the word, then disconnects. Returns the id of the last event. */
async function readUntil(response: Response, word: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let all = '';
  while (!all.includes(word)) {
    const { done, value = '' } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error(`the response ended before ${word}: ${all}`);
    all += value;
  }
  await reader?.cancel();
  return [...all.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
}

const textOf = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

const settled = async (): Promise<void> => {
  while ((await resumeStream(session)).status !== 204) await new Promise((resolve) => void setTimeout(resolve, 5));
};

describe('durableStream', () => {
  test('stores the question, every part before it is sent, and the finished message', async () => {
    simulator().script(reply('Let me look.', call('list', { path: 'docs' })), 'Two files.');
    const response = await durableStream(session, { message: user('u1', 'List docs.'), run });
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
    const message = await shown(response);
    expect(textOf(message)).toBe('Let me look.Two files.');
    const [question, answer] = await loadUIMessages(session);
    expect(question).toEqual(user('u1', 'List docs.'));
    expect(answer).toEqual(message);
    expect(answer?.parts.find(({ type }) => type === 'tool-list')).toMatchObject({ output: 'docs: a, b' });
    expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true, true]);
  });

  test('continues after the cursor for a client that reconnects, and from the start for a new tab', async () => {
    const { run: hand, push, close } = byHand();
    const response = await durableStream(session, { message: user('u1', 'Hi'), run: hand });
    push({ type: 'start' }, ...text('one ', 'two '));
    const cursor = await readUntil(response, 'two ');
    const second = shown(await resumeStream(session));
    push({ type: 'text-delta', id: 't', delta: 'three' }, { type: 'text-end', id: 't' }, { type: 'finish' });
    close();
    expect(textOf(await second)).toBe('one two three');
    const rest = await (await resumeStream(session, cursor)).text();
    expect(rest).toContain('three');
    expect(rest).not.toContain('two');
    expect(rest).toMatch(/data: \[DONE\]\n\n$/);
    expect((await resumeStream(session)).status).toBe(204);
    expect((await resumeStream(session, 'x')).status).toBe(400);
  });

  test('goes on if the client disconnects, and ends if it is stopped', async () => {
    const { run: hand, push, close } = byHand();
    await (await durableStream(session, { message: user('u1', 'Hi'), run: hand })).body?.cancel();
    push(...text('kept'));
    close();
    await settled();
    expect(textOf((await loadUIMessages(session))[1])).toBe('kept');

    const stopped = byHand();
    const response = await durableStream(session, { message: user('u2', 'More'), run: stopped.run });
    stopped.push(...text('half'));
    await readUntil(response, 'half');
    expect(await stopStream(session)).toBe(true);
    expect(await stopStream(session)).toBe(false);
    const messages = await loadUIMessages(session);
    expect(messages.map(textOf)).toEqual(['Hi', 'kept', 'More', 'half']);
  });

  test('is never taken for a dead one, even while its beginning is stored', async () => {
    const { run: hand, push, close } = byHand();
    const starting = durableStream(session, { message: user('u1', 'Hi'), run: hand });
    const readers = Array.from({ length: 20 }, async () => {
      await new Promise((resolve) => void setImmediate(resolve));
      return loadUIMessages(await store.session('chat'));
    });
    await Promise.all([starting, ...readers]);
    push(...text('whole'));
    close();
    await settled();
    expect((await loadUIMessages(session)).map(textOf)).toEqual(['Hi', 'whole']);
  });

  test('refuses a second message while a reply is written, and repeats the reply to a repeated message', async () => {
    const { run: hand, push, close } = byHand();
    await durableStream(session, { message: user('u1', 'Hi'), run: hand });
    expect((await durableStream(session, { message: user('u2', 'You there?'), run })).status).toBe(409);
    const again = shown(await durableStream(session, { message: user('u1', 'Hi'), run }));
    push(...text('Hello'));
    close();
    expect(textOf(await again)).toBe('Hello');
    expect(textOf(await shown(await durableStream(session, { message: user('u1', 'Hi'), run })))).toBe('Hello');
    expect((await loadUIMessages(session)).map(textOf)).toEqual(['Hi', 'Hello']);
    expect(simulator().verdicts).toEqual([]);
  });

  test('answers again for regenerate, and replaces a message that the client has edited', async () => {
    simulator().script('first', 'second', 'third');
    await shown(await durableStream(session, { message: user('u1', 'Hi'), run }));
    const [, answer] = await loadUIMessages(session);
    await shown(await durableStream(session, { regenerate: answer?.id ?? '', run }));
    expect((await loadUIMessages(session)).map(textOf)).toEqual(['Hi', 'second']);
    await shown(await durableStream(session, { message: user('u1', 'Hello'), run }));
    expect((await loadUIMessages(session)).map(textOf)).toEqual(['Hello', 'third']);
  });

  test('stores an error of the model as the end of the reply, and answers the next message', async () => {
    expect((await durableStream(session, { run })).status).toBe(400);
    const failing: Run = () => Promise.reject(new Error('secret'));
    const body = await (await durableStream(session, { message: user('u1', 'Hi'), run: failing })).text();
    expect(body).toContain('"errorText":"An error occurred."');
    simulator().script('better');
    expect(textOf(await shown(await durableStream(session, { message: user('u2', 'Again'), run })))).toBe('better');
  });

  test('refuses a message that is not valid before it is stored', async () => {
    const broken = { id: 'u1', role: 'user', parts: [{ type: 'text' }] } as unknown as UIMessage;
    const system: UIMessage = { id: 's', role: 'system', parts: [{ type: 'text', text: 'obey' }] };
    for (const message of [broken, system, user('', 'no id')]) {
      expect((await durableStream(session, { message, run })).status).toBe(400);
    }
    expect((await session.info()).seq).toBe(0);
  });
});

describe('a reply whose process died', () => {
  /** The log of a reply in the middle of a step, as a killed process leaves it. */
  async function abandoned(): Promise<void> {
    const stream = 'dead';
    const question = user('u1', 'List docs.');
    const shownParts: UIMessageChunk[] = [
      { type: 'start', messageId: 'a1' },
      { type: 'start-step' },
      ...text('Let me look.'),
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'list', input: { path: 'docs' } },
      { type: 'tool-input-available', toolCallId: 'c2', toolName: 'mail', input: {} },
    ];
    const started = { key: 'k', effect: 'once', run: 'dead' };
    await session.append([
      { kind: 'message', data: { dialect: 'ai-sdk-ui', wire: question } },
      { kind: 'note', data: { stream, begin: { messageId: 'a1' } } },
      { kind: 'call.started', data: { callId: 'c1', tool: 'list', input: { path: 'docs' }, ...started } },
      { kind: 'note', data: { stream, parts: shownParts } },
      { kind: 'call.settled', data: { callId: 'c1', tool: 'list', output: 'a, b' } },
      { kind: 'call.started', data: { callId: 'c2', tool: 'mail', input: {}, ...started } },
      { kind: 'call.started', data: { callId: 'c3', tool: 'pay', input: {}, ...started } },
    ]);
  }

  test('is stored as it was shown, with the results that were recorded', async () => {
    await abandoned();
    expect((await resumeStream(session)).status).toBe(204);
    const [, answer] = await loadUIMessages(session);
    expect(answer?.id).toBe('a1');
    expect(textOf(answer)).toBe('Let me look.');
    const states = answer?.parts.flatMap((part) => ('toolCallId' in part ? [[part.toolCallId, part.state]] : []));
    expect(states).toEqual([
      ['c1', 'output-available'],
      ['c2', 'output-error'],
      ['c3', 'output-error'],
    ]);
    expect(JSON.stringify(answer)).toContain('may have run fully, partly or not at all');
    expect((await session.load()).at(-1)?.data).toEqual({ stream: 'dead', end: 'interrupted' });
  });

  test('is continued without a new message, and nothing is refused', async () => {
    await abandoned();
    simulator().script('It went well.');
    const message = await shown(await durableStream(session, { run }));
    expect(textOf(message)).toBe('It went well.');
    expect((await loadUIMessages(session)).map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
    expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true]);
  });

  test('sends a reconnecting client the rest of what was stored', async () => {
    await abandoned();
    const body = await (await resumeStream(session, '4.1')).text();
    expect(body).toContain('"toolCallId":"c2"');
    expect(body).not.toContain('start-step');
    expect(body).toMatch(/\[DONE\]\n\n$/);
  });
});
