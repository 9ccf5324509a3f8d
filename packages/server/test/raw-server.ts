import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What one connection sent, byte for byte. */
export type Talk = { received: string; socket: Socket };

/** A server that answers whole requests with given bytes, and keeps what it was sent. */
export type RawServer = AsyncDisposable & {
  readonly url: string;
  readonly talks: readonly Talk[];
};

/** Starts a server that answers the n-th chunk of a connection with what `answer` writes to its socket. */
export async function rawServer(answer: (talk: Talk, chunk: string) => void): Promise<RawServer> {
  const talks: Talk[] = [];
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    const talk: Talk = { received: '', socket };
    talks.push(talk);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      talk.received += chunk.toString('latin1');
      answer(talk, chunk.toString('latin1'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    talks,
    [Symbol.asyncDispose]: async () => {
      for (const { socket } of talks) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
