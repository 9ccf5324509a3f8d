import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

import { startInspector, type Inspector } from '@rethread/inspector';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addFixtures, makeHome, type Home } from './home.ts';

let home: Home;
let inspector: Inspector;
let cookie: string;
let key: string;

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

type Given = { readonly method?: string; readonly headers?: OutgoingHttpHeaders; readonly body?: string };

function ask(path: string, { method = 'GET', headers = {}, body }: Given = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: inspector.port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** What the page itself sends. */
const own = (more: OutgoingHttpHeaders = {}): OutgoingHttpHeaders => ({
  cookie,
  'sec-fetch-site': 'same-origin',
  ...more,
});

const token = (): string => new URL(inspector.url).searchParams.get('token') ?? '';

beforeAll(async () => {
  home = makeHome();
  addFixtures(home);
  inspector = await startInspector({ version: '0.0.0-test', home: home.folder });
  const { headers } = await ask(`/?token=${token()}`);
  cookie = String(headers['set-cookie']).split(';')[0] ?? '';
  const { text } = await ask('/api/sessions', { headers: own() });
  key = (JSON.parse(text.split('\n')[0] ?? '{}') as { key: string }).key;
});
afterAll(async () => {
  await inspector.close();
  home.remove();
});

const paths = (): string[] => [
  '/',
  '/page.js',
  '/page.css',
  '/icon.svg',
  '/api/about',
  '/api/sessions',
  `/api/summaries?keys=${key}`,
  '/api/search?q=hello',
  '/api/rule?id=blank-text',
  ...['overview', 'rows?from=0&to=9', 'row?entry=1', 'entry?entry=1', 'part?entry=1&part=0'].map(
    (what) => `/api/${key}/${what}`,
  ),
  ...['media?entry=1&part=0', 'request', 'pairs?from=0&to=9', 'follow'].map((what) => `/api/${key}/${what}`),
];

describe('a request is refused on every route', () => {
  const strangers: readonly (readonly [name: string, headers: () => OutgoingHttpHeaders, status: number])[] = [
    ['without the cookie', () => ({ 'sec-fetch-site': 'same-origin' }), 401],
    ['with a wrong cookie', () => own({ cookie: `${cookie.split('=')[0]}=${'0'.repeat(32)}` }), 401],
    ['for a foreign host', () => own({ host: 'attacker.example' }), 403],
    ['for a foreign host with our port', () => own({ host: `attacker.example:${inspector.port}` }), 403],
    ['for 0.0.0.0', () => own({ host: `0.0.0.0:${inspector.port}` }), 403],
    ['for IPv6', () => own({ host: `[::1]:${inspector.port}` }), 403],
    ['for another port', () => own({ host: '127.0.0.1:1' }), 403],
    ['from a foreign origin', () => own({ origin: 'http://attacker.example' }), 403],
    ['from no origin that can be named', () => own({ origin: 'null' }), 403],
    ['from another port of this machine', () => own({ origin: 'http://127.0.0.1:1' }), 403],
    ['from another site', () => own({ 'sec-fetch-site': 'cross-site' }), 403],
    ['from the same site', () => own({ 'sec-fetch-site': 'same-site' }), 403],
    ['with a body', () => own({ 'content-length': '5' }), 413],
    ['with a body of unknown length', () => own({ 'transfer-encoding': 'chunked' }), 413],
  ];

  test.each(strangers)('%s', async (_, headers, status) => {
    for (const path of paths()) {
      const body = status === 413 ? 'hello' : undefined;
      const answer = await ask(path, { headers: headers(), ...(body === undefined ? {} : { body }) });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])('with the method %s', async (method) => {
    for (const path of paths()) expect((await ask(path, { method, headers: own() })).status).toBe(405);
  });

  test('that a page did not make, where it reads sessions', async () => {
    for (const path of paths().filter((each) => each.startsWith('/api/'))) {
      expect([path, (await ask(path, { headers: { cookie } })).status]).toEqual([path, 403]);
    }
  });

  test('that asks for another protocol', async () => {
    const socket = connect(inspector.port, '127.0.0.1');
    const head = `GET /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:${inspector.port}\r\nCookie: ${cookie}\r\n`;
    socket.write(`${head}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAA\r\n\r\n`);
    const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    socket.destroy();
  });

  test('before its body is read', async () => {
    const socket = connect(inspector.port, '127.0.0.1');
    socket.write(
      `POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:${inspector.port}\r\nOrigin: http://127.0.0.1:${inspector.port}\r\nContent-Length: 1000000000\r\n\r\nx`,
    );
    const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    expect(answer).toMatch(/^HTTP\/1.1 405/);
    socket.destroy();
  });
});

describe('the token', () => {
  test('has 128 bits, and is exchanged for a cookie that scripts and other sites cannot use', async () => {
    expect(token()).toMatch(/^[0-9a-f]{32}$/);
    const answer = await ask(`/?token=${token()}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/');
    expect(String(answer.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict; Path=\//);
    expect(cookie).not.toContain(token());
  });

  test.each(['', '0'.repeat(32), 'x', '%00', '0'.repeat(5000)])('is not %s', async (wrong) => {
    expect((await ask(`/?token=${wrong}`)).status).toBe(401);
  });

  test('does nothing for another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await ask(`/?token=${token()}`, { headers })).status).toBe(403);
  });

  test('is another one for every launch', async () => {
    const second = await startInspector({ version: '0', home: home.folder });
    expect(new URL(second.url).searchParams.get('token')).not.toBe(token());
    await second.close();
  });
});

/** The processes that read sessions for servers of this process. */
function readers(): number[] {
  const tasks = readdirSync(`/proc/${process.pid}/task`);
  const children = tasks.flatMap((task) =>
    readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').split(' '),
  );
  return children
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reader.js'))
    .map(Number);
}

test.skipIf(!existsSync('/proc/self/task'))(
  'a reader that dies takes no server with it, and another one starts',
  async () => {
    const path = `/api/${key}/overview`;
    expect((await ask(path, { headers: own() })).text).toContain('"overview"');
    for (const pid of readers()) process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await ask(`/api/${key}/row?entry=1`, { headers: own() })).status).toBe(200);
    expect((await ask(path, { headers: own() })).text).toContain('"overview"');
  },
);

describe('what is served', () => {
  test('comes with a policy that allows no inline script, no other host and no frame', async () => {
    for (const path of ['/', '/page.js', '/api/about']) {
      const { status, headers } = await ask(path, { headers: own() });
      expect(status).toBe(200);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
  });

  test('is never a file that an address names', async () => {
    const tries = ['/../package.json', '/..%2f..%2fpackage.json', '/page/../../index.js', '/etc/passwd', '/%2e%2e/x'];
    for (const path of [...tries, '/api/..%2f..%2fetc/overview', '/api/constructor', '/api/__proto__/overview']) {
      expect([path, (await ask(path, { headers: own() })).status]).toEqual([path, 404]);
    }
  });

  test('is served on loopback only', () => {
    expect(new URL(inspector.url).hostname).toBe('127.0.0.1');
  });

  test('has limits: numbers that are none, ranges that are too long, and too many questions at one time', async () => {
    const { text } = await ask(`/api/${key}/rows?from=-1&to=1e9`, { headers: own() });
    expect((JSON.parse(text) as unknown[]).length).toBeLessThanOrEqual(100);
    const open = Array.from({ length: 64 }, () => {
      const asked = request({ host: '127.0.0.1', port: inspector.port, path: `/api/${key}/follow`, headers: own() });
      asked.on('error', () => undefined).end();
      return asked;
    });
    await expect.poll(async () => (await ask('/api/about', { headers: own() })).status).toBe(429);
    for (const asked of open) asked.destroy();
    await expect.poll(async () => (await ask('/api/about', { headers: own() })).status).toBe(200);
  });
});
