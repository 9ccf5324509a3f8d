import type { ServerResponse } from 'node:http';

import { pairsOf } from './headers.ts';
import type { Answer } from './lane.ts';

/** What is told while an answer is passed on. */
export type Delivering = { readonly onHead: () => void; readonly onBytes: (bytes: number) => void };

/** Passes an answer on as it arrives, no faster than the client takes it; rejects if it breaks off. */
export function deliver(answer: Answer, response: ServerResponse, { onHead, onBytes }: Delivering): Promise<void> {
  writeHead(answer, response);
  onHead();
  const { body, trailers } = answer;
  return new Promise((resolve, reject) => {
    const goOn = (): void => void body.resume();
    body.on('data', (chunk: Buffer) => {
      onBytes(chunk.length);
      if (!response.write(chunk)) body.pause();
    });
    response.on('drain', goOn);
    response.once('finish', resolve);
    response.once('close', () => reject(new Error('the client closed the connection')));
    body.once('end', () => {
      if (response.chunkedEncoding) response.addTrailers(pairsOf(trailers()));
      response.end();
    });
    body.once('error', reject);
    body.once('close', () => {
      if (!body.readableEnded) reject(new Error('the answer broke off'));
    });
    // A body that was put back after a look at its beginning is still paused.
    body.resume();
  });
}

/** Writes the head as the provider wrote it; nothing is added. */
function writeHead({ status, reason, headers, endsWithConnection }: Answer, response: ServerResponse): void {
  response.sendDate = false;
  response.removeHeader('connection');
  if (endsWithConnection && response.req.method !== 'HEAD') {
    response.removeHeader('transfer-encoding');
    response.shouldKeepAlive = false;
  }
  if (reason === undefined) response.writeHead(status, [...headers]);
  else response.writeHead(status, reason, [...headers]);
  // A stream may think for minutes before its first event; clients want to know that it has begun.
  response.flushHeaders();
}

/** Ends a connection like a network that fails: what was written still arrives, and an end does not. */
export function breakOff(response: ServerResponse): void {
  response.socket?.destroySoon();
}
