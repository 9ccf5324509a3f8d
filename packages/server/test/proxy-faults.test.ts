import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { createSimulator } from '@rethread/simulator';
import { describe, expect, test } from 'vitest';

import { createProxy, type ProxyOptions, type RepairingProxy } from '../src/index.ts';
import { talk } from './raw-client.ts';
import { rawServer } from './raw-server.ts';
import { headers, healthy, post, usesOpened } from './world.ts';

const opens = usesOpened();

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until something holds, and fails if it never does. */
const until = async (holds: () => boolean): Promise<void> => {
  for (let count = 0; count < 400 && !holds(); count += 1) await pause(5);
  expect(holds()).toBe(true);
};

const listening = async (listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opens({
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return server;
};

const proxyTo = async (server: Server, options: Partial<ProxyOptions> = {}): Promise<RepairingProxy> => {
  const { port } = server.address() as AddressInfo;
  return opens(await createProxy({ upstreams: { '': `http://127.0.0.1:${port}` }, ...options }));
};

type Seen = {
  readonly status?: number;
  readonly head?: readonly string[];
  readonly body: string;
  readonly ending: string;
};

/** What a client sees of a streamed answer, up to the end or the place where it breaks. */
const see = (url: string, fault: string, stopAfterMs?: number): Promise<Seen> =>
  new Promise((resolve) => {
    const asked = httpRequest(`${url}/v1/messages`, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'x-simulate': fault },
    });
    let body = '';
    asked.on('error', (error: NodeJS.ErrnoException) => resolve({ body, ending: error.code ?? error.message }));
    asked.on('response', (response) => {
      const head = response.rawHeaders.filter((_, index, all) => all[index - (index % 2)]?.toLowerCase() !== 'date');
      const end = (ending: string): void => resolve({ status: response.statusCode ?? 0, head, body, ending });
      response.setEncoding('latin1');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => end('end'));
      response.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
      if (stopAfterMs !== undefined) {
        setTimeout(() => {
          end('still waiting');
          asked.destroy();
        }, stopAfterMs);
      }
    });
    asked.end(JSON.stringify({ ...healthy, stream: true }));
  });

describe('a fault of the provider reaches the client as it is', () => {
  const faults = [
    'none',
    'close',
    '429',
    '429:2',
    '500',
    '529',
    'empty',
    'cut-bytes:50',
    'cut-bytes:700',
    'cut-events:3',
    'cut-character',
    'end-events:2',
    'drip:3',
    'malformed',
    'duplicate',
    'reorder',
    'stall:2',
    'overflow',
  ];
  test.each(faults)('%s', async (fault) => {
    const settings = {
      seed: 7,
      now: () => 1_700_000_000_000,
      model: () => ({ parts: [{ kind: 'text' as const, text: 'Größe 🙂 '.repeat(20) }] }),
    };
    const [here, there] = [opens(await createSimulator(settings)), opens(await createSimulator(settings))];
    const proxy = opens(await createProxy({ upstreams: { '': there.url } }));
    const stopAfterMs = fault.startsWith('stall') ? 150 : undefined;
    const [direct, through] = await Promise.all([
      see(here.url, fault, stopAfterMs),
      see(proxy.url, fault, stopAfterMs),
    ]);
    expect(through).toEqual(direct);
    expect(there.verdicts.map(({ status }) => status)).toEqual(here.verdicts.map(({ status }) => status));
  });
});

