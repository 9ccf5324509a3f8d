import type { Store } from '@rethread/store';

/** What a token allows: `judge` needs no session, `read` and `write` are about sessions. */
export type Scope = 'judge' | 'read' | 'write';

/** Who may use the service, and for what. */
export type Access = {
  readonly token: string;
  /** Sessions of a tenant are seen by its tokens only; without one the token sees all sessions of the store. */
  readonly tenant?: string;
  /** What the token allows (default: everything). */
  readonly scopes?: readonly Scope[];
};

export type HttpApiLimits = {
  /** Maximum bytes of a request body (default: 32 MiB). */
  readonly bodyBytes: number;
  /** Maximum requests in progress, those that follow a session included (default: 256). */
  readonly open: number;
  /** Maximum requests a second of one token (default: 200). */
  readonly perSecond: number;
  /** Maximum time for a request to arrive (default: 60 seconds). */
  readonly requestMs: number;
};

export type HttpApiOptions = {
  readonly store: Store;
  /** Without tokens everybody who can reach the service may use it; it then listens on loopback only. */
  readonly access?: readonly Access[];
  /** Address to listen on (default: 127.0.0.1). Any other than loopback needs `access` and `tls`. */
  readonly host?: string;
  /** Port to listen on; 0 takes any that is free (default: 0). */
  readonly port?: number;
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
  /** Host names that clients may use beside those of loopback and `host`. */
  readonly hostNames?: readonly string[];
  readonly limits?: Partial<HttpApiLimits>;
  /** Called with faults of ours, which clients see as status 500 without details. */
  readonly onError?: (error: unknown) => void;
};

/** The library and a store over HTTP, until it is closed. */
export type HttpApi = AsyncDisposable & {
  readonly url: string;
  /** The OpenAPI 3.1 document, which is also served at `/openapi.json`. */
  readonly document: object;
  /** Reports that it is not ready, waits for open requests (default: 10 seconds), and ends those that are left. */
  close(graceMs?: number): Promise<void>;
};

/** Starts the service; it listens when the promise is fulfilled. The store stays open when the service is closed. */
export async function createHttpApi(options: HttpApiOptions): Promise<HttpApi> {
  // Only those who serve load the schemas and what reads them.
  const { startHttpApi } = await import('./start-http-api.ts');
  return startHttpApi(options);
}
