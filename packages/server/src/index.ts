export { createProxy, type RepairingProxy } from './proxy/proxy.ts';
export { type Ending, type ExchangeEntry, ExchangeLog, type ExchangeListener } from './proxy/exchange-log.ts';
export { type Limits, type Mode, type ProxyOptions, type UpstreamOptions } from './proxy/options.ts';
export { type Statistics } from './proxy/statistics.ts';
export { knownCommands } from './run/tools.ts';
export { runBehindProxy, type RunOptions, type RunOutcome } from './run/run.ts';
export { openStoreLog, logPrefix, type StoreLog, type StoreLogOptions } from './proxy/store-log.ts';
export type { LibraryOptions } from './mcp/library.ts';
export { serveMcp, type McpOptions, type Serving } from './mcp/serve-mcp.ts';
export {
  createHttpApi,
  type Access,
  type Scope,
  type HttpApi,
  type HttpApiLimits,
  type HttpApiOptions,
} from './serve/http-api.ts';
