import * as http from 'node:http';
import * as https from 'node:https';

/** The steps of a request, in order. */
export type Step = 'pool' | 'connect' | 'write' | 'read';

const STEPS: readonly Step[] = ['pool', 'connect', 'write', 'read'];

/** Called when a step begins. */
export type Progress = (step: Step) => void;

export type Outgoing = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
};

type Agents = { readonly http: http.Agent; readonly https: https.Agent };

/**
 * Our own connections. Those of the global `fetch` belong to the whole process, cannot be discarded, and do not report
 * the step of a request.
 */
export class Connections {
  readonly #limit: number;
  #agents: Agents;

  constructor(limit: number = Infinity) {
    this.#limit = limit;
    this.#agents = agentsOf(limit);
  }

  /** Later requests use new connections; running requests finish on the old ones. */
  renew(): void {
    const { http: plain, https: secure } = this.#agents;
    this.#agents = agentsOf(this.#limit);
    for (const agent of [plain, secure]) retire(agent);
  }

  /** Sends a request and returns the response head, with the body unread. The signal ends both. */
  send(outgoing: Outgoing, progress: Progress, signal: AbortSignal): Promise<http.IncomingMessage> {
    const { url, method, headers, body } = outgoing;
    const secure = url.protocol === 'https:';
    const options = { method, headers: Object.fromEntries(headers) };
    const request = secure
      ? https.request(url, { ...options, agent: this.#agents.https })
      : http.request(url, { ...options, agent: this.#agents.http });
    return new Promise((resolve, reject) => {
      endWith(request, signal);
      // Not `once`: a later destroy may emit an error again.
      request.on('error', reject);
      request.once('response', (incoming) => {
        endWith(incoming, signal);
        // Readers learn of the error from the iterator.
        incoming.on('error', () => undefined);
        resolve(incoming);
      });
      follow(request, secure ? 'secureConnect' : 'connect', progress);
      request.end(body);
    });
  }
}

/** Destroys a stream when the signal aborts. */
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

/** An agent with no free slots closes each connection when it becomes idle. */
function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

/** A short body may be handed over before the connection is ready; steps never go back. */
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
