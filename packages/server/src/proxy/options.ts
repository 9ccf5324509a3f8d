import type { ChooseTarget } from '@rethread/adapters/request';
import type { RepairOptions } from '@rethread/core';

import type { ExchangeEntry } from './exchange-log.ts';

export type UpstreamOptions = {
  readonly url: string;
  /** Speak HTTP/2 with this provider (default: HTTP/1.1, which keeps the case of header names). */
  readonly http2?: boolean;
};

export type Mode = 'mend' | 'observe';

/** Sizes and times that keep one client from using up the proxy. */
export type Limits = {
  /** Maximum bytes of a body that is read and judged (default: 64 MiB). */
  readonly judgedBytes: number;
  /** Maximum bytes of a body that is only passed on (default: 1 GiB). */
  readonly passedBytes: number;
  /** Maximum time for a whole request to arrive (default: 10 minutes). */
  readonly requestMs: number;
  /** Maximum time to connect to a provider (default: 30 seconds). */
  readonly connectMs: number;
  /** Maximum number of clients connected at the same time (default: 20000). */
  readonly connections: number;
};

export type ProxyOptions = {
  /**
   * The providers, by the first segment of the path that leads to them. A provider with an empty name gets all other
   * paths.
   */
  readonly upstreams: Readonly<Record<string, string | UpstreamOptions>>;
  /** `mend` repairs what would be refused, `observe` only reports it (default: mend). */
  readonly mode?: Mode;
  readonly policy?: RepairOptions['policy'];
  /** Says where requests to an unusual address go; undefined leaves it to the address. */
  readonly target?: ChooseTarget;
  /** Address to listen on (default: 127.0.0.1). Any other than loopback needs `token` and `tls`. */
  readonly host?: string;
  /** Port to listen on; 0 takes any that is free (default: 0). */
  readonly port?: number;
  /** Clients must send this in the header `x-rethread-token`. */
  readonly token?: string;
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
  /** Host names that clients may use beside those of loopback and `host`. */
  readonly hostNames?: readonly string[];
  /** Certificates of providers to trust beside those of the system. */
  readonly ca?: string | Buffer;
  readonly limits?: Partial<Limits>;
  /** How many exchanges are kept for `log` (default: 1000; 0 keeps none). */
  readonly keep?: number;
  /** Called for every exchange that has ended. */
  readonly onExchange?: (entry: ExchangeEntry) => void;
  /** Called when something of ours fails; the request goes out all the same. */
  readonly onError?: (error: unknown) => void;
};

export const usualLimits: Limits = {
  judgedBytes: 64 * 1024 * 1024,
  passedBytes: 1024 * 1024 * 1024,
  requestMs: 600_000,
  connectMs: 30_000,
  connections: 20_000,
};
