import { createHash, randomBytes } from 'node:crypto';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import {
  createServer as createHttp2Server,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createProxy, type RepairingProxy } from '../src/index.ts';
import { broken, healthy } from './world.ts';

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const bytesOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Requests of every API in which nothing is to be repaired. */
const samples: readonly (readonly [path: string, body: object])[] = [
  ['/v1/messages?beta=true', { ...healthy, stream: true }],
  ['/v1/messages/count_tokens', healthy],
  [
    '/v1/chat/completions',
    {
      model: 'gpt-4.1',
      messages: [
        { role: 'system', content: 'Be kind. ' },
        { role: 'user', content: 'Hi' },
      ],
    },
  ],
  [
    '/v1/responses',
    { model: 'gpt-5.1', input: [{ role: 'user', content: 'go' }], store: false, text: { format: null } },
  ],
  ['/v1/responses/compact', { model: 'gpt-5.1', input: [{ role: 'user', content: 'go' }] }],
  [
    '/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse&key=x',
    { contents: [{ role: 'user', parts: [{ text: 'é' }] }] },
  ],
  ['/model/amazon.nova-pro-v1%3A0/converse', { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] }],
  ['/v1/files', { any: 'thing', messages: [{ role: 'assistant' }] }],
  ['/v1/embeddings', { input: ['a', null] }],
];

/** The same JSON as people and programs write it: bytes that no writer of ours would choose. */
const spellings: readonly ((value: object) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, '\t'),
  (value) => `\r\n ${JSON.stringify(value).replaceAll('e', '\\u0065')} \n`,
  (value) =>
    JSON.stringify({ ...value, number: 1 }).replace('"number":1', '"number":1.0e+00,"number":12345678901234567890'),
];

const codings: readonly (readonly [name: string | undefined, code: (text: Buffer) => Buffer])[] = [
  [undefined, (text) => text],
  ['gzip', (text) => gzipSync(text)],
  ['br', (text) => brotliCompressSync(text)],
  ['deflate', (text) => deflateSync(text)],
];

type Exchange = {
  readonly path: string;
  readonly body: Buffer;
  readonly coding: string | undefined;
  readonly chunked: boolean;
};

const exchangeOf = (index: number): Exchange => {
  const [path, value] = samples[index % samples.length] ?? ['/', {}];
  const spelled = spellings[index % spellings.length]?.({ ...value, padding: 'p'.repeat((index * 37) % 5000) }) ?? '';
  const [coding, code] = codings[Math.floor(index / 3) % codings.length] ?? [undefined, (text: Buffer) => text];
  return { path, body: code(Buffer.from(spelled)), coding, chunked: index % 2 === 0 };
};

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

const send = (url: string, { path, body, coding, chunked }: Exchange): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const length = chunked ? [] : ['Content-Length', String(body.length)];
    const coded = coding === undefined ? [] : ['Content-Encoding', coding];
    const own = ['Host', new URL(url).host, 'content-type', 'application/json', 'X-Odd-CASE', 'a', 'x-odd-case', 'b'];
    const framed = chunked ? ['Transfer-Encoding', 'chunked'] : length;
    const asked = httpRequest(url + path, { method: 'POST', agent, headers: [...own, ...coded, ...framed] });
    asked.on('response', resolve);
    asked.on('error', reject);
    const middle = Math.floor(body.length / 2);
    asked.write(body.subarray(0, middle));
    asked.end(body.subarray(middle));
  });

/** Answers with bytes of its own, and says in headers what it was sent. */
const answerOf = (index: number): Buffer => randomBytes((index * 211) % 20_000);

const count = Number(process.env['RETHREAD_IDENTITY_COUNT'] ?? 2_000);

