/** The function that provider SDKs accept under the name `fetch`. */
export type Fetch = typeof globalThis.fetch;
export type FetchInput = Parameters<Fetch>[0];
export type FetchInit = NonNullable<Parameters<Fetch>[1]>;

/** A request whose body can be read without being consumed. */
export type Outgoing = { readonly url: string; readonly init: FetchInit; readonly text: string };

/** What can be read and replaced; undefined for anything but a POST with JSON as text or bytes. */
export function readOutgoing(input: FetchInput, init: FetchInit | undefined): Outgoing | undefined {
  const url = addressOf(input);
  if (url === undefined || init?.method?.toUpperCase() !== 'POST' || init.signal?.aborted === true) return undefined;
  const text = textOf(init.body);
  return text === undefined ? undefined : { url, init, text };
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
