import { open } from '@rethread/store';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { DEADLINES, tool, type AgentEvent, type CallContext } from '../src/index.ts';
import { faultyStore } from './faulty-store.ts';
import { refusalOf } from './three-steps.ts';
import { createWorld } from './world.ts';

const settledIn = (events: readonly AgentEvent[]) => events.filter((event) => event.kind === 'call-settled');

describe('a tool', () => {
  test('is declared by its schema, and runs with what the schema lets through', async () => {
    const world = await createWorld();
    const schema = z.object({ count: z.coerce.number(), unit: z.string().default('pieces') });
    const seen: unknown[] = [];
    const tools = {
      order: tool<z.output<typeof schema>>({ description: 'Orders.', schema, run: (input) => void seen.push(input) }),
    };
    const replies = [{ calls: [{ callId: 'c1', tool: 'order', input: { count: '3' } }] }, { text: 'Ordered.' }];
    await world.agent(replies, { tools }).run('s', 'Order.').result;
    expect(seen).toEqual([{ count: 3, unit: 'pieces' }]);
    expect(world.requests[0]?.tools).toMatchObject([
      {
        name: 'order',
        description: 'Orders.',
        parameters: { type: 'object', properties: { unit: { type: 'string' } } },
      },
    ]);
  });

  test.each([
    ['an input that does not fit', { count: 'many' }, 'the input does not fit the tool: count: '],
    ['an input that is missing', {}, 'the input does not fit the tool: count: '],
  ])('is not run with %s, and the model is told', async (_, input, text) => {
    const world = await createWorld();
    const ran: unknown[] = [];
    const schema = z.object({ count: z.number() });
    const tools = { order: tool<{ count: number }>({ schema, run: () => void ran.push(1) }) };
    await world.agent([{ calls: [{ callId: 'c1', tool: 'order', input }] }, {}], { tools }).run('s', 'Go.').result;
    expect(ran).toEqual([]);
    expect(settledIn(world.events)).toMatchObject([{ error: true, text: expect.stringContaining(text) as string }]);
    const records = await (await world.store.session('s')).load();
    expect(records.some(({ kind }) => kind === 'call.started')).toBe(false);
  });

  test.each(['nothing', 'toString', '__proto__'])(
    'of the name %s that there is not is answered with an error',
    async (name) => {
      const world = await createWorld();
      await world.agent([{ calls: [{ callId: 'c1', tool: name }] }, { text: 'Oh.' }]).run('s', 'Go.').result;
      expect(settledIn(world.events)).toMatchObject([
        { error: true, text: `there is no tool ${JSON.stringify(name)}` },
      ]);
      for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
    },
  );

  test('that throws is answered with its error, whatever it throws', async () => {
    const world = await createWorld();
    const tools = {
      a: tool({
        run: () => {
          throw new TypeError('no such file');
        },
      }),
      b: tool({ run: () => Promise.reject(Object.assign(new Error('x'), { message: 'gone' })) }),
    };
    const calls = [
      { callId: 'c1', tool: 'a' },
      { callId: 'c2', tool: 'b' },
    ];
    await world.agent([{ calls }, { text: 'Oh.' }], { tools }).run('s', 'Go.').result;
    expect(settledIn(world.events).map(({ text }) => text)).toEqual(['TypeError: no such file', 'Error: gone']);
  });

  test('has its start on record before it runs, with its input and its key', async () => {
    const world = await createWorld();
    const found: unknown[] = [];
    const tools = {
      act: tool<{ to: string }>({
        effect: 'keyed',
        run: async (_, { callId, key, session }: CallContext) => {
          const records = await (await world.store.session(session)).load();
          found.push(records.find(({ kind }) => kind === 'call.started')?.data, key, callId);
        },
      }),
    };
    const input = { to: 'Ada' };
    await world.agent([{ calls: [{ callId: 'c1', tool: 'act', input }] }, {}], { tools }).run('s', 'Go.').result;
    const [started, key] = found;
    expect(started).toMatchObject({ callId: 'c1', tool: 'act', input, effect: 'keyed', key, turn: 1, step: 1 });
  });

  test('gets one key per session, turn and call, also where a model uses its ids again', async () => {
    const world = await createWorld();
    const keys: string[] = [];
    const tools = { act: tool({ effect: 'keyed', run: (_, { key }) => void keys.push(key) }) };
    const reply = { calls: [{ callId: 'call_0', tool: 'act' }] };
    const agent = world.agent([reply, reply, {}, reply, {}, reply, {}], { tools });
    await agent.run('s', 'One.').result;
    await agent.run('s', 'Two.').result;
    await agent.run('t', 'Three.').result;
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(4);
  });

  test('each of several side by side has its result on record as soon as it is there', async () => {
    const world = await createWorld();
    const tools = {
      wait: tool<{ ms: number }>({
        run: ({ ms }) => new Promise((resolve) => void world.clock.after(ms, () => resolve(ms))),
      }),
    };
    const calls = [300, 100, 200].map((ms) => ({ callId: `c${ms}`, tool: 'wait', input: { ms } }));
    const run = world.agent([{ calls }, { text: 'Done.' }], { tools }).run('s', 'Go.');
    const settled = async (): Promise<unknown[]> => {
      const records = await (await world.store.session('s')).load();
      return records
        .filter(({ kind }) => kind === 'call.settled')
        .map(({ data }) => (data as { callId: string }).callId);
    };
    await world.clock.advance(100);
    expect(await settled()).toEqual(['c100']);
    await world.clock.advance(100);
    expect(await settled()).toEqual(['c100', 'c200']);
    await world.clock.advance(100);
    await run.result;
    expect(await settled()).toEqual(['c100', 'c200', 'c300']);
  });
});

