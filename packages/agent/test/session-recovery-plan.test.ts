import { open, type Store } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import {
  createAgent,
  delegate,
  noTracing,
  scripted,
  tool,
  type AgentOptions,
  type ModelRequest,
} from '../src/index.ts';
import { faultyStore } from './faulty-store.ts';
import { refusalOf } from './three-steps.ts';
import { quiet, VirtualClock } from './virtual-clock.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** A process: its store stops answering when it is killed, and others have proof that it is gone. */
async function createProcess(place: string): Promise<{ readonly store: Store; kill(): void }> {
  let dead = false;
  const store = await open(place, { environment: { alive: () => false } });
  return {
    store: faultyStore(store, () => (dead ? 'lost' : 'fine')),
    kill: () => {
      dead = true;
    },
  };
}

const common = { tracing: noTracing, env: {}, showEveryMs: 0 };
const target = { dialect: 'anthropic-messages' } as const;

type Part = Pick<AgentOptions, 'store'> & Partial<AgentOptions>;
const agentOf = (options: Part, replies: Parameters<typeof scripted>[0]['replies'], requests: ModelRequest[] = []) =>
  createAgent({
    clock: new VirtualClock(),
    ...common,
    model: scripted({ target, replies, onRequest: (request) => void requests.push(request) }),
    ...options,
  });

