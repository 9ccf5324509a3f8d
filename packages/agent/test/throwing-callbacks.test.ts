import { open, StoreError } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import {
  createAgent,
  noTracing,
  scripted,
  tool,
  type AgentEvent,
  type LogLine,
  type ModelPort,
  type ModelRequest,
  type Tool,
  type Tracing,
} from '../src/index.ts';
import { faultyStore } from './faulty-store.ts';
import { refusalOf, THREE_STEPS } from './three-steps.ts';
import { quiet, VirtualClock } from './virtual-clock.ts';
import { createWorld, recordingTools } from './world.ts';

const broken = (): never => {
  throw new Error('broken');
};

describe('a run goes on', () => {
  test('whatever listeners and loggers throw, now or later', async () => {
    const world = await createWorld();
    const lines: LogLine[] = [];
    const rejecting = (): Promise<never> => Promise.reject(new Error('broken'));
    const loud = { onEvent: broken, logger: (line: LogLine) => void lines.push(line) };
    await expect(world.agent(THREE_STEPS, loud).run('a', 'Go.').result).resolves.toMatchObject({ state: 'complete' });
    expect(lines).toContainEqual({ level: 'error', event: 'listener-failed', error: 'Error: broken', session: 'a' });
    lines.length = 0;
    const late = { ...loud, onEvent: rejecting };
    await expect(world.agent(THREE_STEPS, late).run('b', 'Go.').result).resolves.toMatchObject({ state: 'complete' });
    await quiet();
    expect(lines.some(({ event }) => event === 'listener-failed')).toBe(true);
    for (const [index, silent] of [{ logger: broken }, { logger: rejecting }].entries()) {
      const run = world.agent(THREE_STEPS, { onEvent: broken, ...silent }).run(`logger ${index}`, 'Go.');
      await expect(run.result).resolves.toMatchObject({ state: 'complete' });
    }
    expect(world.clock.pending).toBe(0);
  });

  test.each([
    ['cannot begin a span', { span: broken }],
    ['cannot end one', { span: () => ({ set: broken, end: broken }) }],
  ] satisfies [string, Tracing][])('and leaves no timer behind if a tracer %s', async (_, tracing) => {
    const world = await createWorld();
    const agent = world.agent(THREE_STEPS, { tracing });
    await expect(agent.run('s', 'Go.').result).resolves.toMatchObject({ state: 'complete' });
    expect(world.clock.pending).toBe(0);
    await expect(agent.run('s', 'Again.').result).resolves.toMatchObject({ state: 'complete' });
  });

  test('with a tool result or error that cannot be serialised', async () => {
    const world = await createWorld();
    const odd = Object.create(null) as Record<string, unknown>;
    odd['self'] = odd;
    const threw = Object.assign(new Error('x'), { toString: broken });
    const tools = {
      look: tool({ effect: 'read', run: () => odd }),
      send: tool({
        effect: 'once',
        run: () => {
          throw threw;
        },
      }),
    };
    const run = world.agent(THREE_STEPS, { tools }).run('s', 'Go.');
    await expect(run.result).resolves.toMatchObject({ state: 'complete' });
    expect(JSON.stringify(world.requests.at(-1))).toContain('something that cannot be told');
    for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
  });

  test('with a port that throws when its iteration ends early', async () => {
    const world = await createWorld();
    const port = scripted({ replies: [{ text: 'Hello.' }] });
    const model: ModelPort = {
      ...port,
      call: (...args) => {
        const events = port.call(...args)[Symbol.asyncIterator]();
        return { [Symbol.asyncIterator]: () => ({ next: () => events.next(), return: broken }) };
      },
    };
    await expect(world.agent([], { model }).run('s', 'Hi.').result).resolves.toMatchObject({ text: 'Hello.' });
  });
});

