import { open, type Store, type StoredRecord } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import {
  createAgent,
  noTracing,
  scripted,
  tool,
  type Agent,
  type AgentEvent,
  type AgentOptions,
  type Choice,
  type Effect,
  type ModelRequest,
  type Unsettled,
} from '../src/index.ts';
import { faultyStore } from './faulty-store.ts';
import { refusalOf } from './three-steps.ts';
import { quiet, VirtualClock } from './virtual-clock.ts';

let places = 0;

type Crashed = {
  readonly ledger: string[];
  readonly requests: ModelRequest[];
  readonly agent: (more?: Partial<AgentOptions>) => Promise<Agent>;
};

/** A process is killed while one tool of this effect runs; `before` kills it before the tool starts. */
async function crashIn(effect: Effect | undefined, when: 'before' | 'while-running'): Promise<Crashed> {
  places += 1;
  const place = `memory:recover-${places}`;
  const ledger: string[] = [];
  const requests: ModelRequest[] = [];
  let killed = false;
  const act = (stuck: boolean) =>
    tool<{ to: string }>({
      ...(effect === undefined ? {} : { effect }),
      run: ({ to }, { key }) => {
        ledger.push(`${to} ${key}`);
        return stuck ? new Promise(() => undefined) : 'done';
      },
    });
  const make = (store: Store, stuck: boolean, more: Partial<AgentOptions> = {}): Agent =>
    createAgent({
      store,
      tools: { act: act(stuck) },
      model: scripted({
        replies: ({ messages }) =>
          JSON.stringify(messages).includes('call_1')
            ? { text: 'Finished.' }
            : { text: 'I act.', calls: [{ callId: 'call_1', tool: 'act', input: { to: 'Ada' } }] },
        onRequest: (request) => void requests.push(request),
      }),
      clock: new VirtualClock(),
      tracing: noTracing,
      env: {},
      ...more,
    });
  const environment = { alive: () => false };
  let appends = 0;
  const dying = faultyStore(await open(place, { environment }), (operation) => {
    if (operation === 'append') appends += 1;
    // The third write is the answer with the call, the fourth the start of the tool.
    return killed || (when === 'before' && appends > 3) ? 'lost' : 'fine';
  });
  make(dying, true, { showEveryMs: Infinity })
    .run('s', 'Act.')
    .result.catch(() => undefined);
  await quiet();
  killed = true;
  expect(ledger).toHaveLength(when === 'before' ? 0 : 1);
  return { ledger, requests, agent: async (more) => make(await open(place, { environment }), false, more) };
}

const isCall = ({ kind, data }: StoredRecord): boolean => kind === 'message' && JSON.stringify(data).includes('call_0');

const EFFECTS = ['read', 'idempotent', 'keyed', 'once', undefined] as const;
const CHOICES = ['close', 'remove', 're-execute', 'ask'] as const;