describe('a late result', () => {
  const slow = (world: Awaited<ReturnType<typeof createWorld>>, ms: number) => ({
    slow: tool({
      effect: 'once',
      timeoutMs: 1000,
      run: () => new Promise((resolve) => void world.clock.after(ms, () => resolve('the real result'))),
    }),
  });
  const CALL = { text: 'Starting.', calls: [{ callId: 'c1', tool: 'slow' }] };

  test('of a tool that took too long replaces its placeholder in the same run', async () => {
    const world = await createWorld();
    const pause = tool({ run: () => new Promise<void>((resolve) => void world.clock.after(900, resolve)) });
    const tools = { ...slow(world, 1500), pause };
    const replies = [CALL, { calls: [{ callId: 'c2', tool: 'pause' }] }, { text: 'Done.' }];
    const run = world.agent(replies, { tools }).run('s', 'Go.');
    await world.clock.advance(5000);
    await run.result;
    expect(JSON.stringify(world.requests[1])).toContain('timed out');
    expect(JSON.stringify(world.requests[2])).not.toContain('timed out');
    expect(JSON.stringify(world.requests[2])).toContain('the real result');
    for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
  });

  test.each(['abort', 'timeout'])('that comes when the run is over (%s) is there for the next one', async (how) => {
    const world = await createWorld();
    const agent = world.agent([CALL, { text: 'Done.' }, { text: 'Thanks.' }], { tools: slow(world, 60_000) });
    const run = agent.run('s', 'Go.');
    const over = run.result.catch((error: unknown) => error);
    await world.clock.advance(10);
    if (how === 'abort') run.abort('enough');
    await world.clock.advance(5000);
    await over;
    await world.clock.advance(60_000);
    await agent.run('s', 'And?').result;
    const sent = JSON.stringify(world.requests.at(-1));
    expect(sent).toContain('the real result');
    expect(sent).not.toContain('may have run fully');
    for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
  });

  test.each(['session', 'append', 'close'])(
    'does not wait for ever for a store that never answers %s',
    async (hanging) => {
      const world = await createWorld();
      const lines: string[] = [];
      let over = false;
      const store = faultyStore(world.store, (name) => (over && name === hanging ? 'lost' : 'fine'));
      const logger = ({ event }: { readonly event: string }) => void lines.push(event);
      const run = world.agent([CALL], { store, tools: slow(world, 60_000), logger }).run('s', 'Go.');
      const ended = run.result.catch((error: unknown) => error);
      await world.clock.advance(10);
      run.abort('enough');
      await world.clock.advance(5000);
      await ended;
      over = true;
      await world.clock.advance(60_000 + DEADLINES.storeMs);
      expect(lines).toContain('late-result-lost');
      expect(world.clock.pending).toBe(0);
    },
  );

  test('that the store never records ends the run in time', async () => {
    const world = await createWorld();
    const pause = tool({ run: () => new Promise<void>((resolve) => void world.clock.after(900, resolve)) });
    const store = faultyStore(world.store, (name) =>
      name === 'append' && world.clock.now() === 1500 ? 'lost' : 'fine',
    );
    const replies = [CALL, { calls: [{ callId: 'c2', tool: 'pause' }] }, { text: 'Done.' }];
    const run = world.agent(replies, { store, tools: { ...slow(world, 1500), pause } }).run('s', 'Go.');
    const ended = run.result.catch((error: unknown) => error);
    await world.clock.advance(1900 + DEADLINES.storeMs);
    expect(await Promise.race([ended, Promise.resolve('pending')])).toMatchObject({
      name: 'DeadlineError',
      deadline: 'storeMs',
    });
  });

  test('that another worker does not let in is told, and breaks nothing', async () => {
    const world = await createWorld();
    const place = 'memory:late';
    const lines: string[] = [];
    const store = await open(place);
    const agent = world.agent([CALL], {
      store,
      tools: slow(world, 60_000),
      logger: ({ event }) => void lines.push(event),
    });
    const run = agent.run('s', 'Go.');
    const over = run.result.catch((error: unknown) => error);
    await world.clock.advance(10);
    run.abort('enough');
    await world.clock.advance(5000);
    await over;
    const other = await (await open(place)).session('s');
    await other.append({ kind: 'note', data: null });
    await world.clock.advance(60_000);
    expect(lines).toContain('late-result-lost');
    await other.close();
  });
});

