import { repair } from '@rethread/core';

import type { ModelErrorKind, PortTarget } from '../model-port.ts';

/** An error response; the status is missing inside a stream. */
export type Refusal = {
  readonly status?: number;
  readonly headers?: Headers;
  /** The error text received so far. */
  readonly text: string;
};

/** Error types and codes inside a stream, where there is no status. */
const NAMED: readonly (readonly [RegExp, ModelErrorKind])[] = [
  [/insufficient_quota|billing_error|billing_hard_limit/, 'bad-request'],
  [/overloaded/, 'overloaded'],
  [/rate_limit|too_many_requests|RESOURCE_EXHAUSTED/, 'rate'],
  [/context_length_exceeded|request_too_large/, 'overflow'],
  [/authentication_error|permission_error|invalid_api_key/, 'auth'],
  [/invalid_request_error|invalid_prompt|not_found_error/, 'bad-request'],
  [/server_error|api_error|internal_error|timeout_error|vector_store_timeout/, 'server'],
];

const STATUSES: Readonly<Record<number, ModelErrorKind>> = {
  401: 'auth',
  403: 'auth',
  408: 'read',
  409: 'server',
  413: 'overflow',
  425: 'server',
  429: 'rate',
  503: 'overloaded',
  529: 'overloaded',
};

/** For these statuses, the text decides whether the history was refused. */
const JUDGED: ReadonlySet<number | undefined> = new Set([400, 404, 422]);

const TOO_LONG: ReadonlySet<string | undefined> = new Set(['prompt-too-long', 'request-too-large']);

/** Texts for a too long history that no recorded refusal contains. */
const LONG =
  /context[ _](?:length|window|limit)|maximum context|too many (?:input )?tokens|input is too long|string_above_max_/i;

/** An index in the message list, as providers write it. */
const PLACE = /\b(?:messages|input|contents)(?:\.\d|\[\d)/;

/** The model's call was unreadable to its own host. The history is fine, and a retry helps. */
const BAD_CALL = /\btool_use_failed\b/;

/** What an error response means for the run. */
export function kindOf({ status, text }: Refusal, target: PortTarget): ModelErrorKind {
  if (status === 400 && BAD_CALL.test(text)) return 'server';
  const named = NAMED.find(([pattern]) => pattern.test(text))?.[1];
  if (status === 429) return named === 'bad-request' ? 'bad-request' : 'rate';
  const byStatus = status === undefined ? undefined : (STATUSES[status] ?? (status >= 500 ? 'server' : undefined));
  if (byStatus !== undefined) return byStatus;
  if (status === undefined && named !== 'bad-request' && named !== undefined) return named;
  return status === undefined || JUDGED.has(status) ? judged(text, target, status) : 'bad-request';
}

/** Whether the text is about the history, and about its length. */
function judged(text: string, target: PortTarget, status: number | undefined): ModelErrorKind {
  // Without messages nothing is repaired; the report only interprets the text.
  const { refusal } = repair([], target, { refusal: text }).report;
  if (TOO_LONG.has(refusal?.rule) || (refusal?.rule === undefined && LONG.test(text))) return 'overflow';
  if (refusal?.rule !== undefined || PLACE.test(text)) return 'refused-history';
  return status === undefined && !/invalid_request/.test(text) ? 'server' : 'bad-request';
}

/** The wait that a provider asks for, in any of its forms, in milliseconds. */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const precise = Number(headers?.get('retry-after-ms') ?? NaN);
  if (Number.isFinite(precise) && precise >= 0) return precise;
  const after = headers?.get('retry-after');
  if (after === null || after === undefined || after === '') return undefined;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.round(seconds * 1000) : undefined;
  const at = Date.parse(after);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
