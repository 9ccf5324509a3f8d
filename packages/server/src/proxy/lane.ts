import type { Readable } from 'node:stream';

import type { RawHeaders } from './headers.ts';

/** A request on its way to a provider. */
export type Outgoing = {
  readonly method: string;
  /** Path and query, as the client wrote them. */
  readonly path: string;
  readonly headers: RawHeaders;
  /** Bytes that were collected, or a body that is still arriving. */
  readonly body: Buffer | Readable | undefined;
  /** Trailers of the request; complete once its body has ended. */
  readonly trailers: () => RawHeaders;
};

/** The answer of a provider, whose body is still arriving. */
export type Answer = {
  readonly status: number;
  /** May be empty; HTTP/2 has none. */
  readonly reason: string | undefined;
  readonly headers: RawHeaders;
  readonly body: Readable;
  /** Complete once the body has ended. */
  readonly trailers: () => RawHeaders;
  /** Whether the body ends where the connection does. */
  readonly endsWithConnection: boolean;
};

/** The connection to a provider that belongs to one connection of a client. */
export type Lane = {
  /** Rejects if there is no answer; the body of an answer may fail later. */
  send(outgoing: Outgoing, signal: AbortSignal): Promise<Answer>;
  /** The client has ended its side of its connection: the provider is told once all was sent. */
  endSending(): void;
  /** Ends the connection at once. */
  close(): void;
};

/** What lanes are opened with. */
export type LaneOptions = {
  readonly origin: URL;
  /** Certificates to trust beside those of the system. */
  readonly ca?: string | Buffer | undefined;
  readonly connectTimeoutMs: number;
  /** Called when the provider has closed the connection. */
  readonly onClose: () => void;
};

/** How large the head of a request or an answer may be. */
export const maxHeaderBytes: number = 64 * 1024;
