import type { CallOptions, ModelEvent, ModelPort, ModelRequest } from '../model-port.ts';
import { Connections } from './connections.ts';
import { converse, type Question } from './converse.ts';
import { NETWORK_DEADLINES, type NetworkDeadlines } from './network-deadlines.ts';
import type { Fetch, Travel } from './watched-fetch.ts';

/** What every port takes beside its client. */
export type PortOptions = {
  /** How long each step of a request may take; what is left out is as usual. */
  readonly deadlines?: Partial<NetworkDeadlines>;
  /** How many connections there may be at once; without limit where it is left out. */
  readonly maxConnections?: number;
  /** Sends in place of connections of our own; then only the deadlines for reading hold, and `renew` does nothing. */
  readonly fetch?: Fetch;
};

type Asking = Pick<Question, 'answer' | 'send' | 'refusal' | 'kind'>;

/** A port that asks in its own way, over connections that can be thrown away. */
export function portOf(
  named: Pick<ModelPort, 'name' | 'target'>,
  options: PortOptions,
  ask: (request: ModelRequest, call: CallOptions) => Asking,
): ModelPort {
  const connections = new Connections(options.maxConnections);
  const deadlines = { ...NETWORK_DEADLINES, ...options.deadlines };
  const travel: Travel = { by: options.fetch ?? connections, deadlines };
  return {
    ...named,
    call: (request, call): AsyncIterable<ModelEvent> => converse({ ...named, travel, ...ask(request, call) }, call),
    renew: () => connections.renew(),
  };
}
