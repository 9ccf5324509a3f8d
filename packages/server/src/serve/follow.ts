import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Session } from '@rethread/store';

import { failure } from './failure.ts';

type Following = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly after: string | null;
  /** Ends all that follow. */
  readonly ending: AbortSignal;
};

const beatMs = 15_000;

/** Sends the records of a session as events, first those that are there, then new ones of any writer. */
export async function followSession(session: Session, { request, response, after, ending }: Following): Promise<void> {
  const given = request.headers['last-event-id'] ?? after ?? '0';
  if (typeof given !== 'string' || !/^\d{1,15}$/.test(given)) throw failure(400, 'invalid', 'after: not a number');
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  response.once('close', leave);
  ending.addEventListener('abort', leave, { once: true });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  const beat = setInterval(() => response.write(': beat\n\n'), beatMs);
  try {
    for await (const record of session.follow({ after: Number(given), signal: leaving.signal })) {
      const isTaken = response.write(`id: ${record.seq}\ndata: ${JSON.stringify(record)}\n\n`);
      if (!isTaken && !response.destroyed) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
  } finally {
    clearInterval(beat);
    ending.removeEventListener('abort', leave);
    response.end();
  }
}
