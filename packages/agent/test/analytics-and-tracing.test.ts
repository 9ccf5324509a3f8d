import { context, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, test } from 'vitest';

import { createAgent, ModelError, scripted, statsOf, tool, type Compaction, type Stats } from '../src/index.ts';
import { refusalOf, THREE_STEPS } from './three-steps.ts';
import { quiet } from './virtual-clock.ts';
import { createWorld, type World } from './world.ts';

async function statsIn({ store }: World): Promise<Stats> {
  return statsOf(
    (async function* sessions() {
      for await (const { id } of store.list()) yield (await store.session(id)).read();
    })(),
  );
}

describe('analytics', () => {
  test('summarise sessions from their records', async () => {
    const world = await createWorld();
    await world.agent(THREE_STEPS).run('whole', 'Go.').result;
    const stopped = world
      .agent(THREE_STEPS, { dialect: 'anthropic-messages', onEvent: () => undefined })
      .run('stopped', 'Go.');
    for await (const event of stopped) {
      if (event.kind !== 'call') continue;
      stopped.abort('enough');
      break;
    }
    await stopped.result.catch(() => undefined);
    await world.agent([{ text: 'Again.' }], { dialect: 'anthropic-messages' }).run('stopped', 'Go on.').result;
    const busy = new ModelError('overloaded', 'busy');
    const failing = world.agent([{ error: busy }, { error: new ModelError('auth', 'no') }]).run('failed', 'Go.');
    const failed = failing.result.catch(() => undefined);
    await world.clock.advance(60_000);
    await failed;
    const stats = await statsIn(world);
    expect(stats).toMatchObject({
      sessions: 3,
      turns: 4,
      requests: 6,
      retries: { overloaded: 1 },
      stops: { stop: 1, failed: 1 },
      tools: { look: { calls: 4, errors: 0, unsettled: 1 }, send: { calls: 2, errors: 0 } },
      unrepaired: 0,
    });
    expect(stats.repairs.total).toBeGreaterThan(0);
    expect(Object.values(stats.repairs.byRule).reduce((sum = 0, each = 0) => sum + each, 0)).toBe(stats.repairs.total);
    expect(stats.repairs.byStop).toEqual({ stop: stats.repairs.total });
  });

  test('show in which state interrupted sessions were found', async () => {
    const world = await createWorld();
    const session = await world.store.create({ id: 's' });
    const call = { id: 'c1', type: 'function', function: { name: 'send', arguments: '{}' } };
    const wire = { role: 'assistant', content: null, tool_calls: [call] };
    await session.append([
      { kind: 'message', data: { dialect: 'openai-chat', wire: { role: 'user', content: 'Go.' } } },
      { kind: 'message', data: { dialect: 'openai-chat', wire } },
      {
        kind: 'call.started',
        data: { callId: 'c1', tool: 'send', input: {}, key: 'k', effect: 'once', turn: 1, step: 1 },
      },
      { kind: 'state', data: { state: 'running-tools', turn: 1, step: 1 } },
    ]);
    await world.agent([]).recover('s');
    const { recoveries, stops, tools } = await statsIn(world);
    expect(recoveries).toMatchObject({ total: 1, foundIn: { 'running-tools': { sessions: 1, unsettled: 1 } } });
    expect(stops).toEqual({ crash: 1 });
    expect(tools).toMatchObject({ send: { calls: 1, unsettled: 1 } });
  });

  test('count a crash once, even if calls ran again during recovery', async () => {
    const world = await createWorld();
    const session = await world.store.create({ id: 's' });
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
    const wire = { role: 'assistant', content: null, tool_calls: [call] };
    await session.append([
      { kind: 'message', data: { dialect: 'openai-chat', wire: { role: 'user', content: 'Go.' } } },
      { kind: 'message', data: { dialect: 'openai-chat', wire, turn: 1, step: 1 } },
      { kind: 'state', data: { state: 'waiting-for-tools', turn: 1, step: 1 } },
    ]);
    await expect(world.agent([]).recover('s')).resolves.toMatchObject({ state: 'aborted' });
    expect(world.ledger).toEqual(['look c1']);
    const { recoveries, stops } = await statsIn(world);
    expect(recoveries.total).toBe(1);
    expect(stops).toEqual({ crash: 1 });
  });
});

