import type { LibraryOptions } from './library.ts';

export type McpOptions = LibraryOptions & {
  /** The version that clients are told. */
  readonly version: string;
  /** Called with errors of the connection. */
  readonly onError?: (error: Error) => void;
};

/** A server that is running. */
export type Serving = {
  /** Fulfilled when the client has closed its side. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
};

/** Serves sessions as MCP tools on standard input and output; nothing is ever written to a session. */
export async function serveMcp(options: McpOptions): Promise<Serving> {
  // The SDK takes longer to load than everything else here.
  const { serveMcpOnStdio } = await import('./mcp.ts');
  return serveMcpOnStdio(options);
}