describe('a call interrupted by a crash', () => {
  test.each(EFFECTS)('with effect %s is handled by default as the effect allows', async (effect) => {
    const { agent, ledger, requests } = await crashIn(effect, 'while-running');
    const resumed = await agent();
    await expect(resumed.run('s').result).resolves.toMatchObject({ text: 'Finished.' });
    const again = effect === 'read' || effect === 'idempotent' || effect === 'keyed';
    expect(ledger).toHaveLength(again ? 2 : 1);
    // Every run of one call has the same key.
    expect(new Set(ledger).size).toBe(1);
    expect(JSON.stringify(requests.at(-1))).toContain(again ? 'done' : 'may have run fully, partly or not at all');
    for (const request of requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
  });

  test.each(EFFECTS)('with effect %s runs if it certainly had not started', async (effect) => {
    const { agent, ledger } = await crashIn(effect, 'before');
    await expect((await agent()).run('s').result).resolves.toMatchObject({ text: 'Finished.' });
    expect(ledger).toHaveLength(1);
  });

  test.each(EFFECTS.flatMap((effect) => CHOICES.map((choice) => [effect, choice] as const)))(
    'with effect %s and the choice %s never runs twice unless its tool allows it',
    async (effect, choice) => {
      const { agent, ledger, requests } = await crashIn(effect, 'while-running');
      const recovered = await agent();
      const safe = effect === 'read' || effect === 'idempotent' || effect === 'keyed';
      const state = await recovered.recover('s', { unsettled: choice });
      const expected: Choice = choice === 're-execute' && !safe ? 'close' : choice;
      expect(state.unsettled.map((each) => each.choice)).toEqual([expected]);
      expect(state.state).toBe('aborted');
      expect(ledger).toHaveLength(choice === 're-execute' && safe ? 2 : 1);
      const model = scripted({ replies: [{ text: 'Well.' }], onRequest: (request) => void requests.push(request) });
      await (await agent({ model })).run('s', 'Well?').result;
      for (const request of requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
      const sent = JSON.stringify(requests.at(-1)?.messages);
      expect(sent).toContain('I act.');
      expect(sent.includes('"tool_calls"')).toBe(choice !== 'remove');
      if (!safe) expect(ledger).toHaveLength(1);
    },
  );

  test('counts our own work, without decisions and repeated tools', async () => {
    const clock = new VirtualClock();
    const events: AgentEvent[] = [];
    const { agent } = await crashIn('read', 'while-running');
    const slow = tool({ effect: 'read', run: () => new Promise((done) => void clock.after(5000, () => done('seen'))) });
    const onEvent = (event: AgentEvent): void => void events.push(event);
    const recovered = await agent({ clock, onEvent, tools: { act: slow } });
    const unsettled = (): Promise<Choice> =>
      new Promise((decide) => void clock.after(60_000, () => decide('re-execute')));
    const over = recovered.recover('s', { unsettled });
    await clock.advance(70_000);
    expect(await over).toMatchObject({ ms: 0, unsettled: [{ choice: 're-execute' }] });
    expect(events.find(({ kind }) => kind === 'recovered')).toMatchObject({ ms: 0, unsettled: 1 });
  });

  test('is decided one by one, with everything that is known', async () => {
    const { agent } = await crashIn('once', 'while-running');
    const seen: unknown[] = [];
    const unsettled: Unsettled = (call) => {
      seen.push(call);
      return 'close';
    };
    await (await agent()).recover('s', { unsettled });
    expect(seen).toMatchObject([
      { callId: 'call_1', tool: 'act', input: '{"to":"Ada"}', effect: 'once', mayHaveRun: true },
    ]);
  });

  test('has not run if only an earlier call with the same id has', async () => {
    const store = await open('memory:');
    const runs: string[] = [];
    const act = tool({ effect: 'once', run: (_, { key }) => void runs.push(key) });
    const model = scripted({ replies: [{ calls: [{ callId: 'call_0', tool: 'act' }] }, { text: 'Once.' }] });
    const agent = createAgent({ store, model, tools: { act }, clock: new VirtualClock(), tracing: noTracing, env: {} });
    await agent.run('s', 'Act.').result;
    // A second answer with a call of that id and nothing more: its process is gone.
    const call = { id: 'call_0', type: 'function', function: { name: 'act', arguments: '{}' } };
    const wire = { role: 'assistant', content: null, tool_calls: [call] };
    const session = await store.session('s');
    await session.append([
      { kind: 'message', data: { dialect: 'openai-chat', wire: { role: 'user', content: 'Again.' } } },
      { kind: 'message', data: { dialect: 'openai-chat', wire, turn: 2, step: 1 } },
      { kind: 'state', data: { state: 'waiting-for-tools', turn: 2, step: 1 } },
    ]);
    const { unsettled } = await agent.recover('s');
    expect(unsettled).toMatchObject([{ call: { callId: 'call_0', mayHaveRun: false }, choice: 're-execute' }]);
    expect(runs).toHaveLength(2);
    expect(new Set(runs).size).toBe(2);
  });

  test.each(
    ['another program', 'a fork', 'a revert'].flatMap((what) =>
      (['once', 'keyed'] as const).map((effect) => [what, effect] as const),
    ),
  )('may have run if %s came in between, and does not run again with effect %s', async (what, effect) => {
    const store = await open('memory:');
    const runs: string[] = [];
    const act = tool({ effect, run: (_, { key }) => void runs.push(key) });
    const model = scripted({
      replies: [{ text: 'Sure.', calls: [{ callId: 'call_0', tool: 'act' }] }, { text: 'Ok.' }],
    });
    const agent = createAgent({ store, model, tools: { act }, clock: new VirtualClock(), tracing: noTracing, env: {} });
    await agent.run('s', 'Act.').result;
    const session = await store.session('s');
    const records = await session.load();
    let id = 's';
    if (what === 'a fork') ({ id } = await session.fork({ at: records.find(isCall)?.seq ?? 0 }));
    if (what === 'a revert') await session.revert({ to: records.find(isCall)?.seq ?? 0 });
    if (what === 'another program') {
      ({ id } = await store.create({ id: 'imported' }));
      const { wire } = (records.find(isCall)?.data ?? {}) as { wire?: unknown };
      await (await store.session(id)).append({ kind: 'message', data: { dialect: 'openai-chat', wire } });
    }
    await agent.run(id, 'And now?').result;
    const after = await (await store.session(id)).load();
    expect(JSON.stringify(after)).toContain('[interrupted: ');
    expect(new Set(runs).size).toBe(1);
    if (effect === 'once') expect(runs).toHaveLength(1);
  });

  test('is not recovered twice', async () => {
    const { agent } = await crashIn('once', 'while-running');
    const first = await (await agent()).recover('s');
    expect(first).toMatchObject({ crashed: true, found: 'running-tools' });
    const second = await (await agent()).recover('s');
    expect(second).toMatchObject({ crashed: false, found: 'aborted', unsettled: [] });
  });
});

describe('a session that crashes repeatedly', () => {
  test('while an answer is shown is left alone after the budget too', async () => {
    places += 1;
    const place = `memory:recover-${places}`;
    const environment = { alive: () => false };
    const crash = async (input?: string): Promise<unknown> => {
      let dead = false;
      const store = faultyStore(await open(place, { environment }), () => (dead ? 'lost' : 'fine'));
      const agent = createAgent({
        store,
        model: scripted({ replies: [{ text: 'Once upon a time', hangAfter: 2 }] }),
        clock: new VirtualClock(),
        tracing: noTracing,
        env: {},
        crashBudget: 3,
        onEvent: ({ kind }) => void (dead ||= kind === 'text'),
      });
      const over = agent.run('s', input).result.catch((error: unknown) => error);
      await quiet();
      return Promise.race([over, Promise.resolve('crashed')]);
    };
    expect(await crash('Go.')).toBe('crashed');
    for (let times = 1; times <= 3; times += 1) expect(await crash()).toBe('crashed');
    const message = 'resumed 3 times without progress; say something new to continue';
    expect(await crash()).toMatchObject({ code: 'crash-loop', message });
  });

  test('is left alone after the budget, until somebody says something new', async () => {
    places += 1;
    const place = `memory:recover-${places}`;
    const environment = { alive: () => false };
    const tries: string[] = [];
    const crash = async (): Promise<unknown> => {
      let dead = false;
      const store = faultyStore(await open(place, { environment }), () => (dead ? 'lost' : 'fine'));
      const agent = createAgent({
        store,
        model: scripted({
          replies: () => {
            tries.push('asked');
            dead = true;
            return {};
          },
        }),
        clock: new VirtualClock(),
        tracing: noTracing,
        env: {},
        crashBudget: 3,
      });
      const run = agent.run('s', tries.length === 0 ? 'Go.' : undefined);
      const over = run.result.catch((error: unknown) => error);
      await quiet();
      return Promise.race([over, Promise.resolve('crashed')]);
    };
    expect(await crash()).toBe('crashed');
    expect(await crash()).toBe('crashed');
    expect(await crash()).toBe('crashed');
    expect(await crash()).toBe('crashed');
    expect(await crash()).toMatchObject({ code: 'crash-loop' });
    expect(await crash()).toMatchObject({ code: 'crash-loop' });
    expect(tries).toHaveLength(4);

    const store = await open(place, { environment });
    const model = scripted({ replies: [{ text: 'Hello.' }] });
    const agent = createAgent({ store, model, clock: new VirtualClock(), tracing: noTracing, env: {}, crashBudget: 3 });
    await expect(agent.run('s', 'Try once more.').result).resolves.toMatchObject({ text: 'Hello.' });
    await expect(agent.run('s').result).resolves.toMatchObject({ text: 'Hello.', steps: 0 });
  });
});
