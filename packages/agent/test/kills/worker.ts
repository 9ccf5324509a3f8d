import { writeSync } from 'node:fs';
import { request } from 'node:http';
import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

import { AgentError, createAgent, noTracing, tool, type Agent, type Tools } from '@rethread/agent';
import { open, StoreError, type Store } from '@rethread/store';

import { inputOf, receiptOf, TOOLS, type Order } from './errand.ts';
import type { Deed } from './ledger.ts';
import { PORTS, type BaseUrls } from './ports.ts';

/** What a worker is to do, until it is killed. */
export type Job = {
  readonly store: string;
  readonly urls: BaseUrls;
  readonly ledger: string;
  readonly port: string;
  readonly sessions: readonly string[];
  /** How many sessions it works on at a time. */
  readonly width: number;
  readonly showEveryMs: number;
  /** Others work on these sessions too: what one of them has is left alone for a while. */
  readonly contested?: boolean;
  /** How long a session stays with a worker that is silent. A worker far away cannot see that another one is dead. */
  readonly leaseMs?: number;
  readonly far?: boolean;
};

/** Every sign is one byte, so that whoever watches can choose a moment. */
const sign = (byte: string): void => void writeSync(1, byte);

/** Asks the world to do something, and resolves when it says that it was done. */
function ask(url: string, deed: Deed): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST' }, (response) => {
      response.resume().on('end', resolve);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(deed));
  });
}

const toolsOf = (ledger: string): Tools =>
  Object.fromEntries(
    Object.entries(TOOLS).map(([name, effect]) => [
      name,
      tool<Order>({
        effect,
        run: async ({ round, token }, { session, key }) => {
          await ask(ledger, { round, token, session, effect, key });
          sign('t');
          return receiptOf({ round, token });
        },
      }),
    ]),
  );

const isTaken = (error: unknown): boolean =>
  (error instanceof StoreError && ['conflict', 'stale'].includes(error.code)) ||
  (error instanceof AgentError && error.code === 'busy');

type Sharing = { readonly agent: Agent; readonly store: Store; readonly contested: boolean };

/** Gets one session to its end. Where others work on it too, it is put away then, so that they need not look at it. */
async function finish({ agent, store, contested }: Sharing, id: string): Promise<void> {
  const known = contested ? await store.session(id) : undefined;
  if ((await known?.info())?.archived === true) return;
  await agent.run(id, inputOf(id), { inputId: 'the errand' }).result;
  sign('e');
  await known?.archive();
  await known?.close();
}

/** Works on the sessions that are left, one after the other, until there are none. */
async function work(sharing: Sharing, left: string[]): Promise<void> {
  for (let session = left.shift(); session !== undefined; session = left.shift()) {
    try {
      await finish(sharing, session);
    } catch (error) {
      if (!sharing.contested || !isTaken(error)) throw error;
      left.push(session);
      await pause(20);
    }
  }
}

const job = JSON.parse(process.argv[2] ?? '') as Job;
const { contested = false, leaseMs, far = false } = job;
const store = await open(job.store, {
  ...(leaseMs === undefined ? {} : { leaseMs }),
  ...(far ? { environment: { alive: () => undefined } } : {}),
});
const port = PORTS[job.port];
if (port === undefined) throw new Error(`there is no port ${job.port}`);
const agent = createAgent({
  store,
  model: await port(job.urls),
  tools: toolsOf(job.ledger),
  tracing: noTracing,
  env: {},
  maxTokens: 4096,
  showEveryMs: job.showEveryMs,
  // It is killed on purpose, and more often than any session would be given up for.
  crashBudget: Infinity,
  onEvent: () => sign('.'),
});
// Whoever is killed leaves nothing for the next to start faster with.
flushCompileCache();
sign('b');
const left = [...job.sessions];
await Promise.all(Array.from({ length: job.width }, () => work({ agent, store, contested }, left)));
await store.close();
// The connections of the client are kept for a next request that will not come.
process.exit(0);
