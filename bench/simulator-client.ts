import { connect, type Socket } from 'node:net';
import { interleave, sampleOf, type Rounds, type Sample } from './measure.ts';
import { createRequest, type BenchApi, type BenchRequest } from './simulator-requests.ts';

export type SimulatorJob = {
  api: BenchApi;
  seed: number;
  ports: { judged: number; bare: number };
  batch: number;
  rounds: Rounds;
};
export type SimulatorTimings = {
  api: BenchApi;
  bytes: number;
  batch: number;
  judged: Sample;
  bare: Sample;
  /** The share of the time in which the client itself worked; near 1 it would be the client that is timed. */
  clientBusy: number;
};

const connections = 8;
const headEnd = Buffer.from('\r\n\r\n');

/** Several connections that are kept: a client that does next to nothing, so that what is timed is the server. */
class Line {
  readonly #sockets: readonly Socket[];

  constructor(sockets: readonly Socket[]) {
    this.#sockets = sockets;
  }

  static async open(port: number): Promise<Line> {
    const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1').setNoDelay(true));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => void socket.once('connect', resolve))));
    return new Line(sockets);
  }

  /** Sends the request so many times, on all connections at once, and wants this status every time. */
  async send(request: Buffer, times: number, status = 200): Promise<void> {
    let left = times;
    const take = (): boolean => left-- > 0;
    await Promise.all(this.#sockets.map((socket) => converse(socket, request, { take, status })));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

type Turn = { take: () => boolean; status: number };

function converse(socket: Socket, request: Buffer, { take, status }: Turn): Promise<void> {
  if (!take()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const finish = (error?: Error): void => {
      socket.off('data', onData).off('close', onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onClose = (): void => finish(new Error('the server closed the connection'));
    const onData = (chunk: Buffer): void => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const head = received.indexOf(headEnd);
      if (head < 0) return;
      const found = /^HTTP\/1\.1 (\d+)[^]*content-length: (\d+)/i.exec(received.toString('latin1', 0, head));
      if (found === null || Number(found[1]) !== status) {
        finish(new Error(`expected status ${status}, got: ${received.toString()}`));
      } else if (received.length >= head + headEnd.length + Number(found[2])) {
        received = Buffer.alloc(0);
        if (take()) socket.write(request);
        else finish();
      }
    };
    socket.on('data', onData).on('close', onClose);
    socket.write(request);
  });
}

function writeRequest({ path, headers, body }: BenchRequest): { bytes: Buffer; bodyBytes: number } {
  const text = JSON.stringify(body);
  const bodyBytes = Buffer.byteLength(text);
  const all = { host: '127.0.0.1', 'content-type': 'application/json', ...headers, 'content-length': bodyBytes };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return { bytes: Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`), bodyBytes };
}

/** Times batches of requests to the judging and to the bare server, turn by turn. */
export async function measureSimulator({ api, seed, ports, batch, rounds }: SimulatorJob): Promise<SimulatorTimings> {
  const { bytes, bodyBytes } = writeRequest(createRequest(api, seed));
  const lines = { judged: await Line.open(ports.judged), bare: await Line.open(ports.bare) };
  // A server that accepts anything would be fast too.
  await lines.judged.send(writeRequest(createRequest(api, seed, 'unanswered')).bytes, 1, 400);
  for (const line of [lines.judged, lines.bare]) await line.send(bytes, batch * 4);
  const candidate = (name: 'judged' | 'bare'): { name: string; input: () => Line; run: (line: Line) => unknown } => ({
    name,
    input: () => lines[name],
    run: (line) => line.send(bytes, batch),
  });
  const before = { cpu: process.cpuUsage(), at: performance.now() };
  const samples = await interleave([candidate('judged'), candidate('bare')], rounds);
  const { user, system } = process.cpuUsage(before.cpu);
  const clientBusy = (user + system) / 1_000 / (performance.now() - before.at);
  lines.judged.close();
  lines.bare.close();
  const [judged, bare] = [sampleOf(samples, 'judged'), sampleOf(samples, 'bare')];
  return { api, bytes: bodyBytes, batch, judged, bare, clientBusy };
}
