import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server in a process of its own: `judged` is the simulator, `bare` only parses. It ends with its input. */
export type ServerKind = 'judged' | 'bare';

const answer = JSON.stringify({ ok: true });

function listenBare(): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const good = typeof body === 'object' && body !== null;
      response.writeHead(good ? 200 : 400, { 'content-type': 'application/json', 'content-length': answer.length });
      response.end(answer);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function listenJudged(): Promise<number> {
  const { createSimulator } = await import('@rethread/simulator');
  const { url } = await createSimulator();
  return Number(new URL(url).port);
}

const port = process.argv[2] === 'judged' ? await listenJudged() : await listenBare();
process.stdout.write(`${port}\n`);
process.stdin.resume();
process.stdin.once('end', () => process.exit());
