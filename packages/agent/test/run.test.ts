import { spawnSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import { open, StoreError } from '@rethread/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { NEXT, SCRIPTED_DIALECTS, tool, type AgentEvent, type ModelPort, type State } from '../src/index.ts';
import { faultyStore } from './faulty-store.ts';
import { THREE_STEPS } from './three-steps.ts';
import { quiet } from './virtual-clock.ts';
import { createWorld } from './world.ts';

const rejections: unknown[] = [];
const note = (reason: unknown): void => void rejections.push(reason);

beforeEach(() => {
  rejections.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(async () => {
  await quiet();
  process.off('unhandledRejection', note);
  expect(rejections).toEqual([]);
});

const statesIn = (events: readonly AgentEvent[]): State[] =>
  events.flatMap((event) => (event.kind === 'state' ? [event.state] : []));

describe('a run', () => {
  test('follows the state diagram, and every state is a record', async () => {
    const world = await createWorld();
    await world.agent(THREE_STEPS).run('s', 'Go.').result;
    const states = statesIn(world.events);
    const round = ['awaiting-model', 'streaming', 'waiting-for-tools', 'running-tools'];
    expect(states).toEqual([...round, ...round, 'awaiting-model', 'streaming', 'complete']);
    const records = await (await world.store.session('s')).load();
    const recorded = records.flatMap(({ kind, data }) => (kind === 'state' ? [(data as { state: State }).state] : []));
    expect(recorded).toEqual(states);
    for (const [index, state] of ['idle' as State, ...states].entries()) {
      const next = states[index];
      if (next !== undefined) expect(NEXT[state]).toContain(next);
    }
  });

  test('continues without a reader and tells a late reader everything', async () => {
    const world = await createWorld();
    const run = world.agent(THREE_STEPS).run('s', 'Go.');
    await run.result;
    const events: AgentEvent[] = [];
    for await (const event of run) events.push(event);
    expect(events).toEqual(world.events);
  });

  test('continues when its reader leaves: a disconnect is not a stop', async () => {
    const world = await createWorld();
    const run = world.agent(THREE_STEPS).run('s', 'Go.');
    for await (const event of run) if (event.kind === 'text') break;
    await expect(run.result).resolves.toMatchObject({ text: 'That was everything.' });
    expect(world.events.map(({ kind }) => kind)).toContain('disconnected');
    const records = await (await world.store.session('s')).load();
    expect(JSON.stringify(records)).toContain('"about":"disconnected"');
  });

  test('ends when its reader leaves if so configured, and says so', async () => {
    const world = await createWorld();
    const run = world.agent(THREE_STEPS).run('s', 'Go.', { onDisconnect: 'abort' });
    for await (const event of run) if (event.kind === 'text') break;
    await expect(run.result).rejects.toMatchObject({ code: 'aborted' });
    expect(world.events.at(-1)).toMatchObject({ kind: 'aborted', by: 'disconnect' });
  });

  test('of a session in use is refused, by this agent and by the store', async () => {
    const world = await createWorld();
    const place = 'memory:busy';
    const tools = {
      wait: tool({ run: () => new Promise((resolve) => void world.clock.after(1000, () => resolve(''))) }),
    };
    const replies = [{ calls: [{ callId: 'c1', tool: 'wait' }] }, { text: 'Done.' }];
    const agent = world.agent(replies, { tools, store: await open(place) });
    const run = agent.run('s', 'Go.');
    await world.clock.advance(0);
    await expect(agent.run('s', 'Me too.').result).rejects.toMatchObject({ code: 'busy' });
    const other = world.agent([{ text: 'Mine.' }], { store: await open(place) });
    await expect(other.run('s', 'Me too.').result).rejects.toMatchObject({ name: 'StoreError', code: 'conflict' });
    await world.clock.advance(1000);
    await expect(run.result).resolves.toMatchObject({ text: 'Done.' });
    await expect(other.run('s', 'Now me.').result).resolves.toMatchObject({ text: 'Mine.' });
  });

  test('is stopped before it starts by an aborted signal', async () => {
    const world = await createWorld();
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(world.agent(THREE_STEPS).run('s', 'Go.', { signal }).result).rejects.toThrow('too late');
    expect(world.requests).toEqual([]);
  });

  test('keeps the shown text of a model that returns nothing after a stop', async () => {
    const world = await createWorld();
    const replies = [{ reasoning: 'Hm, hm.', text: 'As far as here.', hangAfter: 5, deaf: true }];
    const run = world.agent(replies).run('s', 'Go.');
    const ended = run.result.catch((error: unknown) => error);
    await world.clock.advance(0);
    run.abort('enough');
    await world.clock.advance(10_000);
    await ended;
    await world.agent([{ text: 'Well.' }]).run('s', 'And?').result;
    const sent = JSON.stringify(world.requests.at(-1));
    for (const text of ['As far as here.', '[interrupted reasoning]', 'Hm, hm.']) expect(sent).toContain(text);
  });

  test('that fails stops the running tools', async () => {
    const world = await createWorld();
    const told: unknown[] = [];
    const tools = {
      quick: tool({ run: () => 'done' }),
      long: tool({
        run: (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve(told.push(signal.reason)), { once: true });
          }),
      }),
    };
    let failing = false;
    const refuse = async (operation: string): Promise<void> => {
      if (failing && operation === 'append') throw new StoreError('full', 'the disk is full');
    };
    const store = faultyStore(world.store, () => 'fine', refuse);
    const calls = ['quick', 'long'].map((name) => ({ callId: `c-${name}`, tool: name }));
    const onEvent = ({ kind }: AgentEvent): void => void (failing ||= kind === 'call-started');
    const run = world.agent([{ calls }], { store, tools, onEvent }).run('s', 'Go.');
    const ended = run.result.catch((error: unknown) => error);
    await world.clock.advance(0);
    expect(await ended).toMatchObject({ code: 'full' });
    expect(told).toMatchObject([{ code: 'full' }]);
  });

  test('that is stopped twice ends with the first reason', async () => {
    const world = await createWorld();
    const run = world.agent([{ text: 'Hm.', hangAfter: 2 }]).run('s', 'Go.');
    await world.clock.advance(0);
    run.abort('the first');
    run.abort('the second');
    await expect(run.result).rejects.toThrow('the first');
    const records = await (await world.store.session('s')).load();
    expect(JSON.stringify(records)).not.toContain('the second');
    expect(world.events.at(-1)).toMatchObject({ kind: 'aborted', reason: 'the first' });
  });

  test.each(SCRIPTED_DIALECTS)(
    'that continues without an input sends the prefix of later requests, in %s',
    async (dialect) => {
      const world = await createWorld();
      const first = world.agent([{ text: 'I begin', hangAfter: 3 }], { dialect }).run('s', 'Go.');
      await world.clock.advance(0);
      first.abort();
      await first.result.catch(() => undefined);
      const agent = world.agent([{ text: 'and end.' }, { text: 'Yes.' }], { dialect });
      await agent.run('s').result;
      await agent.run('s', 'Really?').result;
      const [, resumed, later] = world.requests;
      expect(resumed?.messages.length).toBe(3);
      expect(later?.messages.slice(0, 3)).toEqual(resumed?.messages);
    },
  );

  test('leaves no listener on the given signal', async () => {
    const world = await createWorld();
    const { signal } = new AbortController();
    const agent = world.agent(THREE_STEPS);
    await agent.run('s', 'Go.', { signal }).result;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('of a session whose last turn has no answer returns none, and not the question', async () => {
    const world = await createWorld();
    const agent = world.agent([{}]);
    await expect(agent.run('s', 'Hello?').result).resolves.toMatchObject({ state: 'complete', text: '' });
    await expect(agent.run('s').result).resolves.toMatchObject({ state: 'complete', text: '', steps: 0 });
  });

  test.each([
    [undefined, 'Never delete.'],
    ['Be brief.', 'Be brief.\n\nNever delete.'],
    [
      [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      [
        { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'Never delete.' },
      ],
    ],
  ])('sends the system message of the session next to %j', async (system, sent) => {
    const world = await createWorld();
    const session = await world.store.create({ id: 's' });
    const wires = [
      { role: 'system', content: 'Never delete.' },
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: 'Hello.' },
    ];
    await session.append(wires.map((wire) => ({ kind: 'message', data: { dialect: 'openai-chat', wire } })));
    await world.agent([{ text: 'Ok.' }], { dialect: 'anthropic-messages', system }).run('s', 'Go.').result;
    expect(world.requests[0]?.system).toEqual(sent);
  });

  test('reports a system message left out next to a prompt in an unknown form', async () => {
    const world = await createWorld();
    const lines: string[] = [];
    const session = await world.store.create({ id: 's' });
    const wire = { role: 'system', content: 'Never delete.' };
    await session.append({ kind: 'message', data: { dialect: 'openai-chat', wire } });
    const logger = ({ event }: { readonly event: string }) => void lines.push(event);
    const agent = world.agent([{}], { dialect: 'anthropic-messages', system: { odd: true }, logger });
    await agent.run('s', 'Go.').result;
    expect(lines).toContain('system-left-out');
  });

  test('of a reverted input sends it again, although it has the same name', async () => {
    const world = await createWorld();
    const agent = world.agent([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
    await agent.run('s', 'First?', { inputId: 'a' }).result;
    const session = await world.store.session('s');
    const { seq } = await session.info();
    await agent.run('s', 'Second?', { inputId: 'b' }).result;
    await session.revert({ to: seq });
    await session.close();
    await expect(agent.run('s', 'Second!', { inputId: 'b' }).result).resolves.toMatchObject({ text: 'Three.' });
    expect(JSON.stringify(world.requests.at(-1))).toMatch(/One.*Second!/);
    // A name in force is known, even if it was used before a revert.
    await expect(agent.run('s', 'First?', { inputId: 'a' }).result).resolves.toMatchObject({ steps: 0 });
  });

  test('of a compacted input does not send it again', async () => {
    const world = await createWorld();
    const agent = world.agent([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
    await agent.run('s', 'Hello.').result;
    await agent.run('s', 'First?', { inputId: 'a' }).result;
    const session = await world.store.session('s');
    const { seq } = await session.info();
    await agent.run('s', 'Second?').result;
    await session.revert({ to: seq });
    await session.compact({ from: 1, to: seq - 2, summary: 'They have met.' });
    await session.close();
    expect(JSON.stringify(await session.project())).not.toContain('First?');
    await agent.run('s', 'First?', { inputId: 'a' }).result;
    expect(JSON.stringify(await session.project())).not.toContain('First?');
  });

  test('of a recorded input continues its turn', async () => {
    const world = await createWorld();
    const agent = world.agent([{ text: 'One.' }, { text: 'Two.' }]);
    await agent.run('s', 'Go.', { inputId: 'a' }).result;
    await expect(agent.run('s', 'Go.', { inputId: 'a' }).result).resolves.toMatchObject({
      text: 'One.',
      steps: 0,
      turn: 1,
    });
    await expect(agent.run('s', 'Go.', { inputId: 'b' }).result).resolves.toMatchObject({ text: 'Two.', turn: 2 });
  });

  test('is not disturbed by throwing listeners, loggers and ports', async () => {
    const world = await createWorld();
    const fail = (): never => {
      throw new Error('listener');
    };
    await world.agent(THREE_STEPS, { onEvent: fail, logger: fail }).run('s', 'Go.').result;
    const model: ModelPort = { name: 'bad', target: { dialect: 'openai-chat' }, call: fail, renew: fail };
    const run = world.agent([], { model, retry: { attempts: 2 } }).run('t', 'Go.');
    await expect(run.result).rejects.toMatchObject({ name: 'ModelError', kind: 'malformed' });
  });

  test('that was aborted lets the process end at once', () => {
    const script = fileURLToPath(new URL('exit-at-once.ts', import.meta.url));
    const hooks = new URL('from-source.ts', import.meta.url).href;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', hooks, script], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const { abortedAt, endedAt } = JSON.parse(stdout) as { abortedAt: number; endedAt: number };
    expect(endedAt - abortedAt).toBeLessThan(1000);
  });
});

describe('two workers that read a session at the same time', () => {
  test('never both act on what they saw: the second one reads again', async () => {
    const world = await createWorld();
    const place = 'memory:two-workers';
    const environment = { alive: () => false };
    const act = tool({ effect: 'once', run: () => void world.ledger.push('acted') });
    const session = await (await open(place, { environment })).create({ id: 's' });
    const call = { id: 'c1', type: 'function', function: { name: 'act', arguments: '{}' } };
    const wires = [
      { role: 'user', content: 'Act.' },
      { role: 'assistant', content: null, tool_calls: [call] },
    ];
    const place1 = { turn: 1, step: 1 };
    await session.append(wires.map((wire) => ({ kind: 'message', data: { dialect: 'openai-chat', wire, ...place1 } })));
    await session.append({ kind: 'state', data: { state: 'waiting-for-tools', turn: 1, step: 1 } });
    await session.close();

    const first = world.agent([{ text: 'Done.' }], { tools: { act }, store: await open(place, { environment }) });
    let overtaken = false;
    const slow = faultyStore(
      await open(place, { environment }),
      () => 'fine',
      async (operation) => {
        // The other one does everything while this one is about to write first.
        if (operation !== 'append' || overtaken) return;
        overtaken = true;
        await first.run('s').result;
      },
    );
    const second = world.agent([{ text: 'Done again.' }], { tools: { act }, store: slow });
    await expect(second.run('s').result).resolves.toMatchObject({ text: 'Done.', steps: 0 });
    expect(overtaken).toBe(true);
    expect(world.ledger).toEqual(['acted']);
  });
});

describe('two agents that share a store', () => {
  test('never work on one session at the same time, although they share the lease', async () => {
    const world = await createWorld();
    const act = tool({
      effect: 'once',
      run: () => new Promise((resolve) => void world.clock.after(10, () => resolve(''))),
    });
    const replies = [{ calls: [{ callId: 'c1', tool: 'act' }] }, { text: 'Done.' }];
    const first = world.agent(replies, { tools: { act } }).run('s', 'Go.');
    await world.clock.advance(0);
    const second = world.agent(replies, { tools: { act } }).run('s');
    await expect(second.result).rejects.toMatchObject({ code: 'busy' });
    await world.clock.advance(10);
    await expect(first.result).resolves.toMatchObject({ text: 'Done.' });
  });
});
