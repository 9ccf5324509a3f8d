import {
  Agent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { rootCertificates } from 'node:tls';

import { headerIn, pairsOf } from './headers.ts';
import { maxHeaderBytes, type Answer, type Lane, type LaneOptions, type Outgoing } from './lane.ts';

/** A lane over HTTP/1.1, on which headers keep their case and order. */
export function openHttp1Lane({ origin, ca, connectTimeoutMs, onClose }: LaneOptions): Lane {
  const secure = origin.protocol === 'https:';
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  const agent = secure ? new SecureAgent({ keepAlive: true, ...trusted }) : new Agent({ keepAlive: true });
  const known = new WeakSet<Socket>();
  const open = new Set<ClientRequest>();
  let hasEnded = false;
  const endAfter = (request: ClientRequest): void => {
    if (request.writableFinished) request.socket?.end();
    else request.once('finish', () => request.socket?.end());
  };
  const watch = (socket: Socket): void => {
    if (known.has(socket)) return;
    known.add(socket);
    socket.once('close', onClose);
    limitConnecting(socket, connectTimeoutMs);
  };
  return {
    send(outgoing, signal) {
      const options: RequestOptions = {
        agent,
        hostname: origin.hostname.replace(/^\[|\]$/g, ''),
        port: origin.port,
        method: outgoing.method,
        path: outgoing.path,
        headers: outgoing.headers,
        setDefaultHeaders: false,
        maxHeaderSize: maxHeaderBytes,
        signal,
      };
      const request = secure ? httpsRequest(options) : httpRequest(options);
      request.on('socket', watch);
      open.add(request);
      request.once('close', () => open.delete(request));
      if (hasEnded) endAfter(request);
      return answerTo(request, outgoing);
    },
    endSending: () => {
      hasEnded = true;
      for (const request of open) endAfter(request);
    },
    close: () => agent.destroy(),
  };
}

/** Waiting for an answer has no limit, because models think; waiting for a connection has one. */
function limitConnecting(socket: Socket, timeoutMs: number): void {
  if (!socket.connecting) return;
  const giveUp = setTimeout(() => socket.destroy(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs);
  giveUp.unref();
  const isSecure = 'encrypted' in socket;
  for (const event of [isSecure ? 'secureConnect' : 'connect', 'close']) socket.once(event, () => clearTimeout(giveUp));
}

function answerTo(request: ClientRequest, outgoing: Outgoing): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // An error after the answer has begun is one of its body, which has it too.
    request.on('error', reject);
    request.once('response', (message) => resolve(readAnswer(message)));
    request.once('upgrade', (_message, socket: Socket) => {
      socket.destroy();
      reject(new Error('the provider switched to another protocol'));
    });
    writeBody(request, outgoing);
  });
}

function readAnswer(message: IncomingMessage): Answer {
  const { rawHeaders: headers } = message;
  const status = message.statusCode ?? 0;
  const isFramed =
    headerIn(headers, 'content-length') !== undefined || headerIn(headers, 'transfer-encoding') !== undefined;
  return {
    status,
    reason: message.statusMessage ?? '',
    headers,
    body: message,
    trailers: () => message.rawTrailers,
    endsWithConnection: !isFramed && status !== 204 && status !== 304,
  };
}

function writeBody(request: ClientRequest, { body, trailers }: Outgoing): void {
  if (body === undefined || Buffer.isBuffer(body)) {
    const after = pairsOf(trailers());
    if (after.length > 0) request.addTrailers(after);
    request.end(body);
    return;
  }
  body.pipe(request, { end: false });
  body.once('end', () => {
    request.addTrailers(pairsOf(trailers()));
    request.end();
  });
  body.once('error', (error) => request.destroy(error));
}
