import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { rootCertificates } from 'node:tls';

import { pairsOf, type RawHeaders } from './headers.ts';
import type { Answer, Lane, LaneOptions, Outgoing } from './lane.ts';

/** Headers that are about a connection of HTTP/1.1 and have no place in HTTP/2. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

type Fields = Record<string, string | string[]>;

/** A lane over HTTP/2, which writes the names of headers in lower case. */
export function openHttp2Lane(options: LaneOptions): Lane {
  let session: ClientHttp2Session | undefined;
  const opened = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) session = openSession(options);
    return session;
  };
  return {
    send: (outgoing, signal) => send(opened(), outgoing, { signal, authority: options.origin.host }),
    // A stream ends with its request; what is left to say is that nobody waits for the answer.
    endSending: () => session?.destroy(),
    close: () => session?.destroy(),
  };
}

function openSession({ origin, ca, connectTimeoutMs, onClose }: LaneOptions): ClientHttp2Session {
  const session = connect(origin, ca === undefined ? {} : { ca: [...rootCertificates, ca] });
  const giveUp = setTimeout(
    () => session.destroy(new Error(`no connection within ${connectTimeoutMs} ms`)),
    connectTimeoutMs,
  );
  giveUp.unref();
  session.once('connect', () => clearTimeout(giveUp));
  session.once('close', () => {
    clearTimeout(giveUp);
    onClose();
  });
  // Every stream of the session has the error too.
  session.on('error', () => undefined);
  return session;
}

type Sending = { readonly signal: AbortSignal; readonly authority: string };

function send(session: ClientHttp2Session, outgoing: Outgoing, { signal, authority }: Sending): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const head = { ...fieldsOf(outgoing.headers), ...pseudoHeaders(outgoing), ':authority': authority };
    const stream = session.request(head, { endStream: false, waitForTrailers: true, signal });
    let trailers: RawHeaders = [];
    stream.on('wantTrailers', () => stream.sendTrailers(fieldsOf(outgoing.trailers())));
    stream.on('trailers', (fields) => {
      trailers = rawOf(fields);
    });
    stream.once('response', (fields) => {
      const status = fields[':status'] ?? 0;
      const answer = { status, reason: undefined, headers: rawOf(fields), body: stream, endsWithConnection: false };
      resolve({ ...answer, trailers: () => trailers });
    });
    stream.on('error', reject);
    stream.once('close', () => reject(new Error('the provider closed the stream')));
    writeBody(stream, outgoing);
  });
}

function pseudoHeaders({ method, path }: Outgoing): Fields {
  return { ':method': method, ':path': path };
}

function fieldsOf(headers: RawHeaders): Fields {
  const fields: Fields = Object.create(null) as Fields;
  for (const [written, value] of pairsOf(headers)) {
    const name = written.toLowerCase();
    if (CONNECTION_HEADERS.has(name)) continue;
    const before = fields[name];
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  return fields;
}

function rawOf(fields: object): string[] {
  return Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    if (name.startsWith(':')) return [];
    return [value].flat().flatMap((each) => [name, String(each)]);
  });
}

function writeBody(stream: ClientHttp2Stream, { body }: Outgoing): void {
  if (body === undefined || Buffer.isBuffer(body)) {
    stream.end(body);
    return;
  }
  body.pipe(stream);
  body.once('error', () => stream.close(constants.NGHTTP2_CANCEL));
}
