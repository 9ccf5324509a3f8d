import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { houseOf, isLoopback, objectionTo, type House } from '../proxy/admission.ts';
import { BodyTooLarge, collect } from '../proxy/body.ts';
import { openApiDocument } from './document.ts';
import { failure, failureOf } from './failure.ts';
import { followSession } from './follow.ts';
import { operations, type Operation } from './operations.ts';
import { Rates } from './rates.ts';
import type { Access, Scope, HttpApi, HttpApiLimits, HttpApiOptions } from './http-api.ts';
import { Tenancy } from './tenant.ts';

const usualLimits: HttpApiLimits = { bodyBytes: 32 * 1024 * 1024, open: 256, perSecond: 200, requestMs: 60_000 };
const usualGraceMs = 10_000;

const all: readonly Scope[] = ['judge', 'read', 'write'];
const document = openApiDocument('0.1.0');

export async function startHttpApi(options: HttpApiOptions): Promise<HttpApi> {
  const { host = '127.0.0.1', access = [], tls } = options;
  checkAccess(options);
  if (!isLoopback(host) && (access.length === 0 || tls === undefined)) {
    throw new Error(`to listen on ${host} the service needs tokens and TLS files`);
  }
  const desk = new Desk(options);
  const settings = { requestTimeout: desk.limits.requestMs, connectionsCheckingInterval: 5_000 };
  const receive = (request: IncomingMessage, response: ServerResponse): void => void desk.answer(request, response);
  const server =
    tls === undefined ? createServer(settings, receive) : createSecureServer({ ...settings, ...tls }, receive);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  const name = address.includes(':') ? `[${address}]` : address;
  let closed: Promise<void> | undefined;
  const close = (graceMs = usualGraceMs): Promise<void> => (closed ??= end(server, desk, graceMs));
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${name}:${port}`,
    document,
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

function checkAccess({ access = [] }: HttpApiOptions): void {
  for (const { token, tenant } of access) {
    if (token.length < 16) throw new Error('a token needs at least 16 characters');
    if (tenant !== undefined && !/^[A-Za-z0-9][\w-]{0,49}$/.test(tenant)) {
      throw new Error(`invalid tenant ${JSON.stringify(tenant)}: use letters, digits, _ and -`);
    }
  }
}

function end(server: Server, desk: Desk, graceMs: number): Promise<void> {
  desk.leave();
  return new Promise((resolve) => {
    const last = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(last);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Where requests are answered, and what they share. */
class Desk {
  readonly limits: HttpApiLimits;
  readonly #options: HttpApiOptions;
  readonly #house: House;
  readonly #rates: Rates;
  readonly #leaving = new AbortController();
  #open = 0;

  constructor(options: HttpApiOptions) {
    const { host = '127.0.0.1', hostNames = [], limits } = options;
    this.#options = options;
    this.limits = { ...usualLimits, ...limits };
    this.#house = houseOf(host, hostNames, undefined);
    this.#rates = new Rates(this.limits.perSecond);
  }

  /** From now on no request is accepted, and nobody follows a session any more. */
  leave(): void {
    this.#leaving.abort();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open += 1;
    response.once('close', () => (this.#open -= 1));
    try {
      await this.#run(request, response);
    } catch (error) {
      this.#fail(response, error);
    }
  }

  async #run(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const objection = objectionTo(request.rawHeaders, this.#house);
    if (objection !== undefined) throw failure(objection.status, 'refused', objection.message);
    const [path = '', search = ''] = (request.url ?? '').split('?', 2);
    if (path === '/health') return reply(response, { ok: true });
    if (path === '/ready') return this.#ready(response);
    if (path === '/openapi.json') return reply(response, document);
    if (this.#open > this.limits.open) throw failure(503, 'busy', 'too many requests are in progress');
    if (this.#leaving.signal.aborted) throw failure(503, 'closing', 'the service is closing');
    const access = this.#accessOf(request);
    if (!this.#rates.take(access.token)) throw failure(429, 'rate', 'too many requests a second');
    const tenancy = new Tenancy(this.#options.store, access.tenant);
    const query = new URLSearchParams(search);
    const followed = /^\/v1\/sessions\/([^/]+)\/follow$/.exec(path)?.[1];
    if (followed !== undefined && request.method === 'GET') {
      requireScope(access, 'read');
      const session = await tenancy.session(decoded(followed));
      return followSession(session, { request, response, after: query.get('after'), ending: this.#leaving.signal });
    }
    const { operation, id } = find(request.method, path);
    requireScope(access, operation.scope);
    const body = await this.#bodyOf(request, operation);
    reply(
      response,
      await operation.run({ tenancy, id, query: read(operation.query, Object.fromEntries(query)), body }),
    );
  }

  async #ready(response: ServerResponse): Promise<void> {
    if (this.#leaving.signal.aborted) throw failure(503, 'closing', 'the service is closing');
    for await (const _ of this.#options.store.list({ limit: 1 })) break;
    reply(response, { ok: true });
  }

  #accessOf(request: IncomingMessage): Access {
    const { access = [] } = this.#options;
    if (access.length === 0) return { token: '' };
    const [, given = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    // Every token is compared, so that the time says nothing about which one came close.
    const [found] = access.filter(({ token }) => isSame(given, token));
    if (found === undefined) throw failure(401, 'unauthorized', 'the token is missing or wrong');
    return found;
  }

  async #bodyOf(request: IncomingMessage, { body }: Operation): Promise<unknown> {
    if (body === undefined) return undefined;
    const { bodyBytes } = this.limits;
    if (Number(request.headers['content-length'] ?? 0) > bodyBytes) throw new BodyTooLarge('');
    const bytes = await collect(request, bodyBytes);
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString());
    } catch {
      throw failure(400, 'invalid', 'the body is not JSON');
    }
    return read(body, value);
  }

  #fail(response: ServerResponse, error: unknown): void {
    const isLarge = error instanceof BodyTooLarge;
    const known = isLarge
      ? failure(413, 'too-large', `a body may have ${this.limits.bodyBytes} bytes`)
      : failureOf(error);
    if (known === undefined && !response.destroyed) this.#options.onError?.(error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, code, message, details } = known ?? failure(500, 'internal', 'the service failed');
    const more = details === undefined || Object.keys(details).length === 0 ? {} : { details };
    if (status === 429 || status === 503) response.setHeader('retry-after', '1');
    // Whatever is left of a body is not read.
    response.setHeader('connection', 'close');
    response.statusCode = status;
    reply(response, { error: { code, message, ...more } });
  }
}

function find(method: string | undefined, path: string): { readonly operation: Operation; readonly id: string } {
  const there = operations.flatMap((operation) => {
    const [before = '', after] = operation.path.split('{id}');
    if (after === undefined) return path === before ? [{ operation, id: '' }] : [];
    const id = path.slice(before.length, path.length - after.length);
    const fits = path.startsWith(before) && path.endsWith(after) && id !== '' && !id.includes('/');
    return fits && path.length >= before.length + after.length ? [{ operation, id: decoded(id) }] : [];
  });
  const found = there.find(({ operation }) => operation.method === method?.toLowerCase());
  if (found !== undefined) return found;
  if (there.length > 0) throw failure(405, 'method', `${method} is not possible here`);
  throw failure(404, 'unknown', 'there is nothing at this path');
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw failure(400, 'invalid', 'the id in the path is not valid');
  }
}

function requireScope({ scopes = all }: Access, scope: Scope): void {
  if (!scopes.includes(scope)) throw failure(403, 'forbidden', `the token does not allow \`${scope}\``);
}

function read(schema: Operation['query'] | NonNullable<Operation['body']>, value: unknown): never {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data as never;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw failure(400, 'invalid', `${place}${issue?.message ?? 'invalid'}`);
}

function reply(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value);
  response.setHeader('content-type', 'application/json');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.end(body);
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
