import { call, createSimulator, reasoning, reply, type Simulator } from '@rethread/simulator';
import { open } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { KEY, useScrubbedEnvironment } from '../../simulator/test/clients/surroundings.ts';
import {
  createAgent,
  noTracing,
  tool,
  type Agent,
  type AgentEvent,
  type AgentOptions,
  type Clock,
} from '../src/index.ts';
import { anthropic } from '../src/ports/anthropic.ts';
import { PROVIDERS, type Provider } from './ports/providers.ts';

useScrubbedEnvironment();

const tools = { read: tool<{ path: string }>({ effect: 'read', run: async ({ path }) => `contents of ${path}` }) };

const FAULTS =
  '429 429:2 500 529 close overflow empty cut-bytes:0 cut-bytes:200 cut-events:3 end-events:0 end-events:3 cut-call ' +
  'cut-character stall:0 stall:3 drip:2 malformed:2 duplicate:2 reorder:2';

const simulate = (faults?: string): Promise<Simulator> =>
  createSimulator({
    key: KEY,
    keepBodies: true,
    ...(faults === undefined ? {} : { faults }),
    model: ({ step, body }) => {
      if (JSON.stringify(body).includes('still there')) return reply('I am.');
      if (step >= 2) return reply('That is all.');
      return reply(
        reasoning('Both are needed.'),
        step === 0 ? 'Reading two files.' : 'Two more files.',
        call('read', { path: `${step}-a.md` }),
        call('read', { path: `${step}-b.md` }),
      );
    },
  });

/** How often reasoning was sent back, per request. */
const thoughtsIn = ({ verdicts }: Simulator): readonly number[] =>
  verdicts.map(({ body }) => JSON.stringify(body).split('"type":"thinking"').length - 1);

/** Time runs a hundred times faster, so that real sockets get their full waits. */
const hurriedClock: Clock = {
  now: () => Date.now() * 100,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms / 100);
    return () => clearTimeout(timer);
  },
};

type Given = Pick<AgentOptions, 'store'> & Partial<AgentOptions>;

const agentOn = (provider: Provider, simulator: Simulator, given: Given): Agent =>
  createAgent({
    model: provider.port(simulator),
    tools,
    tracing: noTracing,
    env: {},
    maxTokens: 4096,
    showEveryMs: 0,
    ...given,
  });

async function runTo(agent: Agent, session: string, index: number): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  const run = agent.run(session, 'What do the files say?');
  try {
    for await (const event of run) {
      events.push(event);
      if (events.length - 1 === index) run.abort('enough');
    }
  } catch (error) {
    expect(error).toMatchObject({ message: 'enough' });
  }
  return events;
}

describe('a model that binds its reasoning to the request', () => {
  const ask = (simulator: Simulator, given: Given): Agent =>
    createAgent({
      model: anthropic({
        model: 'claude-fable-5-1',
        apiKey: KEY,
        baseURL: simulator.baseUrls.anthropic,
        params: { thinking: { type: 'adaptive' } },
      }),
      tools,
      tracing: noTracing,
      env: {},
      maxTokens: 4096,
      ...given,
    });

  test('gets all reasoning back that answered a repaired history', async () => {
    await using simulator = await simulate();
    const store = await open('memory:');
    const content = ['a', 'b'].map((name) => ({ type: 'tool_use', id: `toolu_${name}`, name: 'read', input: {} }));
    const left = [
      { role: 'user', content: 'Read both.' },
      { role: 'assistant', content },
    ];
    const session = await store.create({ id: 's' });
    await session.append([
      ...left.map((wire) => ({ kind: 'message', data: { dialect: 'anthropic-messages', wire } })),
      { kind: 'call.settled', data: { callId: 'toolu_a', tool: 'read', text: 'contents of a' } },
    ]);
    await session.close();
    const agent = ask(simulator, { store, unsettled: 'remove' });
    await agent.run('s', 'What do the files say?').result;
    await agent.run('s', 'Are you still there?').result;
    expect(JSON.stringify(simulator.verdicts.at(-1)?.body)).not.toContain('toolu_b');
    expect(simulator.verdicts.flatMap(({ refusals }) => refusals)).toEqual([]);
    expect(thoughtsIn(simulator)).toEqual([0, 1, 2, 2]);
  });

  test('gets back its reasoning from before a late result, but not what it thought without it', async () => {
    await using simulator = await simulate();
    const store = await open('memory:');
    let finish: (text: string) => void = () => undefined;
    const slow = tool<{ path: string }>({
      effect: 'read',
      timeoutMs: 20,
      run: ({ path }) => (path === '0-a.md' ? new Promise((done) => void (finish = done)) : `contents of ${path}`),
    });
    const agent = ask(simulator, { store, tools: { read: slow } });
    await agent.run('s', 'What do the files say?').result;
    finish('late contents');
    await new Promise((resolve) => void setTimeout(resolve, 50));
    await agent.run('s', 'Are you still there?').result;
    expect(simulator.verdicts.flatMap(({ refusals }) => refusals)).toEqual([]);
    expect(JSON.stringify(simulator.verdicts.at(-1)?.body)).toContain('late contents');
    expect(thoughtsIn(simulator)).toEqual([0, 1, 2, 1]);
  });
});

describe.each(PROVIDERS)('the loop on $name', (provider) => {
  test('runs three requests with parallel tools that the provider accepts', async () => {
    await using simulator = await simulate();
    const store = await open('memory:');
    const events = await runTo(agentOn(provider, simulator, { store }), 's', Infinity);
    expect(events.at(-1)).toMatchObject({ kind: 'complete', text: 'That is all.' });
    expect(simulator.verdicts.map(({ accepted }) => accepted)).toEqual([true, true, true]);
  });

  test('aborted at any event resumes, and no request is ever refused', async () => {
    await using simulator = await simulate();
    const store = await open('memory:');
    const whole = await runTo(agentOn(provider, simulator, { store }), 'whole', Infinity);
    for (let index = 0; index < whole.length - 1; index += 1) {
      const session = `s${index}`;
      await runTo(agentOn(provider, simulator, { store }), session, index);
      const { text } = await agentOn(provider, simulator, { store }).run(session, 'Are you still there?').result;
      expect(text, `after event ${index}`).toBe('I am.');
    }
    expect(simulator.verdicts.flatMap(({ refusals }) => refusals)).toEqual([]);
  });

  test.each(FAULTS.split(' '))(
    'ends in time under the fault %s at any request, and the session continues',
    async (fault) => {
      const under = async (request: number): Promise<void> => {
        await using simulator = await simulate(`${fault}@${request}`);
        const options = { store: await open('memory:'), clock: hurriedClock, compaction: false };
        const agent = agentOn(provider, simulator, options);
        const result = await agent.run('s', 'What do the files say?').result.catch((error: unknown) => error);
        const recovers = fault !== 'overflow';
        expect(result, `request ${request}`).toMatchObject(recovers ? { state: 'complete' } : { kind: 'overflow' });
        const { text } = await agent.run('s', 'Are you still there?').result;
        expect(text).toBe('I am.');
        expect(simulator.verdicts.flatMap(({ refusals }) => refusals)).toEqual([]);
      };
      await Promise.all([under(1), under(2), under(3)]);
    },
  );
});
