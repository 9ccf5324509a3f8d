import { describe, expect, test } from 'vitest';

import { KEY, useScrubbedEnvironment } from '../../../simulator/test/clients/surroundings.ts';
import { anthropic } from '../../src/ports/anthropic.ts';
import { NETWORK_DEADLINES } from '../../src/ports/network-deadlines.ts';
import { ask, user, type Ask } from './providers.ts';
import { httpServer, tcpServer, type RawServer } from './raw-server.ts';
import { VirtualClock } from './virtual-clock.ts';

useScrubbedEnvironment();

const event = (type: string, rest: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
const START = [
  event('message_start', { message: { id: 'm', role: 'assistant', content: [] } }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hel' } }),
].join('');
const PING = event('ping', {});
const HEAD = { 'content-type': 'text/event-stream' };

const portTo = (baseURL: string, options: object = {}): ReturnType<typeof anthropic> =>
  anthropic({ model: 'claude-sonnet-5', apiKey: KEY, baseURL, ...options });

/** Asks, waits until the step with this deadline starts, and lets it pass. One moment earlier, nothing has ended. */
async function endsAfter(ms: number, baseURL: string, asked: Partial<Ask> = {}): Promise<unknown[]> {
  const clock = new VirtualClock();
  let over = false;
  const outcome = ask(portTo(baseURL), { messages: [user('hi')], clock, ...asked }).finally(() => {
    over = true;
  });
  await clock.reached(ms);
  await clock.still();
  clock.advance(ms - 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(over, 'before the deadline').toBe(false);
  clock.advance(1);
  const { error } = await clock.passes(ms, outcome);
  expect(clock.waiting).toEqual([]);
  return [error?.kind, error?.message];
}

/** The server notices the closed connection. */
async function allClosed({ open }: RawServer): Promise<number> {
  for (let tries = 0; tries < 200 && open.size > 0; tries += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  return open.size;
}

const { connectMs, writeMs, readMs, wholeMs, poolMs } = NETWORK_DEADLINES;

describe('every step of a request has a deadline', () => {
  test('the defaults are those of the design', () => {
    expect([connectMs, readMs, writeMs, poolMs]).toEqual([10_000, 60_000, 30_000, 5_000]);
  });

  test('connect: a handshake that never ends', async () => {
    await using server = await tcpServer((socket) => socket.resume());
    const secure = `https://127.0.0.1:${server.port}`;
    expect(await endsAfter(connectMs, secure)).toEqual([
      'connect',
      'anthropic/claude-sonnet-5: no connection was made for 10000 ms',
    ]);
    expect(await allClosed(server)).toBe(0);
  });

  test('write: a server that does not read the request', async () => {
    await using server = await tcpServer();
    const messages = [user('x'.repeat(16_000_000))];
    expect(await endsAfter(writeMs, server.url, { messages })).toEqual([
      'read',
      'anthropic/claude-sonnet-5: the request was not taken for 30000 ms',
    ]);
    for (const socket of server.open) socket.resume();
    expect(await allClosed(server)).toBe(0);
  });

  test.each([
    [true, readMs],
    [false, wholeMs],
  ])('read: no head comes (streaming: %s)', async (stream, ms) => {
    await using server = await tcpServer((socket) => socket.resume());
    const [kind, message] = await endsAfter(ms, server.url, { stream });
    expect([kind, message]).toEqual(['read', `anthropic/claude-sonnet-5: no answer came for ${ms} ms`]);
    expect(await allClosed(server)).toBe(0);
  });

  test('read: a stalled stream', async () => {
    await using server = await httpServer(({ response }) => {
      response.writeHead(200, HEAD).write(START);
    });
    expect((await endsAfter(readMs, server.url))[0]).toBe('stalled');
    expect(await allClosed(server)).toBe(0);
  });

  test('read: an error without its body', async () => {
    await using server = await httpServer(({ response }) => {
      response.writeHead(500).write('{"type":');
    });
    expect((await endsAfter(readMs, server.url, { stream: false }))[0]).toBe('read');
  });

  test('pool: all connections are in use', async () => {
    await using server = await httpServer(({ response }) => {
      response.writeHead(200, HEAD).write(START);
    });
    const port = portTo(server.url, { maxConnections: 1 });
    const clock = new VirtualClock();
    const aborter = new AbortController();
    const first = ask(port, { messages: [user('hi')], clock, signal: aborter.signal });
    await clock.still();
    const second = ask(port, { messages: [user('hi')], clock });
    await clock.reached(poolMs);
    const { error } = await clock.passes(poolMs, second);
    expect([error?.kind, error?.message]).toEqual([
      'connect',
      'anthropic/claude-sonnet-5: no connection was free for 5000 ms',
    ]);
    aborter.abort();
    await first;
    await port.renew();
    expect([clock.waiting, await allClosed(server)]).toEqual([[], 0]);
  });

  test('all of them can be set', async () => {
    await using server = await tcpServer((socket) => socket.resume());
    const clock = new VirtualClock();
    const port = portTo(server.url, { deadlines: { readMs: 7 } });
    const outcome = ask(port, { messages: [user('hi')], clock });
    await clock.reached(7);
    expect((await clock.passes(7, outcome)).error?.message).toContain('no answer came for 7 ms');
  });
});

describe('signs of life', () => {
  test('a ping is reported and extends the deadline', async () => {
    let ping = (): void => undefined;
    await using server = await httpServer(({ response }) => {
      ping = () => void response.write(PING);
      response.writeHead(200, HEAD).write(START);
    });
    const clock = new VirtualClock();
    const kinds: string[] = [];
    const outcome = ask(portTo(server.url), {
      messages: [user('hi')],
      clock,
      onEvent: ({ kind }) => void kinds.push(kind),
    });
    await clock.still();
    for (let times = 1; times <= 3; times += 1) {
      clock.advance(readMs - 1);
      ping();
      while (kinds.length < times + 2) await new Promise((resolve) => setTimeout(resolve, 5));
      await clock.still();
    }
    expect(kinds).toEqual(['begin', 'text', 'alive', 'alive', 'alive']);
    const { error } = await clock.passes(readMs, outcome);
    expect(error?.kind).toBe('stalled');
    expect(error?.partial).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Hel' }] }]);
  });

  test('a comment is scanned in linear time, whatever its length', async () => {
    const comment = `${': '.repeat(200_000)}\n\ndata: `;
    await using server = await httpServer(({ response }) => {
      response.writeHead(200, HEAD);
      response.end(comment);
    });
    const began = performance.now();
    expect((await ask(portTo(server.url), { messages: [user('hi')] })).error?.kind).toBe('cut');
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('a fetch that was given', () => {
  test('that never settles is not awaited', async () => {
    const clock = new VirtualClock();
    const fetch = (): Promise<Response> => new Promise(() => undefined);
    const outcome = ask(portTo('http://127.0.0.1:1', { fetch }), { messages: [user('hi')], clock });
    expect((await clock.passes(readMs, outcome)).error?.kind).toBe('read');
    expect(clock.waiting).toEqual([]);
  });

  test('whose body never ends is not awaited either', async () => {
    const clock = new VirtualClock();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(START)),
    });
    const fetch = (): Promise<Response> => Promise.resolve(new Response(body, { headers: HEAD }));
    const outcome = ask(portTo('http://127.0.0.1:1', { fetch }), { messages: [user('hi')], clock });
    expect((await clock.passes(readMs, outcome)).error).toMatchObject({
      kind: 'stalled',
      partial: [{ content: [{ text: 'Hel' }] }],
    });
  });

  test('that fails counts as a failed connection', async () => {
    const fetch = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
    const { error } = await ask(portTo('http://127.0.0.1:1', { fetch }), { messages: [user('hi')] });
    expect([error?.kind, error?.message]).toEqual(['connect', 'anthropic/claude-sonnet-5: fetch failed']);
  });
});
