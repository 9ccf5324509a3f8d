import type { IncomingMessage } from 'node:http';

import type { Logger } from '../logger.ts';
import type { Refusal } from './classify.ts';
import type { Connections, Step } from './connections.ts';
import type { Exchange } from './exchange.ts';
import type { NetworkDeadlines } from './network-deadlines.ts';
import { Redactor } from './redact.ts';

export type Fetch = typeof globalThis.fetch;

/** How a port sends requests: its own connections, or a given `fetch`. */
export type Travel = { readonly by: Connections | Fetch; readonly deadlines: NetworkDeadlines };

type Piece = { readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined };

type Head = {
  readonly status: number;
  readonly headers: Headers;
  readonly read: () => Promise<Piece>;
};

const LONGEST_REFUSAL = 100_000;
const LOGGED = 500;
const DRAIN_MS = 100;

const WORDS: Readonly<Record<Step, string>> = {
  pool: 'no connection was free',
  connect: 'no connection was made',
  write: 'the request was not taken',
  read: 'no answer came',
};

/** The `fetch` of one exchange, with a deadline for every step and a log of requests and responses. */
export class WatchedFetch {
  readonly #exchange: Exchange;
  readonly #travel: Travel;
  readonly #log: Logger;
  readonly #redactor = new Redactor();
  #endStep: () => void = () => undefined;
  #read: Head['read'] | undefined;
  #refusal: Refusal | undefined;
  #sent = false;

  constructor(exchange: Exchange, travel: Travel, log: Logger) {
    this.#exchange = exchange;
    this.#travel = travel;
    this.#log = log;
  }

  get sent(): boolean {
    return this.#sent;
  }

  /** The error response. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  redact(text: string): string {
    return this.#redactor.text(text);
  }

  readonly fetch: Fetch = async (input, init = {}) => {
    const { signal: _ours, ...rest } = init;
    const request = new Request(input, rest);
    this.#redactor.learn(request.headers);
    const told = { method: request.method, url: this.#redactor.url(request.url) };
    this.#tell({ level: 'debug', event: 'request', ...told });
    this.#sent = true;
    const { by } = this.#travel;
    const { signal } = this.#exchange;
    const sending = typeof by === 'function' ? this.#by(() => by(input, { ...rest, signal })) : this.#over(by, request);
    const { status, headers, read } = await this.#exchange.wait(sending);
    const text = status >= 400 ? await this.#textOf(read) : undefined;
    if (text !== undefined) this.#refusal = { status, headers, text };
    const body = text === undefined ? {} : { body: this.redact(text).slice(0, LOGGED) };
    this.#tell({ level: text === undefined ? 'debug' : 'warn', event: 'response', ...told, status, ...body });
    return new Response(text ?? this.#bodyOf(read), { status, headers });
  };

  /** Reads an understood response to its end, so that its connection can be reused. */
  async drained(): Promise<void> {
    const read = this.#read;
    if (read === undefined) return;
    let disarm = (): void => undefined;
    const late = new Promise<Piece>((resolve) => {
      disarm = this.#exchange.after(DRAIN_MS, () => resolve({ done: true }));
    });
    const next = (): Promise<Piece> => Promise.race([read().catch((): Piece => ({ done: true })), late]);
    for (let piece = await next(); piece.done !== true; piece = await next());
    disarm();
  }

  async #over(connections: Connections, request: Request): Promise<Head> {
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const headers = new Headers(request.headers);
    if (body !== undefined) headers.set('content-length', String(body.length));
    // Uncompressed bodies keep the pieces they were sent in, and nobody here decompresses.
    headers.set('accept-encoding', 'identity');
    const outgoing = { url: new URL(request.url), method: request.method, headers, body };
    let reached: Step = 'pool';
    const progress = (step: Step): void => {
      reached = step;
      this.#begin(step);
    };
    try {
      return headOf(await connections.send(outgoing, progress, this.#exchange.signal));
    } catch (error) {
      this.#exchange.fail({ kind: kindAt(reached), message: messageOf(error), cause: error });
      throw error;
    } finally {
      this.#endStep();
    }
  }

  /** A given `fetch` does not report its steps. */
  async #by(send: () => Promise<Response>): Promise<Head> {
    this.#begin('read');
    try {
      const { status, headers, body } = await send();
      const reader = body?.getReader();
      return { status, headers, read: () => reader?.read() ?? Promise.resolve({ done: true }) };
    } catch (error) {
      this.#exchange.fail({ kind: 'connect', message: messageOf(error), cause: error });
      throw error;
    } finally {
      this.#endStep();
    }
  }

  #begin(step: Step): void {
    const { deadlines } = this.#travel;
    const ms = step === 'read' && !this.#exchange.streams ? deadlines.wholeMs : deadlines[`${step}Ms`];
    this.#endStep();
    this.#endStep = this.#exchange.deadline(ms, { kind: kindAt(step), message: `${WORDS[step]} for ${ms} ms` });
  }

  #bodyOf(read: Head['read']): ReadableStream<Uint8Array> {
    const decoder = new TextDecoder();
    this.#read = read;
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const { done, value } = await this.#pieceOf(read);
      if (done === true || value === undefined) return controller.close();
      controller.enqueue(value);
      if (this.#exchange.streams && isSignOfLife(decoder.decode(value))) this.#exchange.alive();
    };
    return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  }

  async #textOf(read: Head['read']): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    while (text.length < LONGEST_REFUSAL) {
      const { done, value } = await this.#pieceOf(read);
      if (done === true || value === undefined) break;
      text += decoder.decode(value, { stream: true });
    }
    return text;
  }

  /** One piece of the body, within its deadline. */
  async #pieceOf(read: Head['read']): Promise<Piece> {
    const { readMs } = this.#travel.deadlines;
    const { streams } = this.#exchange;
    const message = `nothing came for ${readMs} ms`;
    const disarm = this.#exchange.deadline(readMs, { kind: streams ? 'stalled' : 'read', message });
    try {
      return await this.#exchange.wait(read());
    } catch (error) {
      this.#exchange.fail({ kind: streams ? 'cut' : 'read', message: messageOf(error), cause: error });
      throw error;
    } finally {
      disarm();
    }
  }

  #tell(line: Parameters<Logger>[0]): void {
    try {
      this.#log(line);
    } catch {
      // A failing logger must not fail the request.
    }
  }
}

/** Whether the text is only comments and pings, which keep a silent stream open. */
function isSignOfLife(text: string): boolean {
  if (!/^(?::|event: ping\b)/.test(text)) return false;
  const lines = text.split(/\r?\n/);
  return lines.every(
    (line, at) => /^(?:$|:|event: ping$)/.test(line) || (line.startsWith('data:') && lines[at - 1] === 'event: ping'),
  );
}

function headOf(incoming: IncomingMessage): Head {
  // A reader may stop before the end of the response has arrived.
  const pieces = incoming.iterator({ destroyOnReturn: false });
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return { status: incoming.statusCode ?? 0, headers, read: () => pieces.next() as Promise<Piece> };
}

function kindAt(step: Step): 'connect' | 'read' {
  return step === 'pool' || step === 'connect' ? 'connect' : 'read';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