describe('a store that fails', () => {
  test('for one tool result stops the other calls first, each with one result', async () => {
    const clock = new VirtualClock();
    const store = await open('memory:');
    let armed = false;
    const faulty = faultyStore(store, (operation) => {
      if (operation !== 'append' || !armed) return 'fine';
      armed = false;
      return 'refused';
    });
    const events: AgentEvent[] = [];
    const agent = createAgent({
      store: faulty,
      model: scripted({ replies: THREE_STEPS }),
      tools: {
        ...recordingTools([]),
        look: tool<{ name: string }>({
          effect: 'read',
          run: async ({ name }, { signal }) => {
            if (name === 'hall') {
              armed = true;
              return 'refused by the store';
            }
            // Ends by itself shortly after a stop.
            await new Promise((resolve) => {
              signal.addEventListener('abort', resolve);
            });
            await new Promise<void>((resolve) => void clock.after(5, resolve));
            return 'seen late';
          },
        }),
      },
      clock,
      tracing: noTracing,
      env: {},
      showEveryMs: Infinity,
      onEvent: (event) => void events.push(event),
    });
    const over = agent.run('s', 'Go.').result.catch((error: unknown) => error);
    await clock.advance(100);
    expect(await over).toBeInstanceOf(StoreError);
    const records = await (await store.session('s')).load();
    const settled = records.flatMap(({ kind, data }) => (kind === 'call.settled' ? [data as { callId: string }] : []));
    expect(settled.map(({ callId }) => callId).sort()).toEqual(['call_a1', 'call_a2', 'call_a3']);
    expect(settled.find(({ callId }) => callId === 'call_a2')).toMatchObject({ text: 'seen late' });
    expect(records.at(-1)?.data).toMatchObject({ state: 'failed' });
    expect(clock.pending).toBe(0);
  });

  test('while text is shown ends the run, and no unrecorded text is shown', async () => {
    const clock = new VirtualClock();
    const store = await open('memory:');
    let failing = 0;
    const faulty = faultyStore(store, (operation) => {
      if (operation !== 'append' || failing === 0) return 'fine';
      failing -= 1;
      return 'refused';
    });
    const port = scripted({ replies: [{}] });
    const waits = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
    const model: ModelPort = {
      ...port,
      call: async function* call() {
        yield { kind: 'text', text: 'one ' };
        yield { kind: 'text', text: 'two ' };
        failing = 1;
        await waits(200);
        yield { kind: 'text', text: 'three' };
        await waits(200);
        yield { kind: 'end', messages: [{ role: 'assistant', content: 'one two three' }], stop: 'end' };
      },
    };
    const shown: string[] = [];
    const onEvent = (event: AgentEvent): void => void (event.kind === 'text' && shown.push(event.text));
    const agent = createAgent({ store: faulty, model, clock, tracing: noTracing, env: {}, showEveryMs: 100, onEvent });
    const over = agent.run('s', 'Go.').result.catch((error: unknown) => error);
    await clock.advance(1000);
    expect(await over).toBeInstanceOf(StoreError);
    expect(shown.join('')).toBe('one ');
    expect(JSON.stringify(await (await store.session('s')).load())).toContain('one two ');
    expect(clock.pending).toBe(0);
  });
});

describe('a shown answer that the store does not accept at once', () => {
  test.each([100, Infinity])('is still part of the history (shown every %d ms)', async (showEveryMs) => {
    const world = await createWorld();
    const dialect = 'anthropic-messages';
    const shown: string[] = [];
    let refusing = false;
    const store = faultyStore(world.store, (operation) => {
      if (operation !== 'append' || !refusing) return 'fine';
      refusing = false;
      return 'refused';
    });
    const reply = { text: 'A long story', calls: [{ callId: 'c1', tool: 'send' }] };
    const onEvent = (event: AgentEvent): void => {
      if (event.kind !== 'text') return;
      shown.push(event.text);
      // The store is full when the answer ends.
      refusing = true;
    };
    const failed = world.agent([reply], { store, dialect, showEveryMs, onEvent }).run('s', 'Go.').result;
    await expect(failed).rejects.toBeInstanceOf(StoreError);
    expect(shown.join('')).not.toBe('');
    await world.agent([{ text: 'On we go.' }], { dialect }).run('s', 'Go on.').result;
    expect(JSON.stringify(world.requests.at(-1))).toContain('A long story');
    expect(refusalOf(world.requests.at(-1) as ModelRequest, dialect)).toBeUndefined();
    expect(world.ledger).toEqual([]);
  });
});

test('an approval applies to one call and not to a later one with the same id', async () => {
  const world = await createWorld();
  const { send } = recordingTools(world.ledger);
  const tools = { send: { ...(send as Tool), approval: true } };
  const call = { calls: [{ callId: 'call_0', tool: 'send', input: {} }] };
  const agent = world.agent([call, { text: 'Sent.' }, call, { text: 'Sent again.' }], { tools });
  expect((await agent.run('s', 'Send it.').result).state).toBe('waiting-for-tools');
  await agent.approve('s', { call_0: 'allow' });
  expect((await agent.run('s').result).text).toBe('Sent.');
  expect((await agent.run('s', 'Once more.').result).state).toBe('waiting-for-tools');
  expect((await agent.run('s').result).state).toBe('waiting-for-tools');
  expect(world.ledger).toEqual(['send call_0']);
  await agent.approve('s', { call_0: 'allow' });
  expect((await agent.run('s').result).text).toBe('Sent again.');
  expect(world.ledger).toEqual(['send call_0', 'send call_0']);
});

test('calls of one answer with the same id have separate keys', async () => {
  const world = await createWorld();
  const keys: string[] = [];
  const pay = tool<{ to: string }>({ effect: 'keyed', run: ({ to }, { key }) => void keys.push(`${to} ${key}`) });
  const calls = ['Ada', 'Bob'].map((to) => ({ callId: 'call_0', tool: 'pay', input: { to } }));
  const agent = world.agent([{ calls }, { text: 'Paid.' }], { tools: { pay } });
  await expect(agent.run('s', 'Pay both.').result).resolves.toMatchObject({ text: 'Paid.' });
  expect(keys.map((each) => each.split(' ')[0])).toEqual(['Ada', 'Bob']);
  expect(new Set(keys.map((each) => each.split(' ')[1])).size).toBe(2);
  expect(refusalOf(world.requests[1] as ModelRequest, 'openai-chat')).toBeUndefined();
});
