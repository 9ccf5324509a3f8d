import type { ServerResponse } from 'node:http';

import type { Delivery } from './delivery.ts';

/** Writes a body as a fault wants it written; the head is already set. */
export function send(response: ServerResponse, delivery: Delivery): void {
  response.flushHeaders();
  if (delivery.everyMs > 0) {
    drip(response, delivery);
    return;
  }
  for (const piece of delivery.pieces) response.write(piece);
  finish(response, delivery.ending);
}

function finish(response: ServerResponse, ending: Delivery['ending']): void {
  // What was written still arrives; then the connection is gone, in the middle of the body.
  if (ending === 'break') response.socket?.destroySoon();
  else if (ending === 'end') response.end();
}

function drip(response: ServerResponse, { pieces, everyMs, ending }: Delivery): void {
  let next = 0;
  const timer = setInterval(() => {
    const piece = pieces[next++];
    if (piece !== undefined) response.write(piece);
    if (next < pieces.length) return;
    clearInterval(timer);
    finish(response, ending);
  }, everyMs);
  response.once('close', () => clearInterval(timer));
}
