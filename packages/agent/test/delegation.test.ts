import { open, type Store } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import {
  createAgent,
  delegate,
  noTracing,
  scripted,
  tool,
  type Agent,
  type AgentOptions,
  type ModelRequest,
  type ScriptedReply,
} from '../src/index.ts';
import { refusalOf } from './three-steps.ts';
import { quiet, VirtualClock } from './virtual-clock.ts';
import { createWorld } from './world.ts';

describe('delegation', () => {
  test('stops the child with the parent and resumes the same child', async () => {
    const world = await createWorld();
    const hanging = { text: 'The child begins.', hangAfter: 3 };
    const child = world.agent([hanging, { text: 'The child is done.' }], { tools: {} });
    const ask = delegate<{ task: string }>({ agent: child, store: world.store, ask: ({ task }) => task });
    const delegating = { calls: [{ callId: 'c1', tool: 'ask', input: { task: 'Search.' } }] };
    const parent = world.agent([delegating, { text: 'Thanks.' }], { tools: { ask } });
    const run = parent.run('p', 'Go.');
    await world.clock.advance(10);
    run.abort('enough');
    await expect(run.result).rejects.toThrow('enough');
    const session = await world.store.session('p');
    expect(await session.children()).toMatchObject([{ partial: 'The child begins.' }]);
    const [link] = await session.children();
    await expect(child.run(link?.id ?? '').result).resolves.toMatchObject({ text: 'The child is done.' });
    expect(JSON.stringify(world.requests.at(-1))).toContain('The child begins.');
  });
});

let places = 0;

type Office = {
  readonly ledger: string[];
  readonly requests: ModelRequest[];
  /** The agent of a new process, which knows only the stored state. */
  start(
    more?: Partial<AgentOptions>,
    look?: () => unknown,
  ): Promise<{ readonly agent: Agent; readonly child: Agent; readonly store: Store }>;
};

const callOf = (callId: string, name: string, input: object = {}) => ({ callId, tool: name, input });

/** Says one thing while a request lacks a word, and another one afterwards. */
const until =
  (word: string, before: ScriptedReply, after: string) =>
  ({ messages }: ModelRequest): ScriptedReply =>
    JSON.stringify(messages).includes(word) ? { text: after } : before;

/** A parent whose child, `levels` below it, must ask before it pays. */
function createOffice(levels = 1, amounts: readonly number[] = [500]): Office {
  places += 1;
  const place = `memory:delegation-${places}`;
  const ledger: string[] = [];
  const requests: ModelRequest[] = [];
  const common = { tracing: noTracing, env: {}, showEveryMs: 0 };
  const start: Office['start'] = async (more = {}, run = () => 'seen') => {
    const store = await open(place, { environment: { alive: () => false } });
    const clock = new VirtualClock();
    const agentOf = (
      replies: (request: ModelRequest) => ScriptedReply,
      tools: AgentOptions['tools'],
    ): AgentOptions => ({
      ...common,
      store,
      clock,
      model: scripted({ replies, onRequest: (request) => void requests.push(request) }),
      ...(tools === undefined ? {} : { tools }),
    });
    const pay = tool<{ amount: number }>({
      effect: 'once',
      approval: true,
      run: ({ amount }) => {
        ledger.push(`paid ${amount}`);
        return `paid ${amount}`;
      },
    });
    const paying = ({ messages }: ModelRequest): ScriptedReply => {
      const amount = amounts[JSON.stringify(messages).split('"tool_call_id":"c0').length - 1];
      return amount === undefined ? { text: 'The child paid.' } : { calls: [callOf('c0', 'pay', { amount })] };
    };
    let options = agentOf(paying, { pay });
    const child = createAgent(options);
    for (let level = 1; level <= levels; level += 1) {
      const ask = delegate({ agent: createAgent(options), store, ask: () => 'Pay.' });
      const asking = { text: 'I delegate.', calls: [callOf(`c${level}`, 'ask'), callOf(`l${level}`, 'look')] };
      const look = tool({ effect: 'read', run });
      options = agentOf(until(`"tool_call_id":"c${level}"`, asking, `Level ${level} is done.`), { ask, look, pay });
    }
    return { agent: createAgent({ ...options, ...more }), child, store };
  };
  return { ledger, requests, start };
}

const kindsIn = async (store: Store, id: string): Promise<readonly string[]> =>
  (await (await store.session(id)).load()).map(({ kind }) => kind);

