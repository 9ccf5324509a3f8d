import { createServer, request as httpRequest, Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createProxy } from '@rethread/server';

import type { ServerKind } from './proxy-suite.ts';

const piece = Buffer.alloc(16_384, 'data: a piece of an answer\n\n');

/** Answers at once, with as many megabytes as the path asks for, in pieces. */
function provide(request: IncomingMessage, response: ServerResponse): void {
  const megabytes = Number(/\/stream\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
  let left = (megabytes * 1_048_576) / piece.length;
  const more = (): void => {
    while (left > 0) {
      left -= 1;
      if (!response.write(piece)) return void response.once('drain', more);
    }
    response.end(megabytes === 0 ? 'data: end\n\n' : undefined);
  };
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    more();
  });
}

/** The least that anything between a client and a provider does. */
function pipeTo(upstream: string): (request: IncomingMessage, response: ServerResponse) => void {
  const agent = new Agent({ keepAlive: true });
  return (request, response) => {
    const { method, headers, url } = request;
    const onward = httpRequest(upstream + url, { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    request.pipe(onward);
  };
}

async function listen(kind: ServerKind, upstream: string): Promise<string> {
  if (kind === 'proxy') return (await createProxy({ upstreams: { '': upstream } })).url;
  const server = createServer(kind === 'provider' ? provide : pipeTo(upstream));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const [, , kind = 'provider', upstream = ''] = process.argv;
process.stdout.write(`${await listen(kind as ServerKind, upstream)}\n`);
process.stdin.resume();
process.stdin.once('end', () => process.exit());
