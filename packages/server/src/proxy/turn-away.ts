import type { ServerResponse } from 'node:http';

import type { Objection } from './admission.ts';
import type { ExchangeRecord } from './exchange-record.ts';

/** Refuses a request of a client; the body, which may be endless, is not read any further. */
export function turnAway(response: ServerResponse, { status, message }: Objection, record: ExchangeRecord): void {
  const body = JSON.stringify({ error: { type: 'rethread_proxy', message: `rethread proxy: ${message}` } });
  record.turnedAway(status, message);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}
