import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { open, type Store } from '@rethread/store';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';

import { createHttpApi, type HttpApi, type HttpApiOptions } from '../src/index.ts';
import { talk } from './raw-client.ts';
import { callOf, user } from './world.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const serve = async (options: Partial<HttpApiOptions> = {}): Promise<HttpApi & { readonly store: Store }> => {
  const store = options.store ?? (await open('memory:'));
  const service = await createHttpApi({ store, ...options });
  opened.push(async () => {
    await service.close(0);
    if (options.store === undefined) await store.close();
  });
  return { ...service, store };
};

type Answer = { readonly status: number; readonly body: never };

type Asked = { readonly method?: string; readonly body?: unknown; readonly token?: string };

const ask = async (url: string, { method, body, token }: Asked = {}): Promise<Answer> => {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  });
  return { status: response.status, body: (await response.json()) as never };
};

const broken = [user('Read it.'), callOf('toolu_1'), user('Are you there?')];
const message = (wire: object): object => ({ kind: 'message', data: { dialect: 'anthropic-messages', wire } });

type Schema = { readonly [name: string]: unknown };
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
type Operation = {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
};

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the OpenAPI document', () => {
  /** One request for each operation, in an order in which all of them work. */
  const requests: readonly (readonly [name: string, path: string, asked: Asked])[] = [
    ['check', '/v1/check', { body: { input: broken } }],
    ['repair', '/v1/repair', { body: { input: broken, target: { model: 'claude-sonnet-5' }, policy: 'preserve' } }],
    ['convert', '/v1/convert', { body: { input: [user('Hi')], from: 'anthropic-messages', to: 'gemini' } }],
    ['compact', '/v1/compact', { body: { input: broken, budgetTokens: 1000 } }],
    ['createSession', '/v1/sessions', { body: { id: 'one', title: 'First' } }],
    ['appendRecords', '/v1/sessions/one/records', { body: { records: broken.map(message), op: 'a', expect: 0 } }],
    ['listSessions', '/v1/sessions?limit=1', {}],
    ['getSession', '/v1/sessions/one', {}],
    ['readRecords', '/v1/sessions/one/records?after=1&limit=1', {}],
    ['projectSession', '/v1/sessions/one/history', {}],
    ['recoverSession', '/v1/sessions/one/recover', { body: {} }],
    ['search', '/v1/search?query=there', {}],
    ['forkSession', '/v1/sessions/one/fork', { body: { id: 'two', at: 1 } }],
    ['revertSession', '/v1/sessions/one/revert', { body: { to: 1 } }],
    ['unrevertSession', '/v1/sessions/one/unrevert', { method: 'POST' }],
    ['eraseSession', '/v1/sessions/two', { method: 'DELETE' }],
  ];

  test('names every operation, and every answer is as it says', async () => {
    const { url } = await serve();
    const document = (await ask(`${url}/openapi.json`)).body as unknown as Document & { openapi: string };
    expect(document.openapi).toBe('3.1.0');
    const all = Object.values(document.paths).flatMap((each) => Object.values(each));
    const schemas = new Map(
      all.map(({ operationId, responses }) => [operationId, responses['200']?.content['application/json']?.schema]),
    );
    for (const [name, path, asked] of requests) {
      const { status, body } = await ask(url + path, asked);
      expect([name, status]).toEqual([name, 200]);
      const schema = schemas.get(name);
      expect(schema).toBeDefined();
      expect([name, z.fromJSONSchema(schema as never).safeParse(body).error?.message]).toEqual([name, undefined]);
    }
    const tried = new Set([...requests.map(([name]) => name), 'followSession']);
    expect([...schemas.keys()].filter((name) => !tried.has(name))).toEqual([]);
  });

  test.skipIf(!hasPython)('is enough for a client in another language', async () => {
    const { url } = await serve();
    // The server runs in this process, so the program must not block it.
    const program = join(import.meta.dirname, 'openapi-client.py');
    const { stdout } = await promisify(execFile)('python3', [program, url]);
    expect(stdout.trim().split(/\s+/)).toEqual(['1', 'clean', '1']);
  });
});

