// An agent of the OpenAI Agents SDK whose runs survive a crash. Start it again after kill -9: it continues.
//   npm i @openai/agents @rethread/adapters @rethread/store
//   node openai-agents.ts "Refund order 7."
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { durableTool } from '@rethread/adapters/durable-tool';
import { durableModels, DurableSession } from '@rethread/adapters/openai-agents-store';
import { open, StoreError, type Session } from '@rethread/store';

const store = await open('file:./agents');

async function sessionOf(id: string): Promise<Session> {
  try {
    return await store.session(id);
  } catch (error) {
    if (StoreError.is(error) && error.code === 'missing') return store.create({ id });
    throw error;
  }
}

const stored = await sessionOf('customer-42');
const session = new DurableSession(stored);

const refund = tool({
  name: 'refund',
  description: 'Pays back an order',
  strict: true,
  parameters: {
    type: 'object',
    properties: { order: { type: 'string' } },
    required: ['order'],
    additionalProperties: false,
  },
  // `keyed`: the payment API gets the same key if the call is repeated, and pays once.
  execute: durableTool({
    session: stored,
    name: 'refund',
    effect: 'keyed',
    run: async (input: unknown, { key }) => `paid back ${(input as { order: string }).order}, key ${key.slice(0, 8)}`,
  }),
});

const agent = new Agent({ name: 'support', model: 'gpt-4.1', instructions: 'Be brief.', tools: [refund] });
const runner = new Runner({ modelProvider: durableModels(new OpenAIProvider(), session), tracingDisabled: true });

// After a crash the session ends before its answer: go on with that instead of asking again.
const input = (await session.interrupted()) ? [] : (process.argv[2] ?? 'Hello.');
const stream = await runner.run(agent, input, { session, stream: true });
for await (const text of stream.toTextStream({ compatibleWithNodeStreams: true })) process.stdout.write(String(text));
await stream.completed;
process.stdout.write('\n');
await store.close();
