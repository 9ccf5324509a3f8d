import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Waiting {
  readonly response: ServerResponse;
  readonly answer: () => void;
}

interface Connection {
  busy: boolean;
  readonly waiting: Waiting[];
}

/**
 * Answers the requests of one connection one after another. A client may send several before it reads an answer, and
 * a fault that ends the connection must strike the answer it is meant for, and none before it.
 */
export class Pipeline {
  readonly #connections = new WeakMap<Socket, Connection>();

  /** Calls `answer` as soon as all earlier answers on this connection are out. */
  enter(socket: Socket, waiting: Waiting): void {
    let connection = this.#connections.get(socket);
    if (connection === undefined) {
      connection = { busy: false, waiting: [] };
      this.#connections.set(socket, connection);
      const { waiting: rest } = connection;
      // Those that still wait are decided too: each request has a verdict, also when nobody is there to hear it.
      socket.once('close', () => rest.splice(0).forEach(({ answer }) => answer()));
    }
    connection.waiting.push(waiting);
    if (!connection.busy) this.#next(connection);
  }

  #next(connection: Connection): void {
    const next = connection.waiting.shift();
    connection.busy = next !== undefined;
    if (next === undefined) return;
    next.response.once('close', () => this.#next(connection));
    next.answer();
  }
}
