import { AgentError } from '../agent-error.ts';

/** Refuses an SDK whose clients cannot be given our own connections, which came with `withOptions`. */
export function refuseOldSdk(client: object, needed: string): void {
  if ('withOptions' in client) return;
  throw new AgentError('unsupported', `this client is too old: the port needs ${needed} or newer`);
}
