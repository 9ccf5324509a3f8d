import { writeSync } from 'node:fs';

import { open } from '@rethread/store';

import { FRAMEWORKS, type Framework } from './frameworks.ts';
import { receiptOf, TOOLS, type Order } from './errand.ts';

/** What a worker does until it is killed. */
export type Job = {
  readonly framework: Framework;
  readonly store: string;
  readonly session: string;
  readonly urls: { readonly anthropic: string; readonly openai: string };
  readonly world: string;
};

/** Tells what the user sees. The line is written before this returns, so a kill cannot take it back. */
const show = (text: string): void => void writeSync(1, `${JSON.stringify({ shown: text })}\n`);
const sign = (event: string): void => void writeSync(1, `${JSON.stringify({ event })}\n`);

const job = JSON.parse(process.argv[2] ?? '') as Job;
const store = await open(job.store);
const tools = Object.entries(TOOLS).map(([name, effect]) => ({
  name,
  effect,
  run: async (order: Order, { key }: { readonly key: string }) => {
    sign(`${name} runs`);
    await fetch(job.world, { method: 'POST', body: JSON.stringify({ ...order, tool: name, key }) });
    sign(`${name} ran`);
    return receiptOf(order);
  },
}));
sign('begins');
await FRAMEWORKS[job.framework]({ store, session: job.session, urls: job.urls, tools, show, sign });
sign('ends');
await store.close();
// Idle connections of the clients would keep the process alive.
process.exit(0);
