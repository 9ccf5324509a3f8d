import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '@rethread/store';
import { afterAll, describe, expect, test } from 'vitest';

import { createAgent, noTracing, scripted, type Agent, type ModelRequest } from '../src/index.ts';
import { expectKept, refusalOf, THREE_STEPS } from './three-steps.ts';
import { recordingTools } from './world.ts';

const folder = mkdtempSync(join(tmpdir(), 'rethread-agent-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STORES = [
  { name: 'files', url: `file:${join(folder, 'files')}` },
  { name: 'sqlite', url: `sqlite:${join(folder, 'sessions.db')}` },
];

describe.each(STORES)('on $name', ({ url }) => {
  test('a run aborted anywhere is resumed by the next opener of the store', async () => {
    const requests: ModelRequest[] = [];
    const agentOn = async (replies: Parameters<typeof scripted>[0]['replies']) => {
      const store = await open(url);
      const model = scripted({ replies, onRequest: (request) => void requests.push(request) });
      const tools = recordingTools([]);
      return { store, agent: createAgent({ store, model, tools, tracing: noTracing, env: {}, showEveryMs: 0 }) };
    };
    const eventsOf = async (agent: Agent, session: string, stopAt: number) => {
      const events = [];
      const run = agent.run(session, 'Go.');
      run.result.catch(() => undefined);
      try {
        for await (const event of run) {
          events.push(event);
          if (events.length === stopAt) run.abort('enough');
        }
      } catch (error) {
        expect(error).toMatchObject({ message: 'enough' });
      }
      return events;
    };
    const whole = await agentOn(THREE_STEPS);
    const total = (await eventsOf(whole.agent, 'whole', Infinity)).length;
    await whole.store.close();
    for (let stopAt = 1; stopAt < total; stopAt += 3) {
      const first = await agentOn(THREE_STEPS);
      const events = await eventsOf(first.agent, `s${stopAt}`, stopAt);
      // The store is still open and has released its lease, so the next one need not wait.
      const second = await agentOn([{ text: 'Resumed.' }]);
      const { text } = await second.agent.run(`s${stopAt}`, 'Go on.').result;
      expect(text).toBe('Resumed.');
      expectKept(events, requests.at(-1));
      await Promise.all([first.store.close(), second.store.close()]);
    }
    expect(requests.map((request) => refusalOf(request, 'openai-chat')).find(Boolean)).toBeUndefined();
  });
});