describe('sessions', () => {
  test('are recovered without being written to', async () => {
    const { url } = await serve();
    await ask(`${url}/v1/sessions`, { body: { id: 'one' } });
    await ask(`${url}/v1/sessions/one/records`, { body: { records: broken.map(message) } });
    const { body } = await ask(`${url}/v1/sessions/one/recover`, { body: {} });
    expect(body).toMatchObject({ head: 3, report: { verdict: 'repaired' } });
    expect(JSON.stringify(body)).toContain('tool_result');
    expect((await ask(`${url}/v1/sessions/one`)).body).toMatchObject({ seq: 3 });
  });

  test('are appended to once, whatever is repeated, and by one writer', async () => {
    const { url } = await serve();
    await ask(`${url}/v1/sessions`, { body: { id: 'one' } });
    const records = [message(user('Hi'))];
    const path = `${url}/v1/sessions/one/records`;
    expect((await ask(path, { body: { records, op: 'a' } })).body).toMatchObject({ seq: 1 });
    expect((await ask(path, { body: { records, op: 'a' } })).body).toMatchObject({ seq: 1 });
    expect((await ask(`${url}/v1/sessions/one`)).body).toMatchObject({ seq: 1 });
    expect((await ask(path, { body: { records, expect: 0 } })).status).toBe(409);
    expect((await ask(path, { body: { records: [message({ nothing: 1 })], expect: 7 } })).status).toBe(409);
  });

  test('are followed from any record on, also over a lost connection', async () => {
    const { url } = await serve();
    await ask(`${url}/v1/sessions`, { body: { id: 'one' } });
    const append = (text: string): Promise<Answer> =>
      ask(`${url}/v1/sessions/one/records`, { body: { records: [message(user(text))] } });
    await append('1');
    await append('2');
    const leaving = new AbortController();
    const follow = async (last: string, until: string): Promise<string> => {
      const answer = await fetch(`${url}/v1/sessions/one/follow`, {
        headers: { 'last-event-id': last },
        signal: leaving.signal,
      });
      const reader = answer.body?.getReader();
      let got = '';
      while (!got.includes(until)) got += Buffer.from((await reader?.read())?.value ?? []).toString();
      return got;
    };
    const first = follow('1', 'id: 3');
    await append('3');
    expect(await first).toMatch(/^id: 2\ndata: \{.*\}\n\nid: 3\n/);
    expect(await follow('3', '').then(() => append('4'))).toMatchObject({ status: 200 });
    leaving.abort();
    expect((await ask(`${url}/v1/sessions/one/follow?after=x`)).status).toBe(400);
  });
});