describe('a client that goes away', () => {
  test('ends the request to the provider, after any event', async () => {
    const closed: number[] = [];
    const server = await listening((request, response) => {
      request.resume();
      const events = Number(request.headers['x-events']);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      for (let event = 0; event < events; event += 1) response.write(`data: ${event}\n\n`);
      response.on('close', () => closed.push(events));
    });
    const proxy = await proxyTo(server);
    for (let events = 0; events < 12; events += 1) {
      const leaving = new AbortController();
      const answer = await post(`${proxy.url}/v1/messages`, healthy, {
        headers: { ...headers, 'x-events': String(events) },
        signal: leaving.signal,
      });
      const reader = answer.body?.getReader();
      const last = events === 0 ? '' : `data: ${events - 1}`;
      let got = '';
      while (!got.includes(last)) got += Buffer.from((await reader?.read())?.value ?? []).toString();
      leaving.abort();
      await until(() => closed.length === events + 1);
    }
    await until(() => proxy.statistics().open === 0);
    expect(proxy.statistics().endings).toEqual({ aborted: 12 });
  });

  test('ends it before there is an answer, and while its body is on its way', async () => {
    let open = 0;
    const server = await listening((request, response) => {
      open += 1;
      request.resume();
      request.on('error', () => undefined);
      response.on('close', () => (open -= 1));
    });
    const proxy = await proxyTo(server);
    const leaving = new AbortController();
    const asked = post(`${proxy.url}/v1/messages`, healthy, { signal: leaving.signal }).catch(() => 'gone');
    await until(() => open === 1);
    leaving.abort();
    expect(await asked).toBe('gone');
    const { port } = new URL(proxy.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('PUT /files HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf');
    await until(() => open >= 1);
    socket.destroy();
    await until(() => open === 0 && proxy.statistics().open === 0);
  });

  test('but only ends its own side gets the whole answer', async () => {
    let hasEnded = false;
    await using server = await rawServer(({ socket }) => {
      socket.once('end', () => (hasEnded = true));
      setTimeout(() => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate'), 60);
    });
    const proxy = opens(await createProxy({ upstreams: { '': server.url } }));
    const body = JSON.stringify(healthy);
    const head = `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    expect(await talk(proxy.url, head + body, { half: true })).toMatch(/late$/);
    expect(hasEnded).toBe(true);
  });
});

describe('a provider that goes away', () => {
  test('is a network error, with nothing in its place', async () => {
    const gone = await listening(() => undefined);
    const proxy = await proxyTo(gone);
    gone.closeAllConnections();
    await new Promise((resolve) => gone.close(resolve));
    expect(await talk(proxy.url, 'GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n')).toBe('');
    expect(proxy.log.entries).toMatchObject([{ ending: 'failed', reason: expect.stringContaining('ECONNREFUSED') }]);
  });

  test('between two requests ends the connection of the client as well', async () => {
    await using server = await rawServer(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      setTimeout(() => socket.end(), 20);
    });
    const proxy = opens(await createProxy({ upstreams: { '': server.url } }));
    // The raw client waits for the end of its connection.
    expect(await talk(proxy.url, 'GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n')).toBe(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    );
  });

  test('after it answered early is not waited for', async () => {
    await using server = await rawServer(({ socket }) =>
      socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
    );
    const proxy = opens(await createProxy({ upstreams: { '': server.url } }));
    const head = 'PUT /files HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nhalf of it';
    expect(await talk(proxy.url, head, { until: '\r\n\r\n' })).toMatch(/^HTTP\/1\.1 413 Too Large/);
  });
});

describe('nothing is read faster than it is taken', () => {
  test('in an answer', async () => {
    let written = 0;
    let isFull = false;
    const piece = Buffer.alloc(64 * 1024);
    const server = await listening((_, response) => {
      const more = (): void => {
        while (written < 200_000_000) {
          written += piece.length;
          isFull = !response.write(piece);
          if (isFull) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const proxy = await proxyTo(server);
    const { port } = new URL(proxy.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.pause();
    await until(() => isFull);
    await pause(200);
    // What is in flight is in the buffers of the system, not in the proxy.
    expect(written).toBeLessThan(40_000_000);
    socket.destroy();
  });

  test('in a request', async () => {
    const server = await listening((request) => void request.pause());
    const proxy = await proxyTo(server);
    const { port } = new URL(proxy.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('PUT /files HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000000\r\n\r\n');
    const piece = Buffer.alloc(64 * 1024);
    let written = 0;
    while (written < 200_000_000 && socket.writableLength < 1_000_000) {
      written += piece.length;
      if (!socket.write(piece)) await pause(2);
    }
    expect(written).toBeLessThan(40_000_000);
    socket.destroy();
  });
});

describe('nothing is left behind', () => {
  const sockets = (): number => process.getActiveResourcesInfo().filter((name) => /TCP|TLS/.test(name)).length;

  test('by hundreds of requests of every sort, on connections that are kept and on new ones', async () => {
    const warnings: string[] = [];
    const note = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', note);
    const simulator = opens(await createSimulator());
    const before = sockets();
    const proxy = await createProxy({ upstreams: { '': simulator.url } });
    const faults = ['none', 'close', '429', 'cut-events:2', 'drip:1', 'cut-bytes:20'];
    await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const fault = faults[index % faults.length] ?? 'none';
        if (index % 3 === 0) return see(proxy.url, fault);
        const body = { ...healthy, stream: true };
        const answer = await post(`${proxy.url}/v1/messages`, body, {
          headers: { ...headers, 'x-simulate': fault },
        }).catch(() => undefined);
        return answer?.text().catch(() => undefined);
      }),
    );
    const counted = proxy.statistics();
    await proxy.close();
    await until(() => sockets() <= before + 1);
    process.off('warning', note);
    expect(warnings).toEqual([]);
    expect(counted.exchanges).toBe(300);
    expect(proxy.statistics()).toMatchObject({ open: 0, connections: 0 });
  });

  test('by a thousand streams at once', async () => {
    const server = await listening((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: begin\n\n');
      setTimeout(() => response.end('data: end\n\n'), 100);
    });
    const proxy = await proxyTo(server);
    const body = JSON.stringify({ ...healthy, stream: true });
    const length = Buffer.byteLength(body);
    const lines = ['POST /v1/messages HTTP/1.1', 'Host: localhost', 'Connection: close', `Content-Length: ${length}`];
    const head = [...lines, '', ''].join('\r\n');
    const answers = await Promise.all(Array.from({ length: 1000 }, () => talk(proxy.url, head + body)));
    expect(answers.filter((each) => each.includes('data: begin') && each.includes('data: end'))).toHaveLength(1000);
    await until(() => proxy.statistics().connections === 0);
    expect(proxy.statistics()).toMatchObject({ open: 0, endings: { passed: 1000 } });
  });

  test('a proxy that is closed ends open answers like a network that fails', async () => {
    const server = await listening((request, response) => {
      request.resume();
      response.writeHead(200);
      response.write('half');
    });
    const proxy = await proxyTo(server);
    const got = talk(proxy.url, 'GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => proxy.statistics().open === 1);
    await pause(30);
    await proxy.close();
    expect(await got).toMatch(/4\r\nhalf\r\n$/);
  });
});
