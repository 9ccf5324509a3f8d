import type { SessionRecord } from '@rethread/core';
import { open } from '@rethread/store';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { DEADLINES, tool, type AgentEvent, type CallContext } from '../src/index.ts';
import { standingOf } from '../src/standing.ts';
import { faultyStore } from './faulty-store.ts';
import { refusalOf } from './three-steps.ts';
import { createWorld } from './world.ts';

const settledIn = (events: readonly AgentEvent[]) => events.filter((event) => event.kind === 'call-settled');

describe('a tool', () => {
  test('is declared by its schema and runs with the parsed input', async () => {
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
    ['an invalid input', { count: 'many' }, 'the input does not fit the tool: count: '],
    ['an input that is missing', {}, 'the input does not fit the tool: count: '],
  ])('does not run with %s, and the model is told', async (_, input, text) => {
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
    'with the unknown name %s is answered with an error',
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

  test('that changes its input does not change the message of the model', async () => {
    const world = await createWorld();
    const tools = {
      plan: tool<{ path: string; seen?: true }>({
        effect: 'read',
        run: (input) => {
          input.path = `folder/${input.path}`;
          input.seen = true;
          return input.path;
        },
      }),
    };
    const replies = [{ calls: [{ callId: 'c1', tool: 'plan', input: { path: 'a.txt' } }] }, { text: 'Seen.' }];
    const dialect = 'anthropic-messages';
    await world.agent(replies, { tools, dialect }).run('s', 'Look.').result;
    expect(world.requests.at(-1)?.messages[1]).toMatchObject({ content: [{ input: { path: 'a.txt' } }] });
    expect(JSON.stringify(world.requests.at(-1)?.messages[1])).not.toContain('seen');
  });

  test('runs with the output of its schema, even if that is not JSON', async () => {
    const world = await createWorld();
    const schema = z.object({ id: z.coerce.bigint(), at: z.coerce.date() });
    const seen: unknown[] = [];
    const tools = { find: tool<z.output<typeof schema>>({ schema, run: (input) => void seen.push(input) }) };
    const input = { id: '9007199254740993', at: '2026-01-01T00:00:00.000Z' };
    await world.agent([{ calls: [{ callId: 'c1', tool: 'find', input }] }, {}], { tools }).run('s', 'Go.').result;
    expect(seen).toEqual([{ id: 9007199254740993n, at: new Date('2026-01-01') }]);
    const records = await (await world.store.session('s')).load();
    expect(records.find(({ kind }) => kind === 'call.started')?.data).toMatchObject({ input });
  });

  const circle: Record<string, unknown> = { name: 'Ada' };
  circle['self'] = circle;
  test.each([
    ['a large integer', 12n, '12'],
    ['large integers in a list', { rows: [{ id: 12n, name: 'Ada' }] }, "{ rows: [ { id: 12n, name: 'Ada' } ] }"],
    ['a circle', circle, "<ref *1> { name: 'Ada', self: [Circular *1] }"],
  ])('that returns %s is answered with it, although JSON cannot represent it', async (_, value, text) => {
    const world = await createWorld();
    const tools = { find: tool({ effect: 'read', run: () => value }) };
    await world.agent([{ calls: [{ callId: 'c1', tool: 'find' }] }, {}], { tools }).run('s', 'Go.').result;
    expect(settledIn(world.events)).toMatchObject([{ text, error: false }]);
  });

  test.each([undefined, ''])('that throws %j is answered with a readable error', async (thrown) => {
    const world = await createWorld();
    const tools = { find: tool({ effect: 'read', run: () => Promise.reject(thrown as unknown as Error) }) };
    await world.agent([{ calls: [{ callId: 'c1', tool: 'find' }] }, {}], { tools }).run('s', 'Go.').result;
    expect(settledIn(world.events)).toMatchObject([{ error: true, text: 'the tool failed and did not say why' }]);
  });

  test('has its start on record before it runs, with its input and key', async () => {
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

  test('gets one key per session, turn and call, even if a model reuses ids', async () => {
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

  test('among several has its result on record as soon as it arrives', async () => {
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

  test('of a tool that timed out replaces its placeholder in the same run', async () => {
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

  test.each(['abort', 'timeout'])('after the run (%s) is there for the next one', async (how) => {
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
    'does not wait forever for a store that never completes %s',
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

  test.each(['same run', 'next run'])('does not answer a later call with the same id (%s)', async (which) => {
    const world = await createWorld();
    const lines: unknown[] = [];
    let times = 0;
    const wait = tool({
      effect: 'once',
      timeoutMs: 1000,
      run: async () => {
        times += 1;
        await new Promise<void>((resolve) => void world.clock.after(times === 1 ? 1500 : Infinity, resolve));
        return 'the result of the first call';
      },
    });
    const call = { calls: [{ callId: 'call_0', tool: 'wait' }] };
    const replies = which === 'same run' ? [call, call] : [call, { text: 'Too late.' }, call];
    const agent = world.agent(replies, { tools: { wait }, logger: (line) => void lines.push(line) });
    let run = agent.run('s', 'Go.');
    let over = run.result.catch((error: unknown) => error);
    if (which === 'next run') {
      await world.clock.advance(1000);
      run = agent.run('s', 'Again.');
      over = run.result.catch((error: unknown) => error);
    }
    await world.clock.advance(1600 - world.clock.now());
    expect(times).toBe(2);
    run.abort('enough');
    await world.clock.advance(DEADLINES.settleMs);
    await over;
    await world.agent([{ text: 'Done.' }]).run('s').result;
    expect(JSON.stringify(world.requests.at(-1))).not.toContain('the result of the first call');
    expect(lines).toContainEqual(expect.objectContaining({ event: 'late-result-lost', callId: 'call_0' }));
  });

  test.each([
    ['lost where a call with its id', 'call_0', true],
    ['kept where another call', 'call_1', false],
  ])('is %s between the last check and its record', async (_, callId, lost) => {
    const world = await createWorld();
    const lines: string[] = [];
    const tools = slow(world, 60_000);
    const call = { id: callId, type: 'function', function: { name: 'slow', arguments: '{}' } };
    const wire = { role: 'assistant', content: null, tool_calls: [call] };
    const said = { kind: 'message', data: { dialect: 'openai-chat', wire, turn: 2, step: 1 } };
    let late = false;
    const store = faultyStore(
      world.store,
      () => 'fine',
      async (operation) => {
        if (!late || operation !== 'append') return;
        late = false;
        await (await world.store.session('s')).append(said);
      },
    );
    const replies = [{ calls: [{ callId: 'call_0', tool: 'slow' }] }];
    const agent = world.agent(replies, { store, tools, logger: ({ event }) => void lines.push(event) });
    const run = agent.run('s', 'Go.');
    const over = run.result.catch((error: unknown) => error);
    await world.clock.advance(10);
    run.abort('enough');
    await world.clock.advance(5000);
    await over;
    late = true;
    await world.clock.advance(60_000);
    expect(lines.includes('late-result-lost')).toBe(lost);
    const records = await (await world.store.session('s')).load();
    const open = standingOf(records as unknown as readonly SessionRecord[]).open.map((call) => call.callId);
    expect(open).toEqual([callId]);
    expect(records.some(({ kind, data }) => kind === 'call.settled' && 'late' in (data as object))).toBe(!lost);
  });

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

  test('blocked by another worker is reported and breaks nothing', async () => {
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
