/** The function that provider SDKs accept under the name `fetch`. */
export type Fetch = typeof globalThis.fetch;
export type FetchInput = Parameters<Fetch>[0];
export type FetchInit = NonNullable<Parameters<Fetch>[1]>;

/** A request whose body can be read without being consumed. */
export type Outgoing = { readonly url: string; readonly init: FetchInit; readonly text: string };

/** Headers that were computed from the bytes of the body: with other bytes the request would be refused. */
const DIGESTS = ['content-digest', 'content-md5', 'digest', 'repr-digest', 'x-amz-content-sha256'] as const;

/** What can be read and replaced; undefined for anything but a POST with JSON as text or bytes. */
export function readOutgoing(input: FetchInput, init: FetchInit | undefined): Outgoing | undefined {
  const url = addressOf(input);
  if (url === undefined || init?.method?.toUpperCase() !== 'POST' || init.signal?.aborted === true) return undefined;
  const text = textOf(init.body);
  return text === undefined || !isPlainJson(new Headers(init.headers)) ? undefined : { url, init, text };
}

/** The object that a text holds as JSON, if it does. A list is none: every known API takes one inside a request. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The same request with another body; a length that was given is set right. */
export function withText({ init }: Outgoing, text: string): FetchInit {
  const headers = new Headers(init.headers);
  if (!headers.has('content-length')) return { ...init, body: text };
  headers.set('content-length', String(new TextEncoder().encode(text).length));
  return { ...init, body: text, headers };
}

/** A request object carries its body as a stream, and streams are not read. */
function addressOf(input: FetchInput): string | undefined {
  if (typeof input === 'string') return input;
  return 'href' in input ? input.href : undefined;
}

function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (!(body instanceof Uint8Array) && !(body instanceof ArrayBuffer)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function isPlainJson(headers: Headers): boolean {
  const type = headers.get('content-type');
  if (type !== null && !/\bjson\b/i.test(type)) return false;
  if (headers.has('content-encoding') || DIGESTS.some((name) => headers.has(name))) return false;
  return headers.get('authorization')?.startsWith('AWS4-') !== true;
}
