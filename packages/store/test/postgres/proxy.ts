import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** One message of the PostgreSQL protocol. */
export type Passing = {
  readonly connection: number;
  /** Its index among all messages of its connection, from 1. */
  readonly index: number;
  readonly from: 'client' | 'server';
  /** The protocol letter; the client's first message has none and is called `startup`. */
  readonly type: string;
};

/** Pass it, or cut the connection before it, inside it, or after its delivery. */
export type Decision = 'pass' | 'before' | 'inside' | 'after';

export type Proxy = {
  readonly port: number;
  readonly connections: () => number;
  readonly cuts: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
};

/** Splits a stream into messages: a letter, four bytes of length, and the body. The first message has no letter. */
class Framer {
  #pending: Buffer = Buffer.alloc(0);
  #untyped: boolean;

  constructor(from: 'client' | 'server') {
    this.#untyped = from === 'client';
  }

  *push(chunk: Buffer): Generator<{ readonly type: string; readonly bytes: Buffer }> {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    while (true) {
      const letter = this.#untyped ? 0 : 1;
      if (this.#pending.length < letter + 4) return;
      const length = letter + this.#pending.readInt32BE(letter);
      if (this.#pending.length < length) return;
      const bytes = this.#pending.subarray(0, length);
      this.#pending = this.#pending.subarray(length);
      yield { type: letter === 0 ? 'startup' : String.fromCharCode(bytes[0] ?? 0), bytes };
      this.#untyped = false;
    }
  }
}

type Ends = { readonly client: Socket; readonly server: Socket };

/** Delivers what still arrives, then closes both sides without a response. */
function cut({ client, server }: Ends, from: 'client' | 'server', last: Buffer): void {
  const [sender, receiver] = from === 'client' ? [client, server] : [server, client];
  sender.removeAllListeners('data');
  receiver.removeAllListeners('data');
  sender.on('data', () => undefined);
  receiver.on('data', () => undefined);
  receiver.end(last, () => receiver.destroySoon());
  sender.destroy();
  setTimeout(() => receiver.destroy(), 2_000).unref();
}

/** What the receiver gets when the connection is cut at a message. */
const delivered: Record<Exclude<Decision, 'pass'>, (bytes: Buffer) => Buffer> = {
  before: () => Buffer.alloc(0),
  inside: (bytes) => bytes.subarray(0, Math.ceil(bytes.length / 2)),
  after: (bytes) => bytes,
};

/** A proxy between PostgreSQL client and server that can cut connections at any message. */
export async function startProxy(target: number, decide: (message: Passing) => Decision): Promise<Proxy> {
  const cuts = new Map<string, number>();
  const open = new Set<Socket>();
  let connections = 0;
  const relay = (ends: Ends): void => {
    connections += 1;
    const connection = connections;
    let [index, over] = [0, false];
    const forward = (from: 'client' | 'server'): void => {
      const framer = new Framer(from);
      const [source, sink] = from === 'client' ? [ends.client, ends.server] : [ends.server, ends.client];
      source.on('data', (chunk: Buffer) => {
        for (const { type, bytes } of framer.push(chunk)) {
          if (over) return;
          index += 1;
          const decision = decide({ connection, index, from, type });
          if (decision === 'pass') {
            sink.write(bytes);
            continue;
          }
          over = true;
          const name = `${decision} ${from} ${type}`;
          cuts.set(name, (cuts.get(name) ?? 0) + 1);
          cut(ends, from, delivered[decision](bytes));
        }
      });
      source.on('close', () => void (over || sink.destroy()));
      source.on('error', () => undefined);
    };
    forward('client');
    forward('server');
  };
  const listener = createServer((client) => {
    const server = connect({ port: target, host: '127.0.0.1', noDelay: true });
    client.setNoDelay(true);
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    }
    // Without a server there is no connection to cut.
    server.on('error', () => client.destroy());
    client.on('error', () => server.destroy());
    server.once('connect', () => relay({ client, server }));
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    connections: () => connections,
    cuts,
    close: async () => {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
