import { open, type Store } from '@rethread/store';
import type { Dialect } from '@rethread/core';

import {
  createAgent,
  noTracing,
  scripted,
  tool,
  type Agent,
  type AgentEvent,
  type AgentOptions,
  type ModelRequest,
  type ScriptedOptions,
  type Tools,
} from '../src/index.ts';
import { VirtualClock } from './virtual-clock.ts';

export type World = {
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly requests: ModelRequest[];
  readonly events: AgentEvent[];
  /** The tool effects, in order. */
  readonly ledger: string[];
  agent(replies: ScriptedOptions['replies'], more?: Partial<AgentOptions> & { readonly dialect?: Dialect }): Agent;
};

/** Two tools that do what they are told and record it. */
export function recordingTools(ledger: string[]): Tools {
  return {
    look: tool<{ name?: string }>({
      effect: 'read',
      run: ({ name }, { callId }) => {
        ledger.push(`look ${callId}`);
        return `seen ${name ?? 'nothing'}`;
      },
    }),
    send: tool<{ name?: string }>({
      effect: 'once',
      run: async ({ name }, { callId }) => {
        ledger.push(`send ${callId}`);
        await Promise.resolve();
        return { sent: name ?? null };
      },
    }),
  };
}

export async function createWorld(): Promise<World> {
  const store = await open('memory:');
  const clock = new VirtualClock();
  const requests: ModelRequest[] = [];
  const events: AgentEvent[] = [];
  const ledger: string[] = [];
  const agent: World['agent'] = (replies, { dialect = 'openai-chat', ...more } = {}) =>
    createAgent({
      store,
      model: scripted({ target: { dialect }, replies, onRequest: (request) => void requests.push(request) }),
      tools: recordingTools(ledger),
      clock,
      tracing: noTracing,
      random: () => 0.5,
      env: {},
      showEveryMs: 0,
      onEvent: (event) => void events.push(event),
      ...more,
    });
  return { store, clock, requests, events, ledger, agent };
}
