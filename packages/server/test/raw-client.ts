import { connect } from 'node:net';

type Options = {
  /** Ends the sending side right after the request. */
  readonly half?: boolean;
  /** Stops waiting as soon as this has arrived; otherwise at the end of the connection. */
  readonly until?: string | RegExp;
};

/** Sends bytes as they are, and gives all that comes back. */
export function talk(url: string, bytes: string | Buffer, { half = false, until }: Options = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let received = '';
    const isDone = (): boolean =>
      typeof until === 'string' ? received.includes(until) : until?.test(received) === true;
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (isDone()) socket.destroy();
    });
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(received));
    socket.write(bytes);
    if (half) socket.end();
  });
}
