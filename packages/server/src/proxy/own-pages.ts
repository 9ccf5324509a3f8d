import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ExchangeEntry, ExchangeLog } from './exchange-log.ts';
import { toPrometheus, type Statistics } from './statistics.ts';

/** What the proxy tells about itself. */
export type OwnPages = {
  readonly about: Readonly<{ mode: string; upstreams: Readonly<{ [name: string]: string }> }>;
  readonly log: ExchangeLog;
  readonly statistics: () => Statistics;
};

const beatMs = 15_000;

/** Answers a request about the proxy itself; false if the request is not one. */
export function answerOwnPage(request: IncomingMessage, response: ServerResponse, pages: OwnPages): boolean {
  const [path = ''] = (request.url ?? '').split('?', 1);
  if (path !== '/metrics' && !path.startsWith('/.rethread/')) return false;
  if (request.method !== 'GET') {
    reply(response, 405, { error: 'use GET' });
  } else if (path === '/metrics') {
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(toPrometheus(pages.statistics()));
  } else if (path === '/.rethread/health') {
    reply(response, 200, { ok: true, ...pages.about });
  } else if (path === '/.rethread/stats') {
    reply(response, 200, pages.statistics());
  } else if (path !== '/.rethread/log') {
    reply(response, 404, { error: 'no such page' });
  } else if (request.headers.accept?.includes('text/event-stream') === true) {
    follow(request, response, pages.log);
  } else {
    reply(response, 200, { exchanges: pages.log.entries });
  }
  return true;
}

function reply(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(value));
}

/** Sends exchanges as they end, beginning behind the one that a client had last. */
function follow(request: IncomingMessage, response: ServerResponse, log: ExchangeLog): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const send = (entry: ExchangeEntry): void => {
    // A reader that does not keep up loses its place in the log, not the memory of the proxy.
    if (response.writableLength > 1024 * 1024) response.destroy();
    else response.write(`id: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`);
  };
  const last = Number(request.headers['last-event-id'] ?? 0);
  for (const entry of log.entries) if (entry.id > last) send(entry);
  response.write(': following\n\n');
  const stop = log.follow(send);
  const beat = setInterval(() => response.write(': beat\n\n'), beatMs);
  beat.unref();
  response.once('close', () => {
    clearInterval(beat);
    stop();
  });
}