describe('tenants', () => {
  const access = [
    { token: 'token-of-tenant-a-0001', tenant: 'a' },
    { token: 'token-of-tenant-b-0001', tenant: 'b' },
    { token: 'token-of-tenant-a-read', tenant: 'a', scopes: ['read' as const] },
    { token: 'token-of-everybody-001' },
  ];
  const [a = '', b = '', reader = '', admin = ''] = access.map(({ token }) => token);
  const hostile = ['one', 'a:one', '../a:one', 'a%3Aone', 'a:', ':one', 'b:one', '%00', '..', 'one/../../x', '%2e%2e'];

  test('see nothing of one another, whatever they ask for', async () => {
    const { url } = await serve({ access });
    await ask(`${url}/v1/sessions`, { body: { id: 'one' }, token: a });
    await ask(`${url}/v1/sessions/one/records`, { body: { records: [message(user('the secret word'))] }, token: a });
    const texts: string[] = [];
    for (const id of hostile) {
      for (const path of ['', '/records', '/history', '/follow']) {
        const { status, body } = await ask(`${url}/v1/sessions/${id}${path}`, { token: b });
        expect([400, 404, 405]).toContain(status);
        texts.push(JSON.stringify(body));
      }
      const write = await ask(`${url}/v1/sessions/${encodeURIComponent(id)}/records`, {
        body: { records: [message(user('x'))] },
        token: b,
      });
      expect([400, 404]).toContain(write.status);
      const forked = await ask(`${url}/v1/sessions/${encodeURIComponent(id)}/fork`, { body: { id: 'mine' }, token: b });
      expect([400, 404]).toContain(forked.status);
      texts.push(
        JSON.stringify(
          (await ask(`${url}/v1/search?query=secret&session=${encodeURIComponent(id)}`, { token: b })).body,
        ),
      );
      texts.push(JSON.stringify((await ask(`${url}/v1/sessions?after=${encodeURIComponent(id)}`, { token: b })).body));
    }
    texts.push(JSON.stringify((await ask(`${url}/v1/search?query=secret`, { token: b })).body));
    expect(texts.join('\n')).not.toMatch(/the secret|"a:|a:one/);
    expect((await ask(`${url}/v1/sessions`, { token: b })).body).toEqual({ sessions: [] });
    expect((await ask(`${url}/v1/search?query=secret`, { token: a })).body).toMatchObject({
      found: [{ session: 'one' }],
    });
    expect((await ask(`${url}/v1/sessions`, { token: admin })).body).toMatchObject({ sessions: [{ id: 'a:one' }] });
  });

  test('may use the same ids, and create none of others', async () => {
    const { url } = await serve({ access });
    for (const token of [a, b])
      expect((await ask(`${url}/v1/sessions`, { body: { id: 'one' }, token })).status).toBe(200);
    expect((await ask(`${url}/v1/sessions`, { body: { id: 'one' }, token: a })).status).toBe(409);
    await ask(`${url}/v1/sessions`, { body: { id: 'b:two' }, token: a });
    expect((await ask(`${url}/v1/sessions/two`, { token: b })).status).toBe(404);
    expect((await ask(`${url}/v1/sessions`, { token: admin })).body).toMatchObject({
      sessions: [{ id: 'a:b:two' }, { id: 'a:one' }, { id: 'b:one' }],
    });
  });

  test('do only what their token allows', async () => {
    const { url } = await serve({ access });
    expect((await ask(`${url}/v1/sessions`, { body: { id: 'x' }, token: reader })).status).toBe(403);
    expect((await ask(`${url}/v1/check`, { body: { input: [] }, token: reader })).status).toBe(403);
    expect((await ask(`${url}/v1/sessions`, { token: reader })).status).toBe(200);
    for (const token of ['', 'token-of-tenant-a-0002', 'token-of-tenant-a-000', `${a}x`]) {
      expect((await ask(`${url}/v1/sessions`, { token })).status).toBe(401);
    }
    expect((await ask(`${url}/v1/sessions`)).status).toBe(401);
  });
});

describe('what is refused', () => {
  test.each([
    ['no JSON', '/v1/check', { body: '{' }, 400],
    ['a wrong type', '/v1/compact', { body: { input: [], budgetTokens: 'many' } }, 400],
    ['a dialect that is unknown', '/v1/convert', { body: { input: [], to: 'latin' } }, 400],
    ['another method', '/v1/check', { method: 'DELETE' }, 405],
    ['another path', '/v1/nothing', {}, 404],
    ['an id that is no text', '/v1/sessions/%ff', {}, 400],
    ['a cursor that is none', '/v1/sessions/x/records?after=-1', {}, 400],
    ['a limit without limit', '/v1/sessions?limit=1000000', {}, 400],
  ] as const)('%s', async (...row) => {
    const [, path, asked, status] = row;
    const { url } = await serve();
    const answer = await ask(url + path, asked);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
  });

  test('a body that is too large, too many requests, and requests of web pages', async () => {
    const { url } = await serve({ limits: { bodyBytes: 1000, perSecond: 5 } });
    expect((await ask(`${url}/v1/check`, { body: { input: 'x'.repeat(2000) } })).status).toBe(413);
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => (await ask(`${url}/v1/sessions`)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    for (const line of ['Host: evil.example', 'Host: localhost\r\nOrigin: https://evil.example']) {
      expect(await talk(url, `GET /v1/sessions HTTP/1.1\r\n${line}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 4(?:21|03)/);
    }
    await expect(createHttpApi({ store: await open('memory:'), host: '0.0.0.0' })).rejects.toThrow(
      'needs tokens and TLS',
    );
  });

  test('a fault of ours is told without details', async () => {
    const store = await open('memory:');
    const errors: unknown[] = [];
    const { url } = await serve({ store, onError: (error) => void errors.push(error) });
    Object.assign(store, {
      list: () => {
        throw new Error('secret place');
      },
    });
    const { status, body } = await ask(`${url}/v1/sessions`);
    expect([status, JSON.stringify(body).includes('secret')]).toEqual([500, false]);
    expect((await ask(`${url}/ready`)).status).toBe(500);
    expect(errors).toHaveLength(2);
  });
});

describe('the end', () => {
  test('waits for open requests, tells followers, and accepts no more', async () => {
    const service = await serve();
    await ask(`${service.url}/v1/sessions`, { body: { id: 'one' } });
    const following = await fetch(`${service.url}/v1/sessions/one/follow`);
    const closed = service.close(5_000);
    expect(await following.text()).toBe('');
    await closed;
    await expect(fetch(`${service.url}/health`)).rejects.toThrow('fetch failed');
  });
});

describe('several services on one store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rethread-serve-'));
  let stores: Store[] = [];
  beforeAll(async () => {
    stores = await Promise.all(Array.from({ length: 3 }, () => open(`file:${join(folder, 'sessions')}`)));
  });
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  test('write to one session in turn', async () => {
    const services = await Promise.all(stores.map((store) => serve({ store })));
    await ask(`${services[0]?.url}/v1/sessions`, { body: { id: 'busy' } });
    const texts = Array.from({ length: 30 }, (_, index) => `message ${index}`);
    const answers = await Promise.all(
      texts.map((text, index) =>
        ask(`${services[index % 3]?.url}/v1/sessions/busy/records`, {
          body: { records: [message(user(text))], op: text },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
    const { body } = await ask(`${services[1]?.url}/v1/sessions/busy/history`);
    const { messages } = body as { messages: readonly { content: string }[] };
    expect(messages.map(({ content }) => content).sort()).toEqual(texts.sort());
  });

  test('see what the others wrote', async () => {
    const services = await Promise.all(stores.map((store) => serve({ store })));
    const [first, ...others] = services.map(({ url }) => url);
    await ask(`${first}/v1/sessions`, { body: { id: 'shared' } });
    await ask(`${first}/v1/sessions/shared/records`, { body: { records: [message(user('Hi'))] } });
    for (const url of others) {
      expect((await ask(`${url}/v1/sessions/shared/history`)).body).toMatchObject({ messages: [user('Hi')] });
    }
  });
});