describe('a child that waits for an approval', () => {
  const waiting = {
    state: 'waiting-for-tools',
    asks: [
      {
        callId: 'c1',
        tool: 'ask',
        input: {},
        child: {
          session: expect.stringMatching(/^child-/),
          asks: [{ callId: 'c0', tool: 'pay', input: { amount: 500 } }],
        },
      },
    ],
  };

  test.each(['allow', 'deny'] as const)('has its parent wait as well, over restarts: %s', async (decision) => {
    const office = createOffice();
    const first = await office.start();
    const found = await first.agent.run('p', 'Pay it.').result;
    expect(found).toMatchObject(waiting);
    expect((await kindsIn(first.store, 'p')).filter((kind) => kind === 'call.settled')).toHaveLength(1);

    const second = await office.start();
    await expect(second.agent.recover('p')).resolves.toMatchObject({ ...waiting, crashed: false });
    await expect(second.agent.run('p').result).resolves.toMatchObject(waiting);
    expect(office.requests).toHaveLength(2);
    await second.agent.approve(found.asks[0]?.child?.session ?? '', { c0: decision });

    const { agent, store } = await office.start();
    await expect(agent.run('p').result).resolves.toMatchObject({ state: 'complete', text: 'Level 1 is done.' });
    expect(office.ledger).toEqual(decision === 'allow' ? ['paid 500'] : []);
    expect(await (await store.session('p')).children()).toMatchObject([{ state: 'answered' }]);
    expect(JSON.stringify(office.requests.at(-1))).toContain('The child paid.');
    expect(office.requests).toHaveLength(4);
    for (const request of office.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
  });

  test.each([
    [1, 'allow'],
    [1, 'deny'],
    [3, 'allow'],
    [3, 'deny'],
  ] as const)('is answered through its parent, %i above it: %s', async (levels, decision) => {
    const office = createOffice(levels);
    const { agent } = await office.start();
    const { asks } = await agent.run('p', 'Pay it.').result;
    await agent.approve('p', { [asks[0]?.callId ?? '']: decision });
    const later = await office.start();
    await expect(later.agent.run('p').result).resolves.toMatchObject({ text: `Level ${levels} is done.` });
    expect(office.ledger).toEqual(decision === 'allow' ? ['paid 500'] : []);
    const refused = JSON.stringify(office.requests).includes('permission for this call was refused');
    expect(refused).toBe(decision === 'deny');
  });

  test('is not allowed more through its parent than the parent knows of, though it uses its id again', async () => {
    const office = createOffice(1, [500, 900]);
    const { agent, child } = await office.start();
    const { asks } = await agent.run('p', 'Pay it.').result;
    const session = asks[0]?.child?.session ?? '';
    await agent.approve('p', { c1: 'allow' });
    await expect(child.run(session).result).resolves.toMatchObject({
      asks: [{ callId: 'c0', input: { amount: 900 } }],
    });
    await agent.approve('p', { c1: 'allow' });
    const { asks: later } = await agent.run('p').result;
    expect(later[0]?.child?.asks).toMatchObject([{ callId: 'c0', input: { amount: 900 } }]);
    expect(office.ledger).toEqual(['paid 500']);
    await agent.approve('p', { c1: 'allow' });
    await expect(agent.run('p').result).resolves.toMatchObject({ text: 'Level 1 is done.' });
    expect(office.ledger).toEqual(['paid 500', 'paid 900']);
  });

  test('is waited for, whatever becomes of calls that were cut off', async () => {
    for (const unsettled of ['close', 'remove', 'ask', () => 'close' as const] as const) {
      const office = createOffice();
      const { agent } = await office.start({ unsettled });
      await agent.run('p', 'Pay it.').result;
      await expect(agent.recover('p', { unsettled })).resolves.toMatchObject(waiting);
      await agent.approve('p', { c1: 'allow' });
      await expect(agent.run('p').result).resolves.toMatchObject({ text: 'Level 1 is done.' });
      expect(office.ledger).toEqual(['paid 500']);
    }
  });

  test('is not waited for any more once the user says something else', async () => {
    const office = createOffice();
    const { agent } = await office.start();
    await agent.run('p', 'Pay it.').result;
    await expect(agent.run('p', 'Forget it.').result).resolves.toMatchObject({ state: 'complete' });
    expect(JSON.stringify(office.requests.at(-1))).toContain('may have run fully, partly or not at all');
    expect(office.ledger).toEqual([]);
  });

  test('is awaited next to a waiting call of the parent, and each continues with its own decision', async () => {
    const office = createOffice();
    const both = { calls: [callOf('c1', 'ask'), callOf('x1', 'pay', { amount: 7 })] };
    const { agent } = await office.start({
      model: scripted({ replies: until('"tool_call_id":"c1"', both, 'Both.') }),
    });
    const found = await agent.run('p', 'Pay it.').result;
    expect(found.asks.map(({ callId }) => callId).sort()).toEqual(['c1', 'x1']);
    await agent.approve('p', { x1: 'allow' });
    await expect(agent.run('p').result).resolves.toMatchObject(waiting);
    expect(office.ledger).toEqual(['paid 7']);
    await agent.approve('p', { c1: 'allow' });
    await expect(agent.run('p').result).resolves.toMatchObject({ text: 'Both.' });
    expect(office.ledger).toEqual(['paid 7', 'paid 500']);
  });

  test('is found again after the parent was killed before it could wait', async () => {
    const office = createOffice();
    const first = await office.start({}, () => new Promise(() => undefined));
    first.agent.run('p', 'Pay it.').result.catch(() => undefined);
    await quiet();
    await quiet();
    const second = await office.start();
    const [child] = await (await second.store.session('p')).children();
    expect(child).toMatchObject({ openCalls: [{ callId: 'c0' }] });
    await expect(second.agent.recover('p')).resolves.toMatchObject({ ...waiting, crashed: true });
    await second.agent.approve('p', { c1: 'allow' });
    await expect(second.agent.run('p').result).resolves.toMatchObject({ text: 'Level 1 is done.' });
    expect(office.ledger).toEqual(['paid 500']);
  });
});
