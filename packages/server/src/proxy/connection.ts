import type { Socket } from 'node:net';

import type { Upstream } from './destination.ts';
import { openHttp1Lane } from './http1-lane.ts';
import { openHttp2Lane } from './http2-lane.ts';
import type { Lane, LaneOptions } from './lane.ts';

export type ConnectionOptions = Pick<LaneOptions, 'ca' | 'connectTimeoutMs'>;

/**
 * One connection of a client, with a connection of its own to each provider. What one end does to its connection
 * happens to the other: a provider that ends an idle connection ends it for the client, who would otherwise send a
 * request into nothing.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #lanes = new Map<string, Lane>();
  #open = 0;
  #isOver = false;
  #hasEnded = false;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    // Whether a client that ends its side still waits for its answer, the provider decides, as without us.
    socket.once('end', () => {
      this.#hasEnded = true;
      for (const lane of this.#lanes.values()) lane.endSending();
    });
    socket.once('close', () => {
      for (const lane of this.#lanes.values()) lane.close();
    });
  }

  /** Whether the client has ended its side. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  laneTo({ name, origin, protocol }: Upstream): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const open = protocol === 'h2' ? openHttp2Lane : openHttp1Lane;
    const lane = open({ ...this.#options, origin, onClose: () => this.#end() });
    this.#lanes.set(name, lane);
    if (this.#hasEnded) lane.endSending();
    return lane;
  }

  /** Counts an exchange; the returned function ends it. */
  begin(): () => void {
    this.#open += 1;
    return () => {
      this.#open -= 1;
      if (this.#isOver) this.#end();
    };
  }

  #end(): void {
    this.#isOver = true;
    if (this.#open === 0) this.#socket.end();
  }
}
