import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is refused: the status, and a sentence for whoever made it by mistake. */
export type Refusal = { readonly status: 400 | 401 | 403 | 405 | 413; readonly sentence: string };

export type Guard = {
  /** The token of this launch: 128 bits. */
  readonly token: string;
  /** The cookie that the token is exchanged for. */
  readonly cookie: string;
  isToken(given: string): boolean;
  /** Judges a request by its method and headers alone, before anything of its body is read. */
  refusal(request: Asked): Refusal | undefined;
};

export type Asked = {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly isExchange: boolean;
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Comparing digests takes the same time wherever two texts differ, and however long they are. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** Makes the guard of one launch. `hosts` are the names under which the page may be asked for, with their port. */
export function createGuard(hosts: () => readonly string[]): Guard {
  const token = randomBytes(16).toString('hex');
  const secret = randomBytes(16).toString('hex');
  const isOurs = (headers: IncomingHttpHeaders): boolean => {
    const { host, origin } = headers;
    if (host === undefined || !hosts().includes(host)) return false;
    return origin === undefined || origin === `http://${host}`;
  };
  const name = `rethread-${token.slice(0, 8)}`;
  return {
    token,
    cookie: `${name}=${secret}; HttpOnly; SameSite=Strict; Path=/`,
    isToken: (given) => isSame(given, token),
    refusal({ method, headers, path, isExchange }) {
      if (!isOurs(headers)) return { status: 403, sentence: 'This page answers to its own address only.' };
      if (!isAskedByPage(headers, path)) return { status: 403, sentence: 'Another site may not read this page.' };
      if (method !== 'GET' && method !== 'HEAD') return { status: 405, sentence: 'This page only reads.' };
      if (headers.upgrade !== undefined) return { status: 400, sentence: 'There is no other protocol here.' };
      if (hasBody(headers)) return { status: 413, sentence: 'A request here has no body.' };
      if (isExchange) return undefined;
      const given = cookieOf(headers.cookie, name);
      if (given !== undefined && isSame(given, secret)) return undefined;
      return { status: 401, sentence: 'Open the address that rethread inspect printed: it has the token.' };
    },
  };
}

/**
 * A person may type the address of the page. What the page itself asks for carries the browser's word that it comes
 * from here; without that word nothing is read.
 */
function isAskedByPage(headers: IncomingHttpHeaders, path: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return true;
  if (path.startsWith('/api/')) return site === undefined && headers.origin !== undefined;
  return site === undefined || site === 'none';
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(/; */) ?? []) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at) === name) return pair.slice(at + 1);
  }
  return undefined;
}
