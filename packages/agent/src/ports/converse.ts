import {
  ModelError,
  type CallOptions,
  type ModelErrorKind,
  type ModelEvent,
  type ModelPort,
  type PortTarget,
} from '../model-port.ts';
import { kindOf, retryAfterMs, type Refusal } from './classify.ts';
import { ALIVE, Exchange, type Failure } from './exchange.ts';
import { WatchedFetch, type Travel } from './watched-fetch.ts';

export type End = Extract<ModelEvent, { kind: 'end' }>;

/** An answer under construction, from the events of one API. */
export type Answer = {
  /** Takes one stream event and returns what to show. */
  push(event: unknown): readonly ModelEvent[];
  /** Takes a complete answer. */
  take(response: unknown): readonly ModelEvent[];
  /** The end of the answer; undefined before it arrives. */
  end(): End | undefined;
  /** The partial answer in a storable form. */
  partial(): readonly unknown[];
};

/** The part of asking that depends on the API. */
export type Question = Pick<ModelPort, 'name'> & {
  readonly target: PortTarget;
  readonly travel: Travel;
  readonly answer: Answer;
  /** Sends the request; returns a stream or a complete answer. */
  send(way: Way): PromiseLike<unknown>;
  /** The text of an error inside a stream, or of a client that sends by itself. */
  refusal(error: unknown): Refusal | undefined;
  /** The meaning of other client errors. */
  kind?(error: unknown, streams: boolean): ModelErrorKind | undefined;
};

/** How a client sends. A client that only uses the signal is watched by its events. */
export type Way = Pick<WatchedFetch, 'fetch'> & Pick<Exchange, 'signal'>;

/** The response violates the API. */
export class Malformed extends Error {
  override readonly name: string = 'Malformed';
}

/** The response is an error. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(message: string, refusal: Refusal) {
    super(message);
    this.refusal = refusal;
  }
}

class Unfinished extends Malformed {
  override readonly name = 'Unfinished';
}

const QUOTED = 500;
const LONGEST_MESSAGE = 1000;

/** Asks once and yields what to show. Leaves nothing open, however it ends. */
export async function* converse(question: Question, options: CallOptions): AsyncGenerator<ModelEvent> {
  const { answer, travel } = question;
  const exchange = new Exchange(options);
  const watched = new WatchedFetch(exchange, travel, options.log);
  try {
    const response = await firstOf(question, exchange, watched);
    yield { kind: 'begin' };
    if (options.stream) yield* shown(response as AsyncIterable<unknown>, question, { exchange, watched });
    else yield* answer.take(response);
    const end = answer.end();
    if (end === undefined) throw new Unfinished('the answer ended before the message did');
    await watched.drained();
    yield end;
  } catch (error) {
    throw modelError(error, question, { exchange, watched });
  } finally {
    exchange.close();
  }
}

type Course = { readonly exchange: Exchange; readonly watched: WatchedFetch };

/** The client's first event. For a client that sends by itself, this wait needs a deadline. */
function firstOf(question: Question, exchange: Exchange, watched: WatchedFetch): Promise<unknown> {
  const { deadlines } = question.travel;
  const ms = exchange.streams ? deadlines.readMs : deadlines.wholeMs;
  const steps = deadlines.poolMs + deadlines.connectMs + deadlines.writeMs;
  const message = `no answer came for ${steps + ms} ms`;
  const disarm = exchange.deadline(steps + ms, { kind: 'read', message });
  const sending = Promise.resolve().then(() => question.send({ fetch: watched.fetch, signal: exchange.signal }));
  return exchange.wait(sending).finally(disarm);
}

async function* shown(
  stream: AsyncIterable<unknown>,
  { answer, travel }: Question,
  { exchange }: Course,
): AsyncGenerator<ModelEvent> {
  const iterator = stream[Symbol.asyncIterator]();
  const { readMs } = travel.deadlines;
  const message = `no event came for ${readMs} ms`;
  let over = false;
  try {
    for (let next = iterator.next(); !over;) {
      const disarm = exchange.deadline(readMs, { kind: 'stalled', message });
      const settled = await exchange.waitOrAlive(next).finally(disarm);
      if (settled === ALIVE) {
        yield { kind: 'alive' };
      } else if (settled.done === true) {
        over = true;
      } else {
        yield* answer.push(settled.value);
        next = iterator.next();
      }
    }
  } finally {
    // Releases the client's resources; it may be waiting forever.
    if (!over) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function modelError(error: unknown, question: Question, { exchange, watched }: Course): ModelError {
  const refusal = watched.refusal ?? (error instanceof Refused ? error.refusal : question.refusal(error));
  const { kind, message, cause } = failureOf(error, { question, exchange, refusal, sent: watched.sent });
  const wait = retryAfterMs(refusal?.headers, exchange.now());
  return new ModelError(kind, watched.redact(`${question.name}: ${message}`).slice(0, LONGEST_MESSAGE), {
    partial: question.answer.partial(),
    cause,
    ...(refusal?.status !== undefined && { status: refusal.status }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(refusal !== undefined && { body: watched.redact(refusal.text).slice(0, QUOTED) }),
  });
}

type Known = {
  readonly question: Question;
  readonly exchange: Exchange;
  readonly refusal: Refusal | undefined;
  readonly sent: boolean;
};

/** Our own stop comes first: clients rename it or lose it. */
function failureOf(error: unknown, { question, exchange, refusal, sent }: Known): Failure {
  if (exchange.failure !== undefined) return exchange.failure;
  const message = error instanceof Error ? error.message : String(error);
  if (refusal !== undefined)
    return { kind: kindOf(refusal, question.target), message: message || refusal.text, cause: error };
  const kind = question.kind?.(error, exchange.streams) ?? unsaid(error, message, sent);
  return { kind, message, cause: error };
}

function unsaid(error: unknown, message: string, sent: boolean): ModelErrorKind {
  if (error instanceof Unfinished) return 'cut';
  if (error instanceof Malformed || error instanceof SyntaxError || sent) return 'malformed';
  return /api.?key|auth|credential/i.test(message) ? 'auth' : 'bad-request';
}
