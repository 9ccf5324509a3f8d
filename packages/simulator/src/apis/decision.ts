import type { IncomingMessage } from 'node:http';

import { isObject, type JsonObject, type Refusal, type Said } from '../judges/docket.ts';
import { judge, type JudgeOptions, type SealCheck } from '../judges/judge.ts';
import type { ApiName, Route } from './api.ts';
import { judgeCount } from './count-tokens.ts';
import { isDeeperThan, MAX_DEPTH } from './depth.ts';

/** A request that has arrived; a body over the limit was not kept. */
export interface Arrived {
  readonly request: IncomingMessage;
  readonly route: Route;
  readonly chunks: readonly Buffer[];
  readonly bytes: number;
}

/** What the API makes of a request. */
export interface Decision {
  /** Empty when the request is accepted. */
  readonly refusals: readonly Refusal[];
  readonly body: JsonObject | undefined;
  readonly model: string | undefined;
  readonly wire: 'json' | 'sse' | 'array';
}

/** What every decision of one simulator needs. */
export interface Bench {
  /** The only key that is accepted; without one any key is. */
  readonly key: string | undefined;
  readonly options: JudgeOptions;
  /** Tells the seals of an API; without it only their form is judged. */
  readonly checkFor?: ((api: ApiName) => SealCheck) | undefined;
}

/** Decides as the real API does: the address, the key, the size, the JSON, and only then the history. */
export function decide(arrived: Arrived, bench: Bench): Decision {
  const { route, bytes, chunks } = arrived;
  const { api } = route;
  const said = refuseUnread(arrived, bench.key);
  if (said !== undefined) return refused([said], undefined, route);
  const text = chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks, bytes).toString();
  const body = parse(text);
  if (!isObject(body)) return refused([{ row: 'json', pointer: '', ...api.errors.notJson(text) }], undefined, route);
  if (isDeeperThan(body, MAX_DEPTH)) {
    return refused([{ row: 'json', pointer: '', ...api.errors.tooDeep() }], undefined, route);
  }
  const first = api.preliminary({ request: arrived.request, route, body, bytes });
  if (first !== undefined) return refused([first], body, route);
  const options = optionsFor(route, bench);
  return refused(route.purpose === 'count' ? judgeCount(body, options) : judge(api.name, body, options), body, route);
}

function optionsFor({ api, model }: Route, { options, checkFor }: Bench): JudgeOptions {
  return {
    ...options,
    ...(checkFor !== undefined && { seals: checkFor(api.name) }),
    ...(model !== undefined && { model }),
  };
}

function refused(refusals: readonly Refusal[], body: JsonObject | undefined, route: Route): Decision {
  const named = route.model ?? body?.model;
  const wire = route.streams ?? (body?.stream === true && route.purpose === 'answer' ? 'sse' : 'no');
  return { refusals, body, model: typeof named === 'string' ? named : undefined, wire: wire === 'no' ? 'json' : wire };
}

function refuseUnread({ request, route, bytes }: Arrived, expected: string | undefined): Refusal | undefined {
  const { api, path, purpose, query } = route;
  const method = request.method ?? 'GET';
  if (purpose === 'unknown') return outside('path', api.errors.notFound(method, path));
  if (method !== 'POST') return outside('method', api.errors.notAllowed(method, path));
  const key = api.key(request, query);
  if (key === undefined || key === '') return outside('key', api.errors.noAccess(undefined));
  if (expected !== undefined && key !== expected) return outside('key', api.errors.noAccess(key));
  return bytes > api.limitBytes ? outside('size', api.errors.tooLarge(api.limitBytes)) : undefined;
}

const outside = (row: string, said: Said): Refusal => ({ row, pointer: '', ...said });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
