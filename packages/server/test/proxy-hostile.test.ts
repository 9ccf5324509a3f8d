import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { createProxy, type ProxyOptions, type RepairingProxy } from '../src/index.ts';
import { talk } from './raw-client.ts';
import { rawServer, type RawServer } from './raw-server.ts';
import { broken, headers, key, openWorld, post, usesOpened } from './world.ts';

const opens = usesOpened();

type Stage = { readonly proxy: RepairingProxy; readonly server: RawServer };

const stage = async (options: Partial<ProxyOptions> = {}): Promise<Stage> => {
  const server = opens(
    await rawServer(({ socket }) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')),
  );
  return { server, proxy: opens(await createProxy({ upstreams: { '': server.url, a: server.url }, ...options })) };
};

const request = (line: string, ...more: readonly string[]): string =>
  [line, ...(more.some((each) => /^host:/i.test(each)) ? [] : ['Host: localhost']), ...more, '', ''].join('\r\n');

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

describe('requests that two servers could read differently are refused', () => {
  const post = 'POST /v1/messages HTTP/1.1';
  test.each([
    ['a length and chunks', `${request(post, 'Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
    ['two lengths', `${request(post, 'Content-Length: 1', 'Content-Length: 2')}ab`],
    ['a length that is no number', `${request(post, 'Content-Length: +1')}a`],
    ['a coding that only looks like chunks', `${request(post, 'Transfer-Encoding: xchunked')}0\r\n\r\n`],
    ['chunks that are not the last coding', `${request(post, 'Transfer-Encoding: chunked, identity')}0\r\n\r\n`],
    ['a folded header', request(post, 'X-One: a\r\n b', 'Content-Length: 0')],
    ['a space before the colon', `${request(post, 'Content-Length : 1')}a`],
    ['a bare carriage return in a value', request(post, 'X-One: a\rContent-Length: 5', 'Content-Length: 0')],
    ['a NUL in a value', request(post, 'X-One: a\0b', 'Content-Length: 0')],
    ['a chunk size that is no number', `${request(post, 'Transfer-Encoding: chunked')}zz\r\nabc\r\n0\r\n\r\n`],
    ['a space in the path', request('POST /v1/messages /x HTTP/1.1', 'Content-Length: 0')],
    ['two hosts', request(post, 'Host: localhost', 'Host: evil.example', 'Content-Length: 0')],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const { proxy, server } = await stage();
    expect(statusOf(await talk(proxy.url, bytes))).toBe(400);
    expect(server.talks.map(({ received }) => received).join('')).not.toContain('X-Smuggled');
  });

  test('what follows a request is never part of it', async () => {
    const { proxy, server } = await stage();
    const first = `${request('POST /one HTTP/1.1', 'Content-Length: 2')}ab`;
    await talk(proxy.url, first + request('GET /two HTTP/1.1', 'Connection: close'), { until: /200 OK[^]*200 OK/ });
    const heads = server.talks.flatMap(({ received }) => received.match(/^(?:POST|GET) \S+/gm) ?? []);
    expect(heads.sort()).toEqual(['GET /two', 'POST /one']);
  });
});

describe('a client cannot choose where its request goes', () => {
  test.each([
    ['an absolute address', request('GET http://169.254.169.254/latest HTTP/1.1'), 400],
    ['another scheme', request('GET file:///etc/passwd HTTP/1.1'), 400],
    ['no path', request('OPTIONS * HTTP/1.1'), 400],
    ['a path that climbs', request('GET /a/../../x HTTP/1.1'), 400],
    ['a path that climbs in disguise', request('GET /a/%2e%2E/x HTTP/1.1'), 400],
    ['a tunnel', request('CONNECT evil.example:443 HTTP/1.1'), 405],
  ])('by %s', async (_, bytes, status) => {
    const { proxy, server } = await stage();
    expect(statusOf(await talk(proxy.url, bytes))).toBe(status);
    expect(server.talks).toEqual([]);
  });

  test.each(['/', '/__proto__/x', '/constructor/x', '/b/x', '//evil.example/x'])(
    'and %s leads nowhere',
    async (path) => {
      const server = opens(await rawServer(() => undefined));
      const proxy = opens(await createProxy({ upstreams: { a: server.url } }));
      expect(statusOf(await talk(proxy.url, request(`GET ${path} HTTP/1.1`)))).toBe(404);
      expect(server.talks).toEqual([]);
    },
  );

  test('a redirect is passed on, not followed', async () => {
    const moved = 'HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n';
    const server = opens(await rawServer(({ socket }) => void socket.write(moved)));
    const proxy = opens(await createProxy({ upstreams: { '': server.url } }));
    expect(await talk(proxy.url, request('GET /x HTTP/1.1'), { until: '\r\n\r\n' })).toBe(moved);
  });

  test.each(['ftp://a', 'https://user:pass@a', 'https://a/?b', 'nonsense', 'file:///x'])(
    '%s is no upstream',
    async (url) => {
      await expect(createProxy({ upstreams: { a: url } })).rejects.toThrow('invalid upstream');
    },
  );
});

describe('web pages are kept out', () => {
  test.each([
    ['a name that points to this machine', ['Host: evil.example'], 421],
    ['a name that ends like ours', ['Host: localhost.evil.example'], 421],
    ['a page of another site', ['Origin: https://evil.example'], 403],
    ['a page without a site', ['Origin: null'], 403],
    ['a page that sends no origin', ['Sec-Fetch-Site: cross-site'], 403],
  ])('%s', async (_, more, status) => {
    const { proxy, server } = await stage();
    for (const path of ['/v1/messages', '/metrics', '/.rethread/log']) {
      expect(statusOf(await talk(proxy.url, request(`GET ${path} HTTP/1.1`, ...more)))).toBe(status);
    }
    expect(server.talks).toEqual([]);
  });

  test('a WebSocket is answered with 426, so that clients go on with requests', async () => {
    const { proxy } = await stage();
    const upgrade = request(
      'GET /v1/responses HTTP/1.1',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
    );
    expect(statusOf(await talk(proxy.url, upgrade))).toBe(426);
  });
});

describe('who may use it', () => {
  const token = 'a-token-of-24-characters';

  test('others can reach it only with a token and TLS', async () => {
    const upstreams = { '': 'http://127.0.0.1:1' };
    await expect(createProxy({ upstreams, host: '0.0.0.0' })).rejects.toThrow('needs TLS files, and a token');
    await expect(createProxy({ upstreams, host: '0.0.0.0', token })).rejects.toThrow('needs TLS files');
    await expect(createProxy({ upstreams, host: '::', token: 'short' })).rejects.toThrow('at least 16 characters');
  });

  test('a token that is missing or wrong is refused before the body is read, and never passed on', async () => {
    const { proxy, server } = await stage({ token });
    const ask = (...more: readonly string[]): Promise<string> =>
      talk(proxy.url, request('POST /v1/messages HTTP/1.1', 'Content-Length: 1000', ...more));
    expect(statusOf(await ask())).toBe(401);
    expect(statusOf(await ask('X-Rethread-Token: a-token-of-24-characterz'))).toBe(401);
    const got = await talk(proxy.url, request('GET /v1/models HTTP/1.1', `X-Rethread-Token: ${token}`), {
      until: '200 OK',
    });
    expect(statusOf(got)).toBe(200);
    expect(server.talks[0]?.received).toMatch(/^GET \/v1\/models/);
    expect(server.talks[0]?.received).not.toContain(token);
  });
});

describe('bodies that are too large', () => {
  const limits = { judgedBytes: 10_000, passedBytes: 20_000 };

  test.each([
    ['a length that is too large', request('POST /v1/messages HTTP/1.1', 'Content-Length: 10001')],
    [
      'chunks without end',
      `${request('POST /v1/messages HTTP/1.1', 'Transfer-Encoding: chunked')}${`1000\r\n${'x'.repeat(4096)}\r\n`.repeat(3)}`,
    ],
    ['a file that is too large', request('PUT /files HTTP/1.1', 'Content-Length: 20001')],
  ])('%s: refused', async (_, bytes) => {
    const { proxy, server } = await stage({ limits });
    expect(statusOf(await talk(proxy.url, bytes))).toBe(413);
    expect(server.talks.map(({ received }) => received)).toEqual([]);
  });

  test('a file whose length is not known breaks off where it becomes too large', async () => {
    const { proxy } = await stage({ limits });
    const head = request('PUT /files HTTP/1.1', 'Transfer-Encoding: chunked');
    const chunk = `2000\r\n${'x'.repeat(8192)}\r\n`;
    await talk(proxy.url, head + chunk.repeat(4));
    expect(proxy.log.entries).toHaveLength(1);
    expect(proxy.log.entries[0]?.requestBytes).toBeLessThan(64_000);
  });

  test('a body that never ends ends with the time for it', async () => {
    const { proxy, server } = await stage({ limits: { requestMs: 200 } });
    const got = await talk(proxy.url, `${request('POST /v1/messages HTTP/1.1', 'Content-Length: 100')}{`);
    expect(['', '408']).toContain(got.slice(9, 12));
    expect(server.talks).toEqual([]);
  });

  test('a head that is too large', async () => {
    const { proxy } = await stage();
    expect(statusOf(await talk(proxy.url, request('GET / HTTP/1.1', `X-Large: ${'x'.repeat(70_000)}`)))).toBe(431);
  });

  test('a body that grows without bound when it is unpacked is passed on packed', async () => {
    const { proxy, server } = await stage({ limits: { judgedBytes: 1_000_000 } });
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const head = request('POST /v1/messages HTTP/1.1', 'Content-Encoding: gzip', `Content-Length: ${bomb.length}`);
    await talk(proxy.url, Buffer.concat([Buffer.from(head), bomb]), { until: '200 OK' });
    expect(server.talks[0]?.received.endsWith(bomb.toString('latin1'))).toBe(true);
  });
});

describe('keys', () => {
  test('are in no log and no page, wherever a client puts them', async () => {
    const { proxy } = await openWorld(opens, {}, { key: 'another' });
    const url = `${proxy.urlOf('sim')}/v1/messages`;
    await post(`${url}?key=${key}&x=1`, broken);
    await post(url, { ...broken, model: key });
    await post(`${proxy.urlOf('sim')}/${key}/v1/messages`, `{"key":"${key}"`);
    await post(url, broken, { headers: { ...headers, authorization: `Bearer ${key}` } });
    const pages = ['/metrics', '/.rethread/log', '/.rethread/stats', '/.rethread/health'];
    const texts = await Promise.all(pages.map(async (page) => (await fetch(proxy.url + page)).text()));
    expect(proxy.log.entries).toHaveLength(4);
    expect(texts.join('')).not.toContain(key);
  });
});
