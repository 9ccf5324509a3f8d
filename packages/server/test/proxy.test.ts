import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { trace, type TracerProvider } from '@opentelemetry/api';
import { describe, expect, test } from 'vitest';

import { createProxy } from '../src/index.ts';
import { talk } from './raw-client.ts';
import { rawServer } from './raw-server.ts';
import { broken, headers, healthy, openWorld, post, usesOpened } from './world.ts';

const opens = usesOpened();

describe('a request that is sure to be refused', () => {
  test('is repaired before it leaves, and says so in the log', async () => {
    const { simulator, proxy } = await openWorld(opens);
    const direct = await post(`${simulator.url}/v1/messages`, broken);
    expect(direct.status).toBe(400);
    const through = await post(`${proxy.urlOf('sim')}/v1/messages`, broken);
    expect(through.status).toBe(200);
    expect(await through.json()).toMatchObject({ type: 'message' });
    expect(proxy.log.entries).toMatchObject([
      {
        ending: 'repaired',
        status: 200,
        dialect: 'anthropic-messages',
        model: 'claude-sonnet-4-5',
        path: '/sim/v1/messages',
        repairs: [{ rule: 'call-without-result', action: 'synthesize', loss: 'synthetic' }],
      },
    ]);
    expect(simulator.verdicts.map(({ accepted }) => accepted)).toEqual([false, true]);
  });

  test('is only reported by a proxy that observes', async () => {
    const { simulator, proxy } = await openWorld(opens, { mode: 'observe' });
    const text = JSON.stringify(broken);
    const through = await post(`${proxy.urlOf('sim')}/v1/messages`, text);
    expect(through.status).toBe(400);
    expect(simulator.verdicts[0]?.body).toEqual(broken);
    expect(proxy.log.entries).toMatchObject([
      { ending: 'passed', status: 400, verdict: 'broken', findings: [{ rule: 'call-without-result' }] },
    ]);
    expect(proxy.log.entries[0]).not.toHaveProperty('repairs');
  });
});

describe('everything else passes byte for byte', () => {
  const head = [
    'POST /raw/v1/messages?beta=true&key=a%20b HTTP/1.1',
    'hOsT: 127.0.0.1:1',
    'X-API-Key: sk-one',
    'anthropic-VERSION: 2023-06-01',
    'X-Twice: 1',
    'x-twice: 2',
    'Content-Type: application/json',
    'X-Bytes: \xe9\xff',
    'Empty:',
  ];

  test('the head of a request, but for the host, and its body', async () => {
    const answer =
      'HTTP/1.1 299 Fine Thing\r\nX-Odd-CASE: a\r\nx-odd-case: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';
    await using server = await rawServer((one, chunk) => {
      if (chunk.endsWith('}')) one.socket.end(answer);
    });
    const proxy = opens(await createProxy({ upstreams: { raw: server.url } }));
    const body = JSON.stringify(healthy).replaceAll(':', ' : ');
    const request = [...head, `Content-Length: ${Buffer.byteLength(body)}`, '', ''].join('\r\n');
    const got = await talk(proxy.url, Buffer.concat([Buffer.from(request, 'latin1'), Buffer.from(body)]));
    const { host } = new URL(server.url);
    const expected = request.replace('/raw/v1', '/v1').replace('127.0.0.1:1', host).replace('Empty:', 'Empty: ');
    expect(server.talks[0]?.received).toBe(expected + Buffer.from(body).toString('latin1'));
    expect(got).toBe(answer);
  });

  test('a streamed request and answer with trailers', async () => {
    await using server = await rawServer((one, chunk) => {
      if (!chunk.includes('0\r\n')) return;
      one.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n');
      one.socket.write('0\r\nX-Sum: 1\r\nX-sum: 2\r\n\r\n');
    });
    const proxy = opens(await createProxy({ upstreams: { '': server.url } }));
    const request = 'PUT /files HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTrailer: X-Check\r\n\r\n';
    const got = await talk(proxy.url, `${request}2\r\nhi\r\n0\r\nX-Check: 7\r\n\r\n`, { until: 'X-sum: 2' });
    expect(server.talks[0]?.received).toMatch(/2\r\nhi\r\n0\r\nX-Check: 7\r\n\r\n$/);
    expect(got).toBe(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\nX-sum: 2\r\n\r\n',
    );
  });

  test('an answer that ends with its connection', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end';
    await using server = await rawServer((one) => one.socket.end(answer));
    const proxy = opens(await createProxy({ upstreams: { '': server.url } }));
    expect(await talk(proxy.url, 'GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n')).toBe(answer);
  });

  test.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n'],
    ['GET', 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 7\r\n\r\n'],
    ['DELETE', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['GET', 'HTTP/1.1 500 \r\nContent-Length: 0\r\n\r\n'],
  ])('the answer to %s without a body: %j', async (method, answer) => {
    await using server = await rawServer((one) => void one.socket.write(answer));
    const proxy = opens(await createProxy({ upstreams: { '': server.url } }));
    const request = `${method} /x HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    expect(await talk(proxy.url, request + request, { until: new RegExp('HTTP[^]*HTTP[^]*\r\n\r\n') })).toBe(
      answer + answer,
    );
  });

  test('a client that asks before it sends is told to go on, by the proxy', async () => {
    await using server = await rawServer(
      (one) => void one.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    );
    const proxy = opens(await createProxy({ upstreams: { '': server.url } }));
    const head = 'PUT /x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n';
    expect(await talk(proxy.url, `${head}ab`, { until: '200 OK' })).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/,
    );
    expect(server.talks[0]?.received).not.toMatch(/expect/i);
  });
});

describe('a compressed request', () => {
  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['zstd', zstdCompressSync],
  ] as const)('in %s is repaired, and then sent plain', async (coding, compress) => {
    const { simulator, proxy } = await openWorld(opens);
    const answer = await fetch(`${proxy.urlOf('sim')}/v1/messages`, {
      method: 'POST',
      headers: { ...headers, 'content-encoding': coding },
      body: compress(Buffer.from(JSON.stringify(broken))),
    });
    expect(answer.status).toBe(200);
    expect(simulator.verdicts.map(({ accepted }) => accepted)).toEqual([true]);
  });
});

test('an application with OpenTelemetry gets a span of each exchange', async () => {
  const spans: { name: string; attributes: Record<string, unknown> }[] = [];
  const span = { setStatus: () => span, end: () => undefined };
  const tracer = {
    startSpan: (name: string, { attributes = {} }: { attributes?: Record<string, unknown> } = {}) => {
      spans.push({ name, attributes });
      return span;
    },
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer } as unknown as TracerProvider);
  try {
    const { proxy } = await openWorld(opens);
    await (await post(`${proxy.urlOf('sim')}/v1/messages`, broken)).text();
    expect(spans).toMatchObject([
      {
        name: 'rethread.proxy.exchange',
        attributes: { 'http.response.status_code': 200, 'rethread.repairs': ['call-without-result'] },
      },
    ]);
  } finally {
    trace.disable();
  }
});
