import { createHash, timingSafeEqual } from 'node:crypto';

import { countOf, headerIn, type RawHeaders } from './headers.ts';

/** Why a request is turned away before its body is read. */
export type Objection = { readonly status: number; readonly message: string };

export type House = {
  /** Names under which clients may address the server, in lower case and without a port. */
  readonly names: ReadonlySet<string>;
  readonly token: string | undefined;
};

export const tokenHeader = 'x-rethread-token';

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** The names under which a server may be addressed. */
export function houseOf(host: string, names: readonly string[], token: string | undefined): House {
  const own = host.includes(':') ? `[${host}]` : host;
  return { names: new Set([...LOOPBACK, own, ...names].map((name) => name.toLowerCase())), token };
}

export function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/i.test(host);
}

/**
 * A web page can send requests to loopback, also under a name of its own that it points there. Such requests carry a
 * foreign name in `Host` or `Origin`.
 */
export function objectionTo(headers: RawHeaders, house: House): Objection | undefined {
  const host = headerIn(headers, 'host');
  // Node takes the first of several, and a provider may take the last.
  if (countOf(headers, 'host') > 1) return { status: 400, message: 'there is more than one Host header' };
  if (host === undefined || !house.names.has(nameIn(host))) {
    return { status: 421, message: 'the Host header names another server' };
  }
  const origin = headerIn(headers, 'origin');
  if (origin !== undefined && !isOwnOrigin(origin, house)) {
    return { status: 403, message: 'requests from web pages are refused' };
  }
  const site = headerIn(headers, 'sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site') {
    return { status: 403, message: 'requests from web pages are refused' };
  }
  if (house.token !== undefined && !isSame(headerIn(headers, tokenHeader) ?? '', house.token)) {
    return { status: 401, message: `the header ${tokenHeader} is missing or wrong` };
  }
  return undefined;
}

function nameIn(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

function isOwnOrigin(origin: string, { names }: House): boolean {
  const host = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1];
  return host !== undefined && names.has(nameIn(host));
}

/** Takes the same time for every wrong token. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
