import type { ServerResponse } from 'node:http';

import { deliver, type Delivery, type Outgoing } from '../faults/delivery.ts';
import { FaultSpecError, type Fault } from '../faults/fault.ts';
import type { FaultPlan } from '../faults/plan.ts';
import { send } from '../faults/send.ts';
import type { JsonObject, Refusal, Said } from '../judges/docket.ts';
import { ModelRequest, type Model } from '../models/model.ts';
import { faultIn, isFailure, type Failure, type Reply } from '../models/reply.ts';
import type { Seals } from '../models/seals.ts';
import type { VerdictLog } from '../verdict-log.ts';
import type { Trouble } from './api.ts';
import { decide, type Arrived, type Bench, type Decision } from './decision.ts';
import type { Frames } from './frames.ts';
import type { Ids } from './ids.ts';
import { Rendering, tokensIn } from './rendering.ts';

/** One request and the response it waits for. */
export interface Exchange {
  readonly n: number;
  readonly arrived: Arrived;
  readonly response: ServerResponse;
}

export interface AnswersOptions {
  readonly bench: Bench;
  readonly log: VerdictLog;
  readonly plan: FaultPlan;
  readonly seals: Seals;
  readonly ids: Ids;
  readonly model: Model;
  readonly keepBodies: boolean;
  readonly now: () => number;
}

/** What the verdict on an exchange says beside the decision. */
interface Outcome {
  readonly status: number;
  readonly fault?: string | undefined;
}

type Decided = Exchange & { readonly decision: Decision; readonly fault: Fault | undefined };
/** An answer before any fault: the JSON or the frames, with the place of the first call. */
type Written = { readonly whole: string; readonly callAt: number } | { readonly frames: Frames };
type Accepted = Decided & { readonly body: JsonObject; readonly model: string };

/** Troubles that befall a request whatever it holds; a history that is too long must first be a valid one. */
const TROUBLES: Readonly<Partial<Record<Fault['kind'], Trouble>>> = {
  'rate-limit': 'rate-limit',
  'server-error': 'server-error',
  overloaded: 'overloaded',
};

/** Decides each request, writes the verdict down, and only then answers. */
export class Answers {
  readonly #options: AnswersOptions;
  readonly #noted = new WeakSet<ServerResponse>();

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /** Never throws: whatever goes wrong here, the client has an answer and the request a verdict. */
  answer(exchange: Exchange): void {
    try {
      this.#decide(exchange);
    } catch (error) {
      this.#breakDown(exchange, error);
    }
  }

