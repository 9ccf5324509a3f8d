import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { SessionRef } from '@rethread/formats';

import { sendSentence, sendText } from './answers.ts';
import { ROUTES, SESSION_ROUTES, type World } from './api.ts';
import { createGuard, type Guard } from './guard.ts';
import { createOpenSessions } from './open-sessions.ts';
import { readPage, type Asset } from './page-files.ts';
import { createReader } from './reader-process.ts';
import { createSessionList } from './session-list.ts';

export type InspectorOptions = {
  /** Shown on the page. */
  readonly version: string;
  /** Where to look for sessions (default: the home folder and the environment). */
  readonly home?: string;
  /** The port on loopback (default: any that is free). */
  readonly port?: number;
  /** A session to open first. */
  readonly first?: SessionRef;
};

export type Inspector = {
  /** The address with the token. Whoever has it can read every session. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
};

const HOST = '127.0.0.1';

/** More questions than this at one time are refused. */
const MOST_AT_ONCE = 64;

/** Serves the page on loopback, until it is closed. It reads sessions and never writes. */
export async function startInspector(options: InspectorOptions): Promise<Inspector> {
  const entry = new URL('reader.js', import.meta.url);
  const assets = await readPage(new URL('page/', import.meta.url));
  const list = createSessionList();
  const world: World = {
    list,
    open: createOpenSessions(entry),
    finder: createReader(entry),
    summarizer: createReader(entry),
    summaries: new Map(),
    home: options.home,
    version: options.version,
    first: options.first === undefined ? undefined : list.add(options.first).key,
  };
  let port = 0;
  const guard = createGuard(() => [`${HOST}:${port}`, `localhost:${port}`]);
  const server = createServer({ maxHeaderSize: 16_384 }, createRouter({ guard, assets, world }));
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
  port = await listen(server, options.port ?? 0);
  return {
    url: `http://${HOST}:${port}/?token=${guard.token}`,
    port,
    async close() {
      world.open.close();
      world.finder.close();
      world.summarizer.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port));
  });

type Parts = { readonly guard: Guard; readonly assets: ReadonlyMap<string, Asset>; readonly world: World };

function createRouter({ guard, assets, world }: Parts): (request: IncomingMessage, response: ServerResponse) => void {
  let underWay = 0;
  return (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', `http://${HOST}`);
    const token = path === '/' ? query.get('token') : null;
    const isExchange = token !== null && guard.isToken(token);
    const refusal = guard.refusal({ method: request.method ?? '', headers: request.headers, path, isExchange });
    if (refusal !== undefined) {
      sendSentence(response, refusal.status, refusal.sentence);
      return;
    }
    if (isExchange) {
      const more = { Location: '/', 'Set-Cookie': guard.cookie };
      sendText(response, 303, { type: 'text/plain', text: '', more });
      return;
    }
    const asset = assets.get(path);
    if (asset !== undefined) {
      sendText(response, 200, asset);
      return;
    }
    if (underWay >= MOST_AT_ONCE) {
      sendSentence(response, 429, 'Too many questions at one time.');
      return;
    }
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
    });
    answer(world, { path, query, response }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendSentence(response, 500, error instanceof Error ? error.message : 'This failed.');
    });
  };
}

type Asked = { readonly path: string; readonly query: URLSearchParams; readonly response: ServerResponse };

async function answer(world: World, { path, query, response }: Asked): Promise<void> {
  const [, api, name = '', last = '', ...rest] = path.split('/');
  const call = { world, query, response };
  if (api === 'api' && rest.length === 0) {
    if (last === '' && Object.hasOwn(ROUTES, name)) return ROUTES[name]?.(call);
    const ref = Object.hasOwn(SESSION_ROUTES, last) ? await world.list.fresh(name) : undefined;
    if (ref !== undefined) return SESSION_ROUTES[last]?.(call, ref);
  }
  return sendSentence(response, 404, 'There is nothing here.');
}
