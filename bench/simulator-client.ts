import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { convert } from '@rethread/core';
import { chatHistory, generateHistory } from './histories.ts';
import { fastest, type Reading, type Rounds } from './measure.ts';
import type { ServerKind } from './simulator-server.ts';

type Api = keyof typeof apis;
type Job = { api: Api; seed: number; ports: Record<ServerKind, number>; rounds: Rounds };

const connections = 8;
const batch = 100;
const requestMessages = 50;
const key = 'Bearer key';

const apis = {
  'anthropic-messages': {
    path: '/v1/messages',
    list: 'messages',
    headers: { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
    model: 'claude-sonnet-4-5',
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    list: 'messages',
    headers: { authorization: key },
    model: 'gpt-4.1',
  },
  'openai-responses': { path: '/v1/responses', list: 'input', headers: { authorization: key }, model: 'gpt-4.1' },
  gemini: {
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    list: 'contents',
    headers: { 'x-goog-api-key': 'key' },
    model: 'gemini-2.5-pro',
  },
} as const;

/** Times batches of requests to the judging and to the bare server, turn by turn. */
export async function measure({ api, seed, ports, rounds }: Job): Promise<Reading[]> {
  const recipe = { messages: requestMessages, seed, results: 'light' } as const;
  const body = requestBody(api, chatHistory(recipe));
  const broken = { ...body, [apis[api].list]: generateHistory({ ...recipe, dialect: api, broken: 1 }) };
  const request = writeRequest(api, body);
  const lines = { judged: await openLine(ports.judged), bare: await openLine(ports.bare) };
  // A server that accepts anything would be fast too.
  await send(lines.judged.slice(0, 1), { bytes: writeRequest(api, broken), times: 1, status: 400 });
  const timeBatch = async (kind: ServerKind, times: number): Promise<number> => {
    const started = performance.now();
    await send(lines[kind], { bytes: request, times, status: 200 });
    return performance.now() - started;
  };
  for (const kind of ['judged', 'bare'] as const) await timeBatch(kind, batch * 4);
  const least = await fastest(
    { judged: () => timeBatch('judged', batch), bare: () => timeBatch('bare', batch) },
    rounds,
  );
  for (const socket of [...lines.judged, ...lines.bare]) socket.destroy();
  const rate = (ms: number): number => (batch / ms) * 1_000;
  const on = `${api}, ${Math.round(request.length / 1_000)} kB`;
  return [{ target: 'judged', on, ours: rate(least.judged), peer: rate(least.bare) }];
}

function requestBody(api: Api, messages: readonly object[]): object {
  const names = ['read_file', 'search', 'run_command', 'write_file', 'list_directory', 'fetch_page'];
  const tools = names.map((name) => {
    const parameters = { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } } };
    return { type: 'function', function: { name, description: `Runs ${name}.`, parameters } };
  });
  const chat = { model: 'gpt-4.1', max_completion_tokens: 4_096, tools, messages };
  if (api === 'openai-chat') return chat;
  return convert(chat, { from: 'openai-chat', to: api, model: apis[api].model }).output as object;
}

/** A request as its client would send it. */
function writeRequest(api: Api, body: object): Buffer {
  const { path, headers } = apis[api];
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  const all = { ...headers, host: 'localhost', 'content-type': 'application/json', 'content-length': length };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
}

/** Connections that are kept: a client that does next to nothing, so that what is timed is the server. */
function openLine(port: number): Promise<Socket[]> {
  const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1').setNoDelay(true));
  return Promise.all(
    sockets.map(async (socket) => {
      await once(socket, 'connect');
      return socket;
    }),
  );
}

type Sending = { bytes: Buffer; times: number; status: number };

/** Sends a request so many times, on all connections at once, and wants this status every time. */
async function send(line: readonly Socket[], { bytes, times, status }: Sending): Promise<void> {
  let left = times;
  await Promise.all(
    line.map(async (socket) => {
      while (left > 0) {
        left -= 1;
        socket.write(bytes);
        const [answer] = (await once(socket, 'data')) as [Buffer];
        const head = answer.toString('latin1');
        if (!head.startsWith(`HTTP/1.1 ${status}`)) throw new Error(`expected status ${status}, got: ${head}`);
      }
    }),
  );
}
