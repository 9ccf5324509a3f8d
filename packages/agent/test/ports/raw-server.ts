import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A private server that tracks all its connections. */
export type RawServer = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  /** The open connections. */
  readonly open: ReadonlySet<Socket>;
  /** The total number of connections. */
  readonly made: () => number;
};

async function listening(server: Server): Promise<RawServer> {
  const open = new Set<Socket>();
  let made = 0;
  server.on('connection', (socket: Socket) => {
    made += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dispose = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
  return { url: `http://127.0.0.1:${port}`, port, open, made: () => made, [Symbol.asyncDispose]: dispose };
}

/** Accepts connections and does with them what it is told, possibly nothing. */
export function tcpServer(onSocket: (socket: Socket) => void = () => undefined): Promise<RawServer> {
  return listening(createServer({ pauseOnConnect: true }, onSocket));
}

export type Asked = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly body: string };

/** Reads each request to its end, then does what it is told. */
export function httpServer(answer: (asked: Asked) => void): Promise<RawServer> {
  const server = createHttp({ keepAliveTimeout: 60_000 }, (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => answer({ request, response, body }));
  });
  return listening(server);
}
