import { decode, type Dialect, type TargetInput } from '@rethread/core';

import { objectIn } from './outgoing.ts';
import { readerFor } from './route.ts';

export { isRefused, longestRefusal } from './refusal.ts';
export { readerFor, type Reader } from './route.ts';

export type RequestBody = Readonly<Record<string, unknown>>;

/** Where requests to an address of your own go; undefined leaves it to the address. */
export type ChooseTarget = (url: string, body: RequestBody) => TargetInput | undefined;

/** A request to a known API, as it is about to be sent. */
export type KnownRequest = {
  readonly url: string;
  readonly body: RequestBody;
  readonly target: TargetInput;
  /** Whether only the address says what it is: other APIs have addresses that end in the same way. */
  readonly guessed: boolean;
};

/** Reads a request by its address and body; undefined unless it goes to a known API. */
export function recognise(url: string, text: string, choose?: ChooseTarget): KnownRequest | undefined {
  const read = readerFor(url);
  if (read === undefined && choose === undefined) return undefined;
  const body = objectIn(text);
  const told = body && choose?.(url, body);
  const target = told ?? (body && read?.(body));
  if (body === undefined || target === undefined) return undefined;
  return { url, body, target, guessed: told === undefined };
}

/** Whether nothing in a request is a message of the dialect: it is another API then, and must not be changed. */
export function isForeign({ body, guessed }: KnownRequest, dialect: Dialect): boolean {
  if (!guessed) return false;
  const messages = decode(body, dialect)?.messages ?? [];
  if (messages.length === 0) return typeof body['model'] !== 'string';
  return messages.every(({ role }) => role === 'unreadable');
}

/** Headers that were computed from the bytes of the body: with other bytes the request would be refused. */
const DIGESTS = ['content-digest', 'content-md5', 'digest', 'repr-digest', 'x-amz-content-sha256'] as const;

/** Looks up a header by its name in lower case. */
export type HeaderOf = (name: string) => string | null | undefined;

/** Whether a body may be JSON, as far as its headers say. */
export function mayBeJson(header: HeaderOf): boolean {
  const type = header('content-type') ?? undefined;
  return type === undefined || /\bjson\b/i.test(type);
}

/** Whether a request is signed over the bytes of its body, which then must not change. */
export function isSigned(header: HeaderOf): boolean {
  const isPresent = (name: string): boolean => (header(name) ?? undefined) !== undefined;
  return DIGESTS.some(isPresent) || header('authorization')?.startsWith('AWS4-') === true;
}
