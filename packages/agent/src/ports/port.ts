import type { CallOptions, ModelEvent, ModelPort, ModelRequest } from '../model-port.ts';
import { Connections } from './connections.ts';
import { converse, type Question } from './converse.ts';
import { NETWORK_DEADLINES, type NetworkDeadlines } from './network-deadlines.ts';
import type { Fetch, Travel } from './watched-fetch.ts';

/** The options of every port besides its client. */
export type PortOptions = {
  /** Limits of each step of a request; each has a default. */
  readonly deadlines?: Partial<NetworkDeadlines>;
  /** Maximum number of connections (default: no limit). */
  readonly maxConnections?: number;
  /** Replaces our own connections. Then only the read deadlines apply, and `renew` does nothing. */
  readonly fetch?: Fetch;
};

type Asking = Pick<Question, 'answer' | 'send' | 'refusal' | 'kind'>;

/** A port with discardable connections. */
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
