import { open } from '@rethread/store';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { RethreadSaver } from '../src/langgraph.ts';

// The suite of LangGraph expects the functions of its test runner to be global.
const globals: Record<string, unknown> = { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it: test };
Object.assign(globalThis, globals);
afterAll(() => {
  for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
});

const { deltaChannelHistoryTests, validate } = await import('@langchain/langgraph-checkpoint-validation');
const stores = new WeakMap<RethreadSaver, { close(): Promise<void> }>();
const saver = {
  checkpointerName: '@rethread/adapters/langgraph',
  createCheckpointer: async () => {
    const store = await open('memory:');
    const made = new RethreadSaver(store);
    stores.set(made, store);
    return made;
  },
  destroyCheckpointer: async (made: RethreadSaver) => stores.get(made)?.close(),
};

validate(saver);
// The suite leaves this part to be called for itself.
deltaChannelHistoryTests(saver);