const check = async (proxy: RepairingProxy, sent: readonly Buffer[], index: number): Promise<string[]> => {
  const exchange = exchangeOf(index);
  const response = await send(proxy.url, exchange);
  const body = await bytesOf(response);
  const { 'x-sha': arrived, 'x-path': path, 'x-number': number } = response.headers;
  const faults: string[] = [];
  if (arrived !== sha(exchange.body)) faults.push(`${index}: the request changed`);
  if (path !== exchange.path) faults.push(`${index}: the path changed`);
  if (sha(body) !== sha(sent[Number(number)] ?? Buffer.alloc(0))) faults.push(`${index}: the answer changed`);
  return faults;
};

const run = async (proxy: RepairingProxy, sent: readonly Buffer[], most: number): Promise<string[]> => {
  const faults: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < most) faults.push(...(await check(proxy, sent, next++)));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return faults;
};

describe('healthy requests arrive byte for byte, and so do their answers', () => {
  const sent: Buffer[] = [];
  const heads: string[] = [];
  let server: Server;
  let proxy: RepairingProxy;
  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bytesOf(request);
    const number = sent.push(answerOf(sent.length)) - 1;
    heads.push(request.rawHeaders.filter((_, index, all) => all[index - (index % 2)] !== 'Host').join('|'));
    const answer = sent[number] ?? Buffer.alloc(0);
    response.writeHead(200, { 'x-sha': sha(body), 'x-path': request.url ?? '', 'x-number': number });
    response.write(answer.subarray(0, 100));
    response.end(answer.subarray(100));
  };
  beforeAll(async () => {
    server = createServer((request, response) => {
      void answerTo(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    proxy = await createProxy({ upstreams: { '': `http://127.0.0.1:${port}` } });
  });
  afterAll(async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });

  test(`${count} of them over HTTP/1.1`, async () => {
    expect(await run(proxy, sent, count)).toEqual([]);
    expect(heads.filter((head) => !head.startsWith('content-type|application/json|X-Odd-CASE|a|x-odd-case|b'))).toEqual(
      [],
    );
    expect(proxy.statistics()).toMatchObject({ exchanges: count, endings: { passed: count }, repairs: {} });
  });
});

describe('a provider that speaks HTTP/2', () => {
  const sent: Buffer[] = [];
  let server: Http2Server;
  let proxy: RepairingProxy;
  const seen: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const answerTo = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> => {
    const body = await bytesOf(stream);
    const path = String(headers[':path']);
    seen.push({ headers, body });
    if (path === '/cut') {
      stream.close(2);
      return;
    }
    const number = sent.push(answerOf(sent.length)) - 1;
    const told = { 'x-sha': sha(body), 'x-path': path, 'x-number': String(number), 'set-cookie': ['a', 'b'] };
    stream.respond({ ':status': 200, ...told }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '1' }));
    stream.end(sent[number]);
  };
  beforeAll(async () => {
    server = createHttp2Server();
    server.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      void answerTo(stream, headers);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    proxy = await createProxy({ upstreams: { '': { url: `http://127.0.0.1:${port}`, http2: true } } });
  });
  afterAll(async () => {
    await proxy.close();
    server.close();
  });

  test('gets the same bytes', async () => {
    expect(await run(proxy, sent, 300)).toEqual([]);
    expect(seen[0]?.headers).toMatchObject({ 'x-odd-case': 'a, b', ':method': 'POST' });
    expect(seen[0]?.headers).not.toHaveProperty('connection');
  });

  test('has its trailers passed on, and a stream that it resets is a network error', async () => {
    const response = await send(proxy.url, exchangeOf(0));
    await bytesOf(response);
    expect(response.rawTrailers).toEqual(['x-sum', '1']);
    expect(response.headers['set-cookie']).toEqual(['a', 'b']);
    await expect(send(proxy.url, { ...exchangeOf(0), path: '/cut' })).rejects.toThrow(/socket hang up|ECONNRESET/);
  });

  test('gets repaired requests', async () => {
    const body = Buffer.from(JSON.stringify(broken));
    await bytesOf(await send(proxy.url, { path: '/v1/messages', body, coding: undefined, chunked: true }));
    expect(seen.at(-1)?.body.toString()).toContain('tool_result');
  });
});
