import type { ServerResponse } from 'node:http';

/** No script, style, picture or request but our own, and no place in another page. */
export const CSP: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': CSP,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
} as const;

export type Headers = Readonly<Record<string, string>>;

export function sendText(
  response: ServerResponse,
  status: number,
  { type, text, more = {} }: { readonly type: string; readonly text: string | Buffer; readonly more?: Headers },
): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': type, ...more });
  response.end(text);
}

export const sendJson = (response: ServerResponse, value: unknown): void =>
  sendText(response, 200, { type: 'application/json; charset=utf-8', text: JSON.stringify(value) });

export const sendSentence = (response: ServerResponse, status: number, sentence: string): void =>
  sendText(response, status, {
    type: 'text/plain; charset=utf-8',
    text: `${sentence}\n`,
    more: { Connection: 'close' },
  });

/** Begins an answer whose lines are sent as they come. */
export function sendLines(
  response: ServerResponse,
  type = 'application/x-ndjson; charset=utf-8',
): (line: string) => void {
  response.writeHead(200, { ...HEADERS, 'Content-Type': type });
  response.flushHeaders();
  return (line) => {
    if (!response.writableEnded && !response.destroyed) response.write(line);
  };
}
