import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { houseOf, isLoopback, objectionTo, type House, type Objection } from './admission.ts';
import { Connection } from './connection.ts';
import { destinationOf, isPlainPath, readUpstreams, type Upstream } from './destination.ts';
import { pass, type Desk } from './exchange.ts';
import { ExchangeLog, type ExchangeEntry } from './exchange-log.ts';
import { ExchangeRecord } from './exchange-record.ts';
import { maxHeaderBytes } from './lane.ts';
import { type Limits, type ProxyOptions, usualLimits } from './options.ts';
import { answerOwnPage } from './own-pages.ts';
import { RefusalMemory } from './refusal-memory.ts';
import { Counters, type Statistics } from './statistics.ts';
import { loadTracing } from './tracing.ts';
import { turnAway } from './turn-away.ts';

/** A proxy that repairs histories on their way to a provider, until it is closed. */
export type RepairingProxy = AsyncDisposable & {
  readonly url: string;
  /** The address under which clients reach a provider. */
  urlOf(upstream: string): string;
  readonly log: ExchangeLog;
  statistics(): Statistics;
  /** Accepts no more connections, waits for open exchanges (default: not at all), and ends those that are left. */
  close(graceMs?: number): Promise<void>;
};

const usualKeep = 1000;

/** Starts a proxy; it listens when the promise is fulfilled. */
export async function createProxy(options: ProxyOptions): Promise<RepairingProxy> {
  const { host = '127.0.0.1', token, tls } = options;
  if (!isLoopback(host) && (token === undefined || token.length < 16 || tls === undefined)) {
    throw new Error(`to listen on ${host} the proxy needs TLS files, and a token of at least 16 characters`);
  }
  const upstreams = readUpstreams(options.upstreams);
  if (upstreams.size === 0) throw new Error('the proxy needs at least one upstream');
  const floor = new Floor(options, upstreams, await loadTracing());
  const server = serverFor(options, (request, response) => floor.receive(request, response));
  server.on('connection', (socket: Socket) => floor.arrived(socket));
  server.on('upgrade', (_request, socket) => refuseUpgrade(socket, '426 Upgrade Required'));
  server.on('connect', (_request, socket) => refuseUpgrade(socket, '405 Method Not Allowed'));
  await listen(server, host, options.port ?? 0);
  const { address, port } = server.address() as AddressInfo;
  const url = `${tls === undefined ? 'http' : 'https'}://${address.includes(':') ? `[${address}]` : address}:${port}`;
  let closed: Promise<void> | undefined;
  const close = (graceMs = 0): Promise<void> => (closed ??= closeServer(server, graceMs));
  return {
    url,
    urlOf: (name) => (name === '' ? url : `${url}/${name}`),
    log: floor.log,
    statistics: () => floor.statistics(),
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

/** Where requests arrive, and all that they share. */
class Floor {
  readonly log: ExchangeLog;
  readonly #options: ProxyOptions;
  readonly #upstreams: ReadonlyMap<string, Upstream>;
  readonly #house: House;
  readonly #desk: Desk;
  readonly #counters = new Counters();
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #trace: ((entry: Omit<ExchangeEntry, 'id'>) => void) | undefined;
  #connected = 0;
  #open = 0;

  constructor(
    options: ProxyOptions,
    upstreams: ReadonlyMap<string, Upstream>,
    trace: Awaited<ReturnType<typeof loadTracing>>,
  ) {
    const { host = '127.0.0.1', hostNames = [], token, mode = 'mend', policy, target, onExchange } = options;
    const onError = quietly(options.onError);
    this.#options = options;
    this.#upstreams = upstreams;
    this.#trace = trace;
    this.#house = houseOf(host, hostNames, token);
    this.#desk = {
      bench: { mode, policy, memory: new RefusalMemory() },
      limits: limitsOf(options),
      choose: target,
      onError,
    };
    this.log = new ExchangeLog(options.keep ?? usualKeep, onError);
    if (onExchange !== undefined) this.log.follow(onExchange);
  }

  arrived(socket: Socket): void {
    this.#connected += 1;
    socket.once('close', () => (this.#connected -= 1));
  }

  statistics(): Statistics {
    return this.#counters.read(this.#open, this.#connected);
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    const target = request.url ?? '';
    const objection = this.#objectionTo(request, target);
    const destination = objection === undefined ? destinationOf(target, this.#upstreams) : undefined;
    const { mode = 'mend' } = this.#options;
    const upstreams = Object.fromEntries(
      [...this.#upstreams].map(([name, { origin, base }]) => [name, origin.origin + base]),
    );
    const pages = { about: { mode, upstreams }, log: this.log, statistics: () => this.statistics() };
    if (objection === undefined && answerOwnPage(request, response, pages)) return;
    this.#open += 1;
    const record = this.#record(request, target, destination?.upstream);
    if (destination === undefined) {
      turnAway(response, objection ?? this.#unknownPath(), record);
      record.close();
      return;
    }
    const connection = this.#connectionOf(request.socket);
    void pass({ desk: this.#desk, request, response, connection, destination, record });
  }

  #objectionTo(request: IncomingMessage, target: string): Objection | undefined {
    const objection = objectionTo(request.rawHeaders, this.#house);
    if (objection !== undefined) return objection;
    return isPlainPath(target) ? undefined : { status: 400, message: 'the request target must be a plain path' };
  }

  #unknownPath(): Objection {
    const names = [...this.#upstreams.keys()].map((name) => `/${name}/`);
    return { status: 404, message: `no upstream has this path; paths begin with ${names.join(', ')}` };
  }

  #record(request: IncomingMessage, target: string, upstream: Upstream | undefined): ExchangeRecord {
    const { method = 'GET', rawHeaders: headers } = request;
    const arrived = { method, target, upstream: upstream?.origin.origin, headers };
    return new ExchangeRecord(arrived, (entry) => {
      this.#open -= 1;
      this.#counters.add(entry);
      this.log.add(entry);
      try {
        this.#trace?.(entry);
      } catch (error) {
        this.#desk.onError(error);
      }
    });
  }

  #connectionOf(socket: Socket): Connection {
    const { ca } = this.#options;
    const known = this.#connections.get(socket);
    const connection = known ?? new Connection(socket, { ca, connectTimeoutMs: this.#desk.limits.connectMs });
    this.#connections.set(socket, connection);
    return connection;
  }
}

/** A listener that throws has nobody left to tell. */
function quietly(listener: ProxyOptions['onError']): (error: unknown) => void {
  return (error) => {
    try {
      listener?.(error);
    } catch {
      // The request goes on.
    }
  };
}

function limitsOf({ limits }: ProxyOptions): Limits {
  return { ...usualLimits, ...limits };
}

function serverFor(
  options: ProxyOptions,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const { requestMs, connections } = limitsOf(options);
  const settings = {
    // A connection ends when the one to the provider does; a shorter time would end it under the client's hands.
    keepAliveTimeout: 0,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(requestMs, 30_000),
    maxHeaderSize: maxHeaderBytes,
    noDelay: true,
  };
  const { tls } = options;
  const server =
    tls === undefined ? createServer(settings, listener) : createSecureServer({ ...settings, ...tls }, listener);
  // Headers beyond a count would be dropped without a word; their size is limited anyway.
  server.maxHeadersCount = 0;
  server.maxConnections = connections;
  // A client that has ended its side still waits for its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

/** Clients that are refused here go on with plain requests, which can be judged. */
function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(end);
      resolve();
    });
    server.closeIdleConnections();
  });
}
