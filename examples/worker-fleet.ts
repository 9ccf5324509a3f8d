// Workers on one PostgreSQL database. Start as many as you like, kill any of them: others finish its sessions.
//   npm i pg @anthropic-ai/sdk @rethread/agent @rethread/store
//   DATABASE_URL=postgres://… node worker-fleet.ts add "Summarise ticket 1." "Summarise ticket 2."
//   DATABASE_URL=postgres://… node worker-fleet.ts work
import { AgentError, createAgent, tool } from '@rethread/agent';
import { anthropic } from '@rethread/agent/anthropic';
import { open, StoreError } from '@rethread/store';

// A worker that is killed loses its sessions to others after this time.
const store = await open(process.env['DATABASE_URL'] ?? 'postgres://localhost/tickets', { leaseMs: 5_000 });
const [command, ...questions] = process.argv.slice(2);

const agent = createAgent({
  store,
  model: anthropic({ model: 'claude-sonnet-4-5', baseURL: process.env['ANTHROPIC_BASE_URL'] }),
  tools: {
    ticket: tool<{ id: number }>({
      description: 'Reads a ticket',
      effect: 'read',
      run: async ({ id }) => `Ticket ${id}: the page is blank.`,
    }),
  },
});

async function add(): Promise<void> {
  for (const title of questions) console.log('added', (await store.create({ title })).id);
}

/** Whether another worker has the session. */
const isTaken = (error: unknown): boolean =>
  (StoreError.is(error) && ['conflict', 'stale'].includes(error.code)) ||
  (error instanceof AgentError && error.code === 'busy');

async function work(): Promise<void> {
  for await (const { id, title = '' } of store.list()) {
    const session = await store.session(id);
    try {
      // The same input id: a worker that takes over continues the turn and does not ask again.
      const { text } = await agent.run(id, title, { inputId: 'question' }).result;
      console.log(`${title} ${text}`);
      await session.archive();
    } catch (error) {
      if (!isTaken(error)) throw error;
    } finally {
      await session.close();
    }
  }
}

await (command === 'add' ? add() : work());
await store.close();
