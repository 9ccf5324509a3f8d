import { writeSync } from 'node:fs';
import { request } from 'node:http';
import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

import { AgentError, createAgent, noTracing, tool, type Agent, type Tools } from '@rethread/agent';
import { open, StoreError, type Store } from '@rethread/store';

import { inputOf, receiptOf, TOOLS, type Order } from './errand.ts';
import type { Deed } from './ledger.ts';
import { PORTS, type BaseUrls } from './ports.ts';

/** The job of a worker until it is killed. */
export type Job = {
  readonly store: string;
  readonly urls: BaseUrls;
  readonly ledger: string;
  readonly port: string;
  readonly sessions: readonly string[];
  /** The number of concurrent sessions. */
  readonly width: number;
  readonly showEveryMs: number;
  /** Others share these sessions, so a session in use is left alone for a while. */
  readonly contested?: boolean;
  /** The lease of a silent worker. A remote worker cannot see that another one is dead. */
  readonly leaseMs?: number;
  readonly far?: boolean;
};

/** Every sign is one byte, so that a watcher can choose a moment. */
const sign = (byte: string): void => void writeSync(1, byte);

/** Requests an effect and resolves when the world confirms it. */
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

/** Finishes one session. If others share it, it is then archived, so that they skip it. */
async function finish({ agent, store, contested }: Sharing, id: string): Promise<void> {
  const known = contested ? await store.session(id) : undefined;
  if ((await known?.info())?.archived === true) return;
  await agent.run(id, inputOf(id), { inputId: 'the errand' }).result;
  sign('e');
  await known?.archive();
  await known?.close();
}

/** Works on the remaining sessions in sequence. */
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
  // It is killed on purpose, more often than the crash budget allows.
  crashBudget: Infinity,
  onEvent: () => sign('.'),
});
// A compile cache would be written at exit, which a killed process never reaches.
flushCompileCache();
sign('b');
const left = [...job.sessions];
await Promise.all(Array.from({ length: job.width }, () => work({ agent, store, contested }, left)));
await store.close();
// Idle client connections would keep the process alive.
process.exit(0);
