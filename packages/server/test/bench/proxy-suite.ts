import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';

import { chatHistory } from '../../../../bench/histories.ts';
import { median, type Effort, type Reading } from '../../../../bench/measure.ts';

/** The processes of a measurement: a provider, a pipe that only passes on, and the proxy. */
export type ServerKind = 'provider' | 'pipe' | 'proxy';

const script = fileURLToPath(new URL('proxy-server.ts', import.meta.url));

type Server = { readonly url: string; readonly child: ChildProcess };

async function start(kind: ServerKind, upstream = ''): Promise<Server> {
  const child = spawn(process.execPath, [script, kind, upstream], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: first.toString().trim(), child };
}

const agent = new Agent({ keepAlive: true });

type Timed = { readonly firstByteMs: number; readonly totalMs: number; readonly bytes: number };

function ask(url: string, path: string, body: Buffer): Promise<Timed> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const asked = httpRequest(url + path, { method: 'POST', agent, headers });
    asked.on('error', reject);
    asked.on('response', (response) => {
      let bytes = 0;
      let firstByteMs = 0;
      response.on('data', (chunk: Buffer) => {
        if (bytes === 0) firstByteMs = performance.now() - started;
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ firstByteMs, totalMs: performance.now() - started, bytes }));
      response.on('error', reject);
    });
    asked.end(body);
  });
}

const messages = 1_000;
const allowedMs = 2;

/** The time until the first byte of the answer to a long request, beside that of a direct one. */
async function measureFirstByte(urls: Readonly<Record<ServerKind, string>>, effort: Effort): Promise<Reading> {
  const body = { model: 'gpt-4.1', messages: chatHistory({ messages, seed: effort.seed, results: 'light' }) };
  const text = JSON.stringify(body);
  const bytes = Buffer.from(text);
  const direct: number[] = [];
  const through: number[] = [];
  const judging: number[] = [];
  for (let round = 0; round < (effort.quick ? 60 : 400); round += 1) {
    direct.push((await ask(urls.provider, '/v1/chat/completions', bytes)).firstByteMs);
    through.push((await ask(urls.proxy, '/v1/chat/completions', bytes)).firstByteMs);
    const fresh: unknown = JSON.parse(text);
    const started = performance.now();
    if (check(fresh, 'openai-chat').verdict !== 'clean') throw new Error('the request of the benchmark is not clean');
    judging.push(performance.now() - started);
  }
  const on = `${messages} messages, ${Math.round(bytes.length / 1_000)} kB`;
  return {
    target: 'proxyFirstByte',
    on,
    ours: median(through) - median(direct),
    peer: allowedMs + median(judging),
  };
}

/** A streamed answer through the proxy, beside one through a pipe; the same amount of bytes has to arrive. */
async function measureStream(urls: Readonly<Record<ServerKind, string>>, { quick }: Effort): Promise<Reading> {
  const megabytes = quick ? 32 : 256;
  const path = `/v1/stream/${megabytes}`;
  const least = { pipe: Infinity, proxy: Infinity };
  for (let round = 0; round < 7; round += 1) {
    for (const kind of ['pipe', 'proxy'] as const) {
      const { totalMs, bytes } = await ask(urls[kind], path, Buffer.from('{}'));
      if (bytes !== megabytes * 1_048_576) throw new Error(`${bytes} bytes came through the ${kind}`);
      least[kind] = Math.min(least[kind], totalMs);
    }
  }
  const rate = (ms: number): number => (megabytes / ms) * 1_000;
  return { target: 'proxyStream', on: `${megabytes} MB`, ours: rate(least.proxy), peer: rate(least.pipe) };
}

/** Measures the proxy: it, its peer and the provider are processes of their own. */
export async function measureProxy(effort: Effort): Promise<Reading[]> {
  const provider = await start('provider');
  const [pipe, proxy] = await Promise.all([start('pipe', provider.url), start('proxy', provider.url)]);
  try {
    const urls = { provider: provider.url, pipe: pipe.url, proxy: proxy.url };
    effort.progress('time to the first byte');
    const first = await measureFirstByte(urls, effort);
    effort.progress('streams');
    return [first, await measureStream(urls, effort)];
  } finally {
    agent.destroy();
    for (const { child } of [provider, pipe, proxy]) child.stdin?.end();
  }
}
