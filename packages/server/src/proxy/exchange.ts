import { isRefused, isSigned, longestRefusal, mayBeJson, readerFor, recognise } from '@rethread/adapters/request';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { tokenHeader } from './admission.ts';
import { BodyTooLarge, collect, limited } from './body.ts';
import { readText } from './coding.ts';
import type { Connection } from './connection.ts';
import { breakOff, deliver } from './deliver.ts';
import type { Destination } from './destination.ts';
import { headerIn, type RawHeaders, withHeader, withoutHeaders } from './headers.ts';
import { heed, judge, reachOf, type Bench, type Judgement } from './mend.ts';
import { type Answer, type Outgoing } from './lane.ts';
import type { Limits, ProxyOptions } from './options.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import { readRefusal } from './refused-answer.ts';
import { turnAway } from './turn-away.ts';

/** What every exchange of a proxy shares. */
export type Desk = {
  readonly bench: Bench;
  readonly limits: Limits;
  readonly choose: ProxyOptions['target'];
  readonly onError: (error: unknown) => void;
};

/** One request of a client, from its arrival to the end of its answer. */
export type Exchange = {
  readonly desk: Desk;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly destination: Destination;
  readonly record: ExchangeRecord;
};

/** Passes a request on, repaired if need be, and its answer back. Never rejects. */
export async function pass(exchange: Exchange): Promise<void> {
  const { response, record, connection } = exchange;
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort();
  });
  const end = connection.begin();
  try {
    const answer = await answerTo(exchange, leaving.signal);
    record.answered(answer);
    await deliver(answer, response, { onHead: () => record.head(), onBytes: (bytes) => record.answerBytes(bytes) });
  } catch (error) {
    if (error instanceof BodyTooLarge && !response.headersSent) {
      turnAway(response, { status: 413, message: error.message }, record);
    } else {
      record.failed(error, leaving.signal.aborted || connection.hasEnded);
      breakOff(response);
    }
  } finally {
    end();
    record.close();
  }
}

async function answerTo(exchange: Exchange, signal: AbortSignal): Promise<Answer> {
  const { desk, request, destination, record } = exchange;
  const { judgedBytes, passedBytes } = desk.limits;
  const mostBytes = isJudged(exchange) ? judgedBytes : passedBytes;
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) {
    throw new BodyTooLarge(`the body is larger than ${mostBytes} bytes`);
  }
  const headers = outgoingHeaders(request.rawHeaders, destination);
  if (!isJudged(exchange)) {
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
    const body = hasBody ? limited(request, mostBytes, (bytes) => record.requestBytes(bytes)) : undefined;
    return send(exchange, { headers, body }, signal);
  }
  const bytes = await collect(request, mostBytes);
  record.requestBytes(bytes.length);
  const judgement = judged(exchange, bytes);
  if (judgement === undefined) return send(exchange, { headers, body: bytes }, signal);
  record.judged(judgement);
  const answer = await send(exchange, bodyOf(judgement, headers, bytes), signal);
  if (!isRefused(answer.status)) return answer;
  return answerRefusal({ ...exchange, judgement, headers, answer, signal });
}

/** Whether the body is read: only requests to known APIs have a history. */
function isJudged({ desk, request, destination }: Exchange): boolean {
  if (request.method !== 'POST' || !mayBeJson((name) => headerIn(request.rawHeaders, name))) return false;
  return desk.choose !== undefined || readerFor(urlOf(destination)) !== undefined;
}

function urlOf({ upstream, path }: Destination): string {
  return `${upstream.origin.origin}${path}`;
}

/** A fault of ours must not keep a request from being sent as it is. */
function judged({ desk, request, destination, record }: Exchange, bytes: Buffer): Judgement | undefined {
  const { rawHeaders } = request;
  const started = performance.now();
  try {
    const text = readText(bytes, headerIn(rawHeaders, 'content-encoding'), desk.limits.judgedBytes);
    const known = text === undefined ? undefined : recognise(urlOf(destination), text, desk.choose);
    if (known === undefined) return undefined;
    const isFixed = isSigned((name) => headerIn(rawHeaders, name));
    const bench = isFixed ? { ...desk.bench, mode: 'observe' as const } : desk.bench;
    return judge(known, destination.upstream.origin.origin, bench);
  } catch (error) {
    desk.onError(error);
    return undefined;
  } finally {
    record.judging(performance.now() - started);
  }
}

type Sent = Pick<Outgoing, 'headers' | 'body'>;

function send({ request, destination, connection }: Exchange, sent: Sent, signal: AbortSignal): Promise<Answer> {
  const lane = connection.laneTo(destination.upstream);
  const { method = 'GET', rawTrailers } = request;
  const trailers = (): RawHeaders => (sent.body === undefined ? [] : (request.rawTrailers ?? rawTrailers));
  return lane.send({ ...sent, method, path: destination.path, trailers }, signal);
}

/** Headers that are between the client and this proxy. */
const OURS: ReadonlySet<string> = new Set([
  'expect',
  'proxy-authorization',
  'proxy-connection',
  tokenHeader,
  'upgrade',
]);

function outgoingHeaders(headers: RawHeaders, { upstream }: Destination): string[] {
  return withHeader(withoutHeaders(headers, OURS), 'Host', upstream.origin.host);
}

const ABOUT_THE_BODY: ReadonlySet<string> = new Set(['content-encoding', 'trailer', 'transfer-encoding']);

/** The bytes of the client, unless they were repaired. */
function bodyOf({ body, request }: Judgement, headers: RawHeaders, bytes?: Buffer): Sent {
  if (body === request.body && bytes !== undefined) return { headers, body: bytes };
  const written = Buffer.from(JSON.stringify(body));
  const around = withoutHeaders(headers, ABOUT_THE_BODY);
  return { headers: withHeader(around, 'Content-Length', String(written.length)), body: written };
}

type Refused = Exchange & {
  readonly judgement: Judgement;
  readonly headers: RawHeaders;
  readonly answer: Answer;
  readonly signal: AbortSignal;
};

/** Repairs a request by its refusal and sends it once more; whatever fails, the client gets the refusal. */
async function answerRefusal(refused: Refused): Promise<Answer> {
  const { desk, record, signal } = refused;
  const { answer, text } = await readRefusal(refused.answer, longestRefusal);
  if (text === undefined || text === '') return answer;
  record.refused(text);
  const judgement = desk.bench.mode === 'mend' ? heeded(refused, text) : undefined;
  if (judgement === undefined) return answer;
  const second = await send(refused, bodyOf(judgement, refused.headers), signal).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined;
  });
  if (second === undefined || isRefused(second.status)) {
    // The first refusal is about what the client wrote; the second one is not.
    second?.body.resume();
    return answer;
  }
  record.mended(judgement);
  if (second.status < 300) desk.bench.memory.remember(refused.judgement, text, reachOf(refused.judgement, judgement));
  return second;
}

function heeded({ desk, judgement, request }: Refused, text: string): Judgement | undefined {
  if (isSigned((name) => headerIn(request.rawHeaders, name))) return undefined;
  try {
    return heed(judgement, text, desk.bench);
  } catch (error) {
    desk.onError(error);
    return undefined;
  }
}
