import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';

import { KEY, useScrubbedEnvironment } from '../../../simulator/test/clients/surroundings.ts';
import { realClock } from '../../src/clock.ts';
import type { ModelPort } from '../../src/model-port.ts';
import { anthropic } from '../../src/ports/anthropic.ts';
import { openaiChat, openaiResponses } from '../../src/ports/openai.ts';
import { ask, user } from './providers.ts';
import { httpServer, type RawServer } from './raw-server.ts';

useScrubbedEnvironment();

const CHUNK = { id: 'c', object: 'chat.completion.chunk', model: 'm' };
const chunk = (delta: object, finish_reason: string | null): string =>
  `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const named = (type: string, rest: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
const MESSAGE = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] };

/** A port, the first piece of its answer, and the rest. */
const STREAMS: readonly { name: string; port: (url: string) => ModelPort; first: string; rest: string }[] = [
  {
    name: 'anthropic',
    port: (baseURL) => anthropic({ model: 'claude-sonnet-5', apiKey: KEY, baseURL }),
    first:
      named('message_start', { message: { id: 'm', role: 'assistant', content: [], usage: {} } }) +
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
      named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
    rest:
      named('content_block_stop', { index: 0 }) +
      named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }) +
      named('message_stop', {}),
  },
  {
    name: 'openaiChat',
    port: (url) => openaiChat({ model: 'gpt-4.1', apiKey: KEY, baseURL: `${url}/v1` }),
    first: chunk({ role: 'assistant', content: 'Hello' }, null),
    rest: `${chunk({}, 'stop')}data: [DONE]\n\n`,
  },
  {
    name: 'openaiResponses',
    port: (url) => openaiResponses({ model: 'gpt-5', apiKey: KEY, baseURL: `${url}/v1` }),
    first:
      named('response.output_item.added', { output_index: 0, item: { ...MESSAGE, content: [] } }) +
      named('response.output_text.delta', { output_index: 0, content_index: 0, delta: 'Hello' }),
    rest: named('response.completed', { response: { id: 'r', status: 'completed', output: [MESSAGE], usage: {} } }),
  },
];

const serving = (first: string, rest: string | undefined): Promise<RawServer> =>
  httpServer(({ response, body }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first);
    if (rest !== undefined && !body.includes('hang')) response.end(rest);
  });

async function openAtLast({ open }: RawServer, wanted: number): Promise<number> {
  for (let tries = 0; tries < 200 && open.size !== wanted; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
  return open.size;
}

/** Asks and aborts as soon as text is shown. */
async function interrupted(port: ModelPort): Promise<string | undefined> {
  const aborter = new AbortController();
  const { error } = await ask(port, {
    messages: [user('hang')],
    signal: aborter.signal,
    onEvent: ({ kind }) => {
      if (kind === 'text') aborter.abort();
    },
  });
  return error?.kind;
}

describe.each(STREAMS)('the connections of $name', ({ port: portTo, first, rest }) => {
  test('one is reused until it is discarded', async () => {
    await using server = await serving(first, rest);
    const port = portTo(server.url);
    for (let times = 1; times <= 4; times += 1) {
      expect((await ask(port, { messages: [user('hi')] })).error).toBeUndefined();
      expect(server.made()).toBe(1);
    }
    await port.renew();
    expect(await openAtLast(server, 0)).toBe(0);
    await ask(port, { messages: [user('hi')] });
    expect([server.made(), server.open.size]).toEqual([2, 1]);
    await port.renew();
    expect(await openAtLast(server, 0)).toBe(0);
  });

  test('an abort closes its own, and after renew the next request opens a new one', async () => {
    await using server = await serving(first, rest);
    const port = portTo(server.url);
    await ask(port, { messages: [user('hi')] });
    expect(await interrupted(port)).toBe('aborted');
    expect(await openAtLast(server, 0)).toBe(0);
    await port.renew();
    expect((await ask(port, { messages: [user('hi')] })).error).toBeUndefined();
    expect(server.made()).toBe(2);
    await port.renew();
    expect(await openAtLast(server, 0)).toBe(0);
  });

  test('renew leaves the request of another session alone, and its connection is not reused', async () => {
    await using server = await serving(first, rest);
    const port = portTo(server.url);
    let release = (): void => undefined;
    const shown = new Promise<void>((resolve) => {
      release = resolve;
    });
    const aborter = new AbortController();
    const other = ask(port, {
      messages: [user('hang')],
      signal: aborter.signal,
      onEvent: ({ kind }) => {
        if (kind === 'text') release();
      },
    });
    await shown;
    await port.renew();
    await ask(port, { messages: [user('hi')] });
    expect([server.made(), server.open.size]).toEqual([2, 2]);
    aborter.abort();
    expect((await other).error?.kind).toBe('aborted');
    expect(await openAtLast(server, 1)).toBe(1);
    await port.renew();
  });

  test('a reader that stops closes the connection', async () => {
    await using server = await serving(first, undefined);
    const { signal } = new AbortController();
    const request = { messages: [user('hi')], tools: [] };
    const events = portTo(server.url).call(request, { signal, clock: realClock, stream: true, log: () => undefined });
    for await (const { kind } of events) if (kind === 'text') break;
    expect(await openAtLast(server, 0)).toBe(0);
  });

  test('a hundred aborts leave nothing behind', async () => {
    await using server = await serving(first, undefined);
    const port = portTo(server.url);
    for (let times = 0; times < 100; times += 1) {
      expect(await interrupted(port)).toBe('aborted');
      await port.renew();
    }
    expect(await openAtLast(server, 0)).toBe(0);
    expect(server.made()).toBe(100);
  });
});

describe('a client that was given', () => {
  test('takes key, address and headers from the client, but neither connections nor retries', async () => {
    const seen: (string | undefined)[] = [];
    await using server = await httpServer(({ request, response }) => {
      seen.push(request.headers['x-team'] as string | undefined, request.headers['authorization']);
      response.writeHead(500).end('{}');
    });
    const defaultHeaders = { 'x-team': 'seven' };
    const claude = new Anthropic({ apiKey: KEY, authToken: null, baseURL: server.url, defaultHeaders });
    const gpt = new OpenAI({ apiKey: KEY, baseURL: `${server.url}/v1`, defaultHeaders });
    for (const port of [
      anthropic({ model: 'claude-sonnet-5', client: claude }),
      openaiChat({ model: 'gpt-4.1', client: gpt }),
      openaiResponses({ model: 'gpt-5', client: gpt }),
    ]) {
      const { error } = await ask(port, { messages: [user('hi')] });
      expect(error?.kind).toBe('server');
      await port.renew();
      expect(await openAtLast(server, 0)).toBe(0);
    }
    expect(seen).toEqual([1, 2, 3].flatMap(() => ['seven', `Bearer ${KEY}`]));
  });
});
