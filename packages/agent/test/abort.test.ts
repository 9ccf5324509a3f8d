import { describe, expect, test } from 'vitest';
import type { Dialect } from '@rethread/core';

import { SCRIPTED_DIALECTS, tool, type AgentEvent } from '../src/index.ts';
import { standingOf } from '../src/standing.ts';
import { expectKept, lastState, refusalOf, THREE_STEPS } from './three-steps.ts';
import { createWorld, type World } from './world.ts';

type Stopper = (stop: () => void) => { readonly onEvent?: (event: AgentEvent) => void };

type Outcome = { readonly world: World; readonly stopped: boolean; readonly events: readonly AgentEvent[] };

/** Runs the three steps, stops them somewhere, and examines the result. */
async function stopSomewhere(dialect: Dialect, stopper: Stopper): Promise<Outcome> {
  const world = await createWorld();
  const reason = new Error('enough');
  const controller = new AbortController();
  const { onEvent } = stopper(() => controller.abort(reason));
  const agent = world.agent(THREE_STEPS, { dialect, ...(onEvent === undefined ? {} : { onEvent }) });
  const run = agent.run('s', 'Go.', { signal: controller.signal });
  const events: AgentEvent[] = [];
  const iterated = (async () => {
    for await (const event of run) events.push(event);
  })().catch((error: unknown) => error);
  const failure = await run.result.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(await iterated).toBe(failure);
  expect(failure === undefined || failure === reason).toBe(true);
  expect(world.clock.pending).toBe(0);
  return { world, stopped: failure !== undefined, events };
}

/** A resumed run must finish: no refusal, nothing shown is lost, nothing runs twice. */
async function expectResumable({ world, stopped, events }: Outcome, dialect: Dialect, input?: string): Promise<void> {
  const session = await world.store.session('s').catch(() => world.store.create({ id: 's' }));
  const records = await session.load();
  if (stopped) {
    expect(events.at(-1)).toMatchObject({ kind: 'aborted', by: 'stop', reason: 'enough' });
    // A run stopped before its first write leaves no trace.
    const wrote = events.some(({ kind }) => kind === 'state');
    if (wrote) expect(lastState(records)).toMatchObject({ state: 'aborted', by: 'stop', reason: 'enough' });
    else expect(records).toEqual([]);
    expect(standingOf(records as never).open).toEqual([]);
  }
  const before = world.requests.length;
  const agent = world.agent([{ calls: [{ callId: 'call_z', tool: 'look' }] }, { text: 'Resumed.' }], { dialect });
  const result = await agent.run('s', input).result;
  expect(result.state).toBe('complete');
  expect(world.requests.map((request) => refusalOf(request, dialect)).find(Boolean)).toBeUndefined();
  if (world.requests.length > before) expectKept(events, world.requests[before]);
  expect(new Set(world.ledger).size).toBe(world.ledger.length);
}

const countEvents = async (dialect: Dialect): Promise<number> => {
  const { events } = await stopSomewhere(dialect, () => ({}));
  return events.length;
};

describe.each(SCRIPTED_DIALECTS)('an abort in %s', (dialect) => {
  test('at every event leaves a session that resumes with a new message', async () => {
    const total = await countEvents(dialect);
    expect(total).toBeGreaterThan(30);
    for (let index = 0; index < total; index += 1) {
      const outcome = await stopSomewhere(dialect, (stop) => {
        let count = 0;
        return { onEvent: () => void (count++ === index && stop()) };
      });
      await expectResumable(outcome, dialect, 'Go on, please.');
    }
  });

  test('at every event leaves a session that resumes without an input', async () => {
    const total = await countEvents(dialect);
    expect(total).toBeGreaterThan(30);
    for (let index = 0; index < total; index += 1) {
      const outcome = await stopSomewhere(dialect, (stop) => {
        let count = 0;
        return { onEvent: () => void (count++ === index && stop()) };
      });
      await expectResumable(outcome, dialect);
    }
  });

  test('at every await leaves a session that resumes', async () => {
    let ticks = 0;
    for (let index = 0; ; index += 1) {
      const outcome = await stopSomewhere(dialect, (stop) => {
        let count = 0;
        const tick = (): void => {
          if (count++ === index) stop();
          else if (count <= index + 1) queueMicrotask(tick);
        };
        tick();
        return {};
      });
      await expectResumable(outcome, dialect, 'Go on, please.');
      if (!outcome.stopped) break;
      ticks += 1;
    }
    expect(ticks).toBeGreaterThan(100);
  });
});

describe('an abort', () => {
  const hostile = {
    get: (): never => {
      throw new Error('nobody may ask');
    },
  };

  test.each([
    ['nothing', undefined, 'stopped'],
    ['a text', 'enough', 'enough'],
    ['an object', { why: 'so' }, 'stopped'],
    ['an error', new Error('no more'), 'no more'],
    ['an error whose message is not a string', Object.defineProperty(new Error('x'), 'message', { value: 5n }), '5'],
    ['an unreadable error', Object.defineProperty(new Error('x'), 'message', hostile), /./],
  ] as const)('with %s is recorded, and the session continues', async (_, reason, words) => {
    const world = await createWorld();
    const waits = tool({ effect: 'once', run: () => new Promise(() => undefined) });
    const replies = [{ calls: [{ callId: 'c1', tool: 'waits' }] }, { text: 'Later.' }];
    const agent = world.agent(replies, { tools: { waits } });
    const run = agent.run('s', 'Go.');
    const over = run.result.catch(() => 'stopped');
    await world.clock.advance(0);
    run.abort(reason);
    run.abort('twice');
    await world.clock.advance(60_000);
    expect(await over).toBe('stopped');
    const records = await (await world.store.session('s')).load();
    const told = typeof words === 'string' ? words : expect.stringMatching(words);
    expect(lastState(records)).toMatchObject({ state: 'aborted', by: 'stop', reason: told });
    await expect(agent.run('s').result).resolves.toMatchObject({ text: 'Later.' });
  });
});
