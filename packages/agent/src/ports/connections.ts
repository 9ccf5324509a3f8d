import * as http from 'node:http';
import * as https from 'node:https';

/** The steps of a request, in order. */
export type Step = 'pool' | 'connect' | 'write' | 'read';

const STEPS: readonly Step[] = ['pool', 'connect', 'write', 'read'];

/** Is told of every step when it begins. */
export type Progress = (step: Step) => void;

export type Outgoing = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
};

type Agents = { readonly http: http.Agent; readonly https: https.Agent };

/**
 * Connections of our own: those of the global `fetch` belong to the whole process and cannot be thrown away, and it
 * does not tell which step of a request is slow.
 */
export class Connections {
  readonly #limit: number;
  #agents: Agents;

  constructor(limit: number = Infinity) {
    this.#limit = limit;
    this.#agents = agentsOf(limit);
  }

  /** No later request uses a connection that was there before; those of other requests close when these are over. */
  renew(): void {
    const { http: plain, https: secure } = this.#agents;
    this.#agents = agentsOf(this.#limit);
    for (const agent of [plain, secure]) retire(agent);
  }

  /** Sends a request and gives the head of the response, whose body has not been read. Both end with the signal. */
  send(outgoing: Outgoing, progress: Progress, signal: AbortSignal): Promise<http.IncomingMessage> {
    const { url, method, headers, body } = outgoing;
    const secure = url.protocol === 'https:';
    const options = { method, headers: Object.fromEntries(headers) };
    const request = secure
      ? https.request(url, { ...options, agent: this.#agents.https })
      : http.request(url, { ...options, agent: this.#agents.http });
    return new Promise((resolve, reject) => {
      endWith(request, signal);
      // Not once: what is destroyed later, while the body is read, may say so here again.
      request.on('error', reject);
      request.once('response', (incoming) => {
        endWith(incoming, signal);
        // Whoever reads is told by the iterator; where nobody does, there is nobody to tell.
        incoming.on('error', () => undefined);
        resolve(incoming);
      });
      follow(request, secure ? 'secureConnect' : 'connect', progress);
      request.end(body);
    });
  }
}

/** Destroys a stream with the signal, as long as there is something to destroy. */
function endWith(stream: http.ClientRequest | http.IncomingMessage, signal: AbortSignal): void {
  const destroy = (): void => void stream.destroy();
  if (signal.aborted) destroy();
  signal.addEventListener('abort', destroy, { once: true });
  stream.once('close', () => signal.removeEventListener('abort', destroy));
}

function agentsOf(maxSockets: number): Agents {
  const options = { keepAlive: true, maxSockets };
  return { http: new http.Agent(options), https: new https.Agent(options) };
}

/** An agent without room for free connections closes each as soon as it is free. */
function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

/** A short body may be handed over before the connection stands; a step never comes after a later one. */
function follow(request: http.ClientRequest, connected: string, progress: Progress): void {
  let reached = -1;
  const reach = (step: Step): void => {
    const index = STEPS.indexOf(step);
    if (index <= reached) return;
    reached = index;
    progress(step);
  };
  reach('pool');
  request.once('socket', (socket) => {
    reach(socket.connecting ? 'connect' : 'write');
    if (socket.connecting) socket.once(connected, () => reach('write'));
  });
  request.once('finish', () => reach('read'));
}
