import type { Store } from '@rethread/store';

import type { Agent } from './agent.ts';
import { ChildWaits } from './child-waits.ts';
import type { Schema } from './schema.ts';
import { tool, type CallContext, type Tool } from './tool.ts';

export type DelegateOptions<Input> = {
  readonly agent: Agent;
  /** The parent's store, which also holds the child. */
  readonly store: Store;
  readonly description?: string;
  readonly schema?: Schema<Input>;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
  /** The child's input. */
  readonly ask: (input: Input) => string;
};

/**
 * A tool that delegates to a child session. Running it again resumes the same child, whose own records guard its tools,
 * so it is safe to repeat. While the child waits for an approval, so does the call.
 */
export function delegate<Input>(options: DelegateOptions<Input>): Tool {
  const { agent, store, ask, ...rest } = options;
  return tool<Input>({
    ...rest,
    effect: 'idempotent',
    run: async (input, context) => {
      const { id, begun } = await childOf(store, context);
      const run = agent.run(id, begun ? undefined : ask(input), { signal: context.signal });
      const { state, text, asks } = await run.result;
      return state === 'complete' ? text : new ChildWaits(id, asks);
    },
  });
}

/** The child session of a call, existing or new. */
async function childOf(store: Store, { session, callId, key }: CallContext): Promise<{ id: string; begun: boolean }> {
  const parent = await store.session(session);
  const known = (await parent.children()).find((child) => child.id === childId(key));
  if (known !== undefined && known.state !== 'missing') return { id: known.id, begun: known.state !== 'empty' };
  const child = await parent.delegate({ id: childId(key), callId });
  await child.close();
  return { id: child.id, begun: false };
}

/** Derived from the call, so that a repeated run in any process finds the same child. */
const childId = (key: string): string => `child-${key}`;