describe('compaction', () => {
  const shorten: Compaction['shorten'] = async (messages) => {
    const kept = messages.slice(-2);
    return [{ role: 'user', content: `[summary of ${messages.length - 2} messages]` }, ...kept];
  };
  const isDue: Compaction['isDue'] = ({ usage, messages }) => (usage?.input ?? 0) > 800 && messages.length > 2;
  const usage = { input: 900, output: 200 };
  const long = [{ text: 'One.', usage }, { text: 'Two.', usage }, { text: 'Three.' }];

  test('after an answer replaces the beginning by a summary and keeps it in the log', async () => {
    const world = await createWorld();
    const agent = world.agent(long, { compaction: { isDue, shorten } });
    await agent.run('s', 'First.').result;
    expect(world.events.map(({ kind }) => kind)).not.toContain('compacted');
    await agent.run('s', 'Second.').result;
    expect(world.events.at(-1)).toMatchObject({ kind: 'compacted' });
    await agent.run('s', 'Third.').result;
    const sent = JSON.stringify(world.requests.at(-1)?.messages);
    expect(sent).toContain('[summary of 2 messages]');
    expect(sent).not.toContain('First.');
    expect(sent).toContain('Second.');
    const records = await (await world.store.session('s')).load();
    expect(JSON.stringify(records)).toContain('First.');
    for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
  });

  test.each<readonly [string, Compaction]>([
    ['throws', { isDue, shorten: () => Promise.reject(new Error('no summary')) }],
    ['changes nothing', { isDue, shorten: async (messages) => messages }],
  ])('that %s leaves the session unchanged', async (_, compaction) => {
    const world = await createWorld();
    const agent = world.agent(long, { compaction });
    await agent.run('s', 'First.').result;
    await expect(agent.run('s', 'Second.').result).resolves.toMatchObject({ text: 'Two.' });
    const records = await (await world.store.session('s')).load();
    expect(records.some(({ kind }) => kind === 'checkpoint')).toBe(false);
  });

  test('that times out is not recorded when it ends later', async () => {
    const world = await createWorld();
    const slow: Compaction['shorten'] = async (messages, options) => {
      await new Promise<void>((resolve) => void world.clock.after(400_000, resolve));
      return shorten(messages, options);
    };
    const agent = world.agent(long, { compaction: { isDue: () => true, shorten: slow } });
    const run = agent.run('s', 'First.');
    await world.clock.advance(300_000);
    await expect(run.result).resolves.toMatchObject({ text: 'One.' });
    await world.clock.advance(200_000);
    const records = await (await world.store.session('s')).load();
    expect(records.some(({ kind }) => kind === 'checkpoint')).toBe(false);
  });

  test('rescues a session that is too long for the model', async () => {
    const world = await createWorld();
    const compaction = { isDue: () => false, shorten };
    const replies = ({ messages }: { readonly messages: readonly unknown[] }) =>
      messages.length > 3 ? { error: new ModelError('overflow', 'too long') } : { text: 'Fine.' };
    const agent = world.agent(replies, { compaction });
    await agent.run('s', 'First.').result;
    await agent.run('s', 'Second.').result;
    await expect(agent.run('s', 'Third.').result).resolves.toMatchObject({ text: 'Fine.' });
    expect(JSON.stringify(world.requests.at(-1))).toContain('[summary of');
  });
});

describe('spans', () => {
  afterEach(() => {
    trace.disable();
    context.disable();
  });

  test('follow the gen_ai conventions if a tracer is registered', async () => {
    const spans: { name: string; attributes: Record<string, unknown>; ended: boolean }[] = [];
    const startSpan = (name: string, { attributes }: { attributes: Record<string, unknown> }) => {
      const span = { name, attributes: { ...attributes }, ended: false };
      spans.push(span);
      return {
        setAttributes: (more: object) => Object.assign(span.attributes, more),
        recordException: () => undefined,
        setStatus: () => undefined,
        end: () => void (span.ended = true),
      };
    };
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) } as never);
    const world = await createWorld();
    const agent = createAgent({
      store: world.store,
      model: scripted({
        target: { dialect: 'openai-chat', model: 'm-1' },
        replies: [{ calls: [{ callId: 'c1', tool: 'look' }] }, { text: 'Done.', usage: { input: 7, output: 3 } }],
      }),
      tools: { look: tool({ run: () => 'seen' }) },
      env: {},
    });
    // The agent requests it first, however long that takes on a busy machine.
    const api = '@opentelemetry/api';
    await import(api);
    await quiet();
    await agent.run('s', 'Go.').result;
    expect(spans.map(({ name }) => name)).toEqual([
      'invoke_agent',
      'chat scripted/m-1',
      'execute_tool look',
      'chat scripted/m-1',
    ]);
    expect(spans.every(({ ended }) => ended)).toBe(true);
    expect(spans[3]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm-1',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 3,
      'gen_ai.conversation.id': 's',
    });
  });
});