describe('approvals', () => {
  const guarded = (ledger: string[]) => ({
    pay: tool<{ amount: number }>({
      effect: 'once',
      approval: ({ amount }) => amount > 10,
      run: ({ amount }) => {
        ledger.push(`paid ${amount}`);
        return `paid ${amount}`;
      },
    }),
  });
  const replies = [
    {
      text: 'I pay.',
      calls: [
        { callId: 'c1', tool: 'pay', input: { amount: 5 } },
        { callId: 'c2', tool: 'pay', input: { amount: 500 } },
      ],
    },
    { text: 'Done.' },
  ];

  test.each(['allow', 'deny'] as const)('survive a restart: %s', async (decision) => {
    const world = await createWorld();
    const tools = guarded(world.ledger);
    const waiting = await world.agent(replies, { tools }).run('s', 'Pay.').result;
    expect(waiting).toMatchObject({
      state: 'waiting-for-tools',
      asks: [{ callId: 'c2', tool: 'pay', input: { amount: 500 } }],
    });
    expect(world.ledger).toEqual(['paid 5']);

    const restarted = world.agent(replies.slice(1), { tools });
    expect(await restarted.recover('s')).toMatchObject({
      state: 'waiting-for-tools',
      crashed: false,
      asks: [{ callId: 'c2' }],
    });
    await expect(restarted.run('s').result).resolves.toMatchObject({ state: 'waiting-for-tools' });
    expect(world.requests).toHaveLength(1);

    await world.agent([], { tools }).approve('s', { c2: decision });
    const again = world.agent(replies.slice(1), { tools });
    await expect(again.run('s').result).resolves.toMatchObject({ state: 'complete', text: 'Done.' });
    expect(world.ledger).toEqual(decision === 'allow' ? ['paid 5', 'paid 500'] : ['paid 5']);
    for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
    if (decision === 'deny')
      expect(JSON.stringify(world.requests.at(-1))).toContain('permission for this call was refused');
  });

  test('that were given count more than what becomes of other calls', async () => {
    const world = await createWorld();
    const tools = guarded(world.ledger);
    await world.agent(replies, { tools }).run('s', 'Pay.').result;
    const closing = world.agent(replies.slice(1), { tools, unsettled: 'close' });
    await closing.approve('s', { c2: 'allow' });
    await closing.run('s').result;
    expect(world.ledger).toEqual(['paid 5', 'paid 500']);
  });

  test('that nobody gave are closed as never started when the user says something else', async () => {
    const world = await createWorld();
    const tools = guarded(world.ledger);
    const agent = world.agent([...replies.slice(0, 1), { text: 'All right.' }], { tools });
    await agent.run('s', 'Pay.').result;
    await expect(agent.run('s', 'Forget it.').result).resolves.toMatchObject({ text: 'All right.' });
    expect(world.ledger).toEqual(['paid 5']);
    expect(JSON.stringify(world.requests.at(-1))).toContain('never started');
    for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
  });

  test('are asked for while the run goes on, where there is somebody to ask', async () => {
    const world = await createWorld();
    const tools = guarded(world.ledger);
    const onApproval = async () => 'allow' as const;
    await expect(world.agent(replies, { tools, onApproval }).run('s', 'Pay.').result).resolves.toMatchObject({
      text: 'Done.',
    });
    expect(world.ledger).toEqual(['paid 5', 'paid 500']);
  });

  test('that were given are not asked for again after a crash, and the call still runs at most once', async () => {
    const world = await createWorld();
    const tools = guarded(world.ledger);
    const place = 'memory:approvals';
    const environment = { alive: () => false };
    const first = world.agent(replies, { tools, store: await open(place, { environment }) });
    await first.run('s', 'Pay.').result;
    await first.approve('s', { c2: 'allow' });
    let dead = false;
    const dying = faultyStore(await open(place, { environment }), (name) => {
      if (name === 'append' && world.ledger.length === 2) dead = true;
      return dead ? 'lost' : 'fine';
    });
    world
      .agent(replies.slice(1), { tools, store: dying })
      .run('s')
      .result.catch(() => undefined);
    await world.clock.advance(0);
    expect(world.ledger).toEqual(['paid 5', 'paid 500']);
    const last = world.agent(replies.slice(1), { tools, store: await open(place, { environment }) });
    await expect(last.run('s').result).resolves.toMatchObject({ text: 'Done.' });
    expect(world.ledger).toEqual(['paid 5', 'paid 500']);
  });
});