describe('session-recovery-plan', () => {
  test('scenario 1, mid-execution recovery: killed before the tool completes, the conversation continues', async () => {
    const first = await createProcess('memory:plan-1');
    const bash = tool({ effect: 'once', run: never });
    const dying = agentOf({ store: first.store, tools: { bash } }, [
      { text: 'I run it.', calls: [{ callId: 'toolu_1', tool: 'bash', input: { command: 'make' } }] },
    ]);
    dying.run('s', 'Build it.').result.catch(() => undefined);
    await quiet();
    first.kill();

    const requests: ModelRequest[] = [];
    const { store } = await createProcess('memory:plan-1');
    const agent = agentOf({ store, tools: { bash } }, [{ text: 'I do not know whether it ran.' }], requests);
    const state = await agent.recover('s', { unsettled: 'close' });
    expect(state).toMatchObject({ found: 'running-tools', crashed: true, state: 'aborted' });
    expect(state.unsettled).toMatchObject([{ call: { callId: 'toolu_1', mayHaveRun: true }, choice: 'close' }]);
    await expect(agent.run('s', 'What happened?').result).resolves.toMatchObject({ state: 'complete' });
    expect(requests).toHaveLength(1);
    expect(requests.map((request) => refusalOf(request, target.dialect))).toEqual([undefined]);
    expect(JSON.stringify(requests)).toContain('may have run fully, partly or not at all');
  });

  test('scenario 1 with the choice of the plan: the incomplete call is removed and the text is kept', async () => {
    const first = await createProcess('memory:plan-1b');
    const tools = { bash: tool({ effect: 'once', run: never }) };
    const dying = agentOf({ store: first.store, tools }, [
      { text: 'I run it.', calls: [{ callId: 'toolu_1', tool: 'bash', input: { command: 'make' } }] },
    ]);
    dying.run('s', 'Build it.').result.catch(() => undefined);
    await quiet();
    first.kill();

    const requests: ModelRequest[] = [];
    const { store } = await createProcess('memory:plan-1b');
    const agent = agentOf({ store, tools }, [{ text: 'Fine.' }], requests);
    await agent.recover('s', { unsettled: 'remove' });
    await agent.run('s', 'Never mind.').result;
    expect(requests.map((request) => refusalOf(request, target.dialect))).toEqual([undefined]);
    expect(JSON.stringify(requests)).toContain('I run it.');
    expect(JSON.stringify(requests)).not.toContain('toolu_1');
    // The choice is part of the session, so a later agent keeps to it.
    const later: ModelRequest[] = [];
    await agentOf({ store, tools }, [{ text: 'Yes.' }], later).run('s', 'Still there?').result;
    expect(JSON.stringify(later)).not.toContain('toolu_1');
  });

  test('scenario 2, parallel tool timeout: two of three complete, and the session can continue', async () => {
    const clock = new VirtualClock();
    const requests: ModelRequest[] = [];
    const { store } = await createProcess('memory:plan-2');
    const tools = {
      quick: tool({ effect: 'read', run: (_, { callId }) => `result of ${callId}` }),
      slow: tool({ effect: 'read', timeoutMs: 5000, run: never }),
    };
    const calls = [
      { callId: 'toolu_1', tool: 'quick' },
      { callId: 'toolu_2', tool: 'slow' },
      { callId: 'toolu_3', tool: 'quick' },
    ];
    const agent = agentOf({ store, tools, clock }, [{ calls }, { text: 'Two of three.' }, { text: 'Yes.' }], requests);
    const run = agent.run('s', 'All three.');
    await clock.advance(4999);
    const before = (await (await store.session('s')).load()).filter(({ kind }) => kind === 'call.settled');
    expect(before).toHaveLength(2);
    await clock.advance(1);
    await expect(run.result).resolves.toMatchObject({ text: 'Two of three.' });
    const state = await agent.recover('s');
    expect(state).toMatchObject({ state: 'complete', crashed: false, unsettled: [] });
    expect(state.report.verdict).toBe('clean');
    await expect(agent.run('s', 'Can you go on?').result).resolves.toMatchObject({ text: 'Yes.' });
    expect(requests.map((request) => refusalOf(request, target.dialect))).toEqual([undefined, undefined, undefined]);
    for (const text of ['result of toolu_1', 'result of toolu_3', 'timed out']) {
      expect(JSON.stringify(requests[1])).toContain(text);
    }
  });

  test('scenario 3, delegation with incomplete: a crash inside the child leaves a parent that recovers', async () => {
    const ledger: string[] = [];
    const work = async (process: { store: Store }, stuck: boolean, requests: ModelRequest[] = []) => {
      const inner = tool({
        effect: 'read',
        run: () => {
          ledger.push('inner');
          return stuck ? never() : 'found it';
        },
      });
      const replies = ({ messages }: ModelRequest) =>
        JSON.stringify(messages).includes('toolu_c')
          ? { text: 'The child found it.' }
          : { text: 'The child searches.', calls: [{ callId: 'toolu_c', tool: 'inner' }] };
      const child = agentOf({ store: process.store, tools: { inner } }, replies, requests);
      const ask = delegate<{ task: string }>({ agent: child, store: process.store, ask: ({ task }) => task });
      return agentOf(
        { store: process.store, tools: { ask } },
        ({ messages }) =>
          JSON.stringify(messages).includes('toolu_p')
            ? { text: 'All done.' }
            : { text: 'I delegate.', calls: [{ callId: 'toolu_p', tool: 'ask', input: { task: 'Search.' } }] },
        requests,
      );
    };
    const first = await createProcess('memory:plan-3');
    (await work(first, true)).run('parent', 'Find it.').result.catch(() => undefined);
    await quiet();
    await quiet();
    first.kill();
    expect(ledger).toEqual(['inner']);

    const requests: ModelRequest[] = [];
    const second = await createProcess('memory:plan-3');
    const agent = await work(second, false, requests);
    const state = await agent.recover('parent', { unsettled: 'ask' });
    expect(state).toMatchObject({ found: 'running-tools', crashed: true });
    expect(state.children).toMatchObject([{ state: 'interrupted', partial: 'The child searches.' }]);
    await expect(agent.run('parent').result).resolves.toMatchObject({ text: 'All done.' });
    expect(ledger).toEqual(['inner', 'inner']);
    expect(requests.map((request) => refusalOf(request, target.dialect))).toEqual([undefined, undefined]);
    expect(JSON.stringify(requests.at(-1))).toContain('The child found it.');
    const parent = await second.store.session('parent');
    expect(await parent.children()).toMatchObject([{ state: 'answered' }]);
  });
});