  #decide(exchange: Exchange): void {
    const decision = decide(exchange.arrived, this.#options.bench);
    let fault: Fault | undefined;
    try {
      fault = this.#options.plan.faultFor(exchange.n, headerOf(exchange.arrived));
    } catch (error) {
      if (!(error instanceof FaultSpecError)) throw error;
      const refusal: Refusal = { row: 'fault', pointer: '', text: `x-simulate: ${error.message}` };
      this.#refuse({
        ...exchange,
        decision: { ...decision, refusals: [refusal, ...decision.refusals] },
        fault: undefined,
      });
      return;
    }
    this.#conclude({ ...exchange, decision, fault });
  }

  #conclude(decided: Decided): void {
    const { decision, fault, arrived } = decided;
    const trouble = fault === undefined ? undefined : TROUBLES[fault.kind];
    if (fault?.kind === 'close') {
      this.#note(decided, { status: 0, fault: fault.kind });
      arrived.request.socket.destroy();
    } else if (trouble !== undefined) this.#fail(decided, trouble);
    else if (decision.refusals.length > 0) this.#refuse(decided);
    else if (fault?.kind === 'overflow') this.#fail(decided, 'overflow');
    else if (arrived.route.purpose === 'count') this.#count(decided);
    else {
      const accepted = { ...decided, body: decision.body ?? {}, model: decision.model ?? '' };
      this.#ask(accepted);
    }
  }

  #refuse(decided: Decided): void {
    const said: Said = decided.decision.refusals[0] ?? { text: 'refused' };
    this.#note(decided, { status: said.status ?? 400 });
    this.#sayError(decided, said, {});
  }

  #fail(decided: Decided, trouble: Trouble): void {
    const { arrived, decision, fault } = decided;
    const said = arrived.route.api.errors.trouble(trouble, decision.model ?? 'the model');
    this.#note(decided, { status: said.status ?? 400, fault: fault?.kind });
    const retryAfterSeconds = fault?.kind === 'rate-limit' ? fault.retryAfterSeconds : undefined;
    this.#sayError(decided, said, { retryAfterSeconds });
  }

  #count(decided: Decided): void {
    this.#note(decided, { status: 200 });
    this.#sendJson(decided, 200, JSON.stringify({ input_tokens: tokensIn(decided.arrived.bytes) }));
  }

  #ask(accepted: Accepted): void {
    const { arrived, body, decision, fault, model, n } = accepted;
    const { api } = arrived.route;
    if (fault?.kind === 'empty') {
      this.#reply(accepted, { parts: [], stop: 'end' });
      return;
    }
    const seen = api.context?.(body) ?? body;
    const request = new ModelRequest({ n, api: api.name, model, streaming: decision.wire !== 'json', body: seen });
    let said: Reply | Failure | Promise<Reply | Failure>;
    try {
      said = this.#options.model(request);
    } catch (error) {
      said = thrown(error);
    }
    if (said instanceof Promise) this.#await(accepted, said);
    else this.#reply(accepted, said);
  }

  #await(accepted: Accepted, said: Promise<Reply | Failure>): void {
    said
      .catch(thrown)
      .then((reply) => this.#reply(accepted, reply))
      .catch((error: unknown) => this.#breakDown(accepted, error));
  }

  #reply(accepted: Accepted, given: Reply | Failure): void {
    const written = this.#write(accepted, given);
    if ('failure' in written) {
      const status = isStatus(written.status) ? written.status : 500;
      this.#note(accepted, { status });
      this.#sayError(accepted, accepted.arrived.route.api.errors.failure(written.failure, status), {});
    } else if ('whole' in written) {
      this.#sendWhole(accepted, { whole: true, frames: [written.whole], callAt: written.callAt });
    } else this.#sendStream(accepted, written.frames);
  }

  /** The reply as it goes out, or why it cannot; nothing is noted or sent before that is known. */
  #write({ arrived, body, decision, fault, model, n }: Accepted, given: Reply | Failure): Written | Failure {
    try {
      if (isFailure(given)) return given;
      const wrong = faultIn(given);
      if (wrong !== undefined) return { failure: `the model's reply cannot be sent: ${wrong}` };
      const { api } = arrived.route;
      const { seals, ids, now } = this.#options;
      const reply = fault?.kind === 'cut-character' ? withWideCharacter(given) : given;
      const request = { n, api: api.name, body, model, bodyBytes: arrived.bytes };
      const rendering = new Rendering({ ...request, reply, seals, ids, createdMs: now() });
      if (decision.wire !== 'json') return { frames: api.stream(rendering) };
      const callAt = reply.parts.findIndex(({ kind }) => kind === 'call');
      return { whole: JSON.stringify(api.json(rendering)), callAt };
    } catch (error) {
      return { failure: `the model's reply cannot be sent: ${wordsOf(error)}` };
    }
  }

  /** Answers where something failed that must not: as a server does that has an error of its own. */
  #breakDown(exchange: Exchange, error: unknown): void {
    const { arrived, response } = exchange;
    const said = arrived.route.api.errors.failure(`the simulator failed: ${wordsOf(error)}`, 500);
    if (!this.#noted.has(response)) {
      const refusals: readonly Refusal[] = [{ row: 'simulator', pointer: '', ...said }];
      const decision: Decision = { refusals, body: undefined, model: undefined, wire: 'json' };
      this.#note({ ...exchange, decision, fault: undefined }, { status: 500 });
    }
    if (response.headersSent) response.destroy();
    else this.#sayError(exchange, said, {});
  }

  #sendWhole(accepted: Accepted, outgoing: Outgoing): void {
    const delivery = this.#deliver(accepted, outgoing);
    const text = outgoing.frames.join('');
    if (delivery === undefined) {
      this.#sendJson(accepted, 200, text);
      return;
    }
    // A body that ends early on purpose must not promise its full length, or the client would wait for the rest.
    const short = delivery.ending === 'end' && delivery.everyMs === 0;
    this.#head(accepted, 'application/json', short ? undefined : text);
    send(accepted.response, delivery);
  }

  #sendStream(accepted: Accepted, { texts, callAt }: Frames): void {
    const events = accepted.decision.wire === 'sse';
    const frames = events ? texts : asArray(texts);
    const delivery = this.#deliver(accepted, { whole: false, frames, callAt });
    this.#head(accepted, events ? 'text/event-stream; charset=utf-8' : 'application/json');
    if (delivery === undefined) accepted.response.end(frames.join(''));
    else send(accepted.response, delivery);
  }

  /** Notes what the fault does to the body, which is known before anything of it is written. */
  #deliver(accepted: Accepted, outgoing: Outgoing): Delivery | undefined {
    const { fault } = accepted;
    const delivery = fault === undefined ? undefined : deliver(fault, outgoing);
    const took = delivery !== undefined || fault?.kind === 'empty';
    this.#note(accepted, { status: 200, fault: took ? fault?.kind : undefined });
    return delivery;
  }

  #note({ n, arrived, decision, response }: Decided, { status, fault }: Outcome): void {
    const { log, keepBodies, now } = this.#options;
    this.#noted.add(response);
    log.add({
      n,
      at: now(),
      api: arrived.route.api.name,
      method: arrived.request.method ?? 'GET',
      path: arrived.route.path,
      status,
      accepted: decision.refusals.length === 0,
      refusals: decision.refusals,
      model: decision.model,
      streaming: decision.wire !== 'json',
      ...(fault !== undefined && { fault }),
      ...(keepBodies && { body: decision.body }),
    });
  }

  #sayError(exchange: Exchange, said: Said, { retryAfterSeconds }: { retryAfterSeconds?: number | undefined }): void {
    const { arrived, n, response } = exchange;
    if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
    const envelope = arrived.route.api.errors.envelope(said, this.#options.ids.id('req_', n), retryAfterSeconds);
    this.#sendJson(exchange, said.status ?? 400, JSON.stringify(envelope));
  }

  #sendJson({ arrived, n, response }: Exchange, status: number, text: string): void {
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      [arrived.route.api.requestIdHeader]: this.#options.ids.id('req_', n),
    });
    response.end(text);
  }

  #head({ arrived, n, response }: Exchange, type: string, whole?: string): void {
    response.statusCode = 200;
    response.setHeader('content-type', type);
    response.setHeader(arrived.route.api.requestIdHeader, this.#options.ids.id('req_', n));
    if (whole === undefined) response.setHeader('cache-control', 'no-cache');
    else response.setHeader('content-length', Buffer.byteLength(whole));
  }
}

function headerOf({ request }: Arrived): string | undefined {
  const value = request.headers['x-simulate'];
  return typeof value === 'string' ? value : undefined;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const thrown = (error: unknown): Failure => ({ failure: `the model threw: ${wordsOf(error)}` });

const isStatus = (status: number | undefined): status is number =>
  status !== undefined && Number.isInteger(status) && status >= 400 && status <= 599;

/** A text to break a character of: one is added where the reply has none. */
function withWideCharacter(reply: Reply): Reply {
  const wide = /[^\0-\x7f]/;
  if (reply.parts.some((part) => part.kind === 'text' && wide.test(part.text))) return reply;
  return { ...reply, parts: [{ kind: 'text', text: 'One moment … ' }, ...reply.parts] };
}

/** The frames of a stream as one JSON array, which is what Gemini sends to those who do not ask for events. */
function asArray(frames: readonly string[]): string[] {
  const last = frames.length - 1;
  return frames.map((frame, index) => {
    const data = frame.slice('data: '.length).trimEnd();
    return `${index === 0 ? '[' : ',\n'}${data}${index === last ? ']' : ''}`;
  });
}
