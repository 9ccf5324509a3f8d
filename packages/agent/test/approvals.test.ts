import { open } from '@rethread/store';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { tool } from '../src/index.ts';
import { faultyStore } from './faulty-store.ts';
import { refusalOf } from './three-steps.ts';
import { createWorld } from './world.ts';

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

  test('override the choice for interrupted calls', async () => {
    const world = await createWorld();
    const tools = guarded(world.ledger);
    await world.agent(replies, { tools }).run('s', 'Pay.').result;
    const closing = world.agent(replies.slice(1), { tools, unsettled: 'close' });
    await closing.approve('s', { c2: 'allow' });
    await closing.run('s').result;
    expect(world.ledger).toEqual(['paid 5', 'paid 500']);
  });

  test('that are missing close the call as not started when the user says something new', async () => {
    const world = await createWorld();
    const tools = guarded(world.ledger);
    const agent = world.agent([...replies.slice(0, 1), { text: 'All right.' }], { tools });
    await agent.run('s', 'Pay.').result;
    await expect(agent.run('s', 'Forget it.').result).resolves.toMatchObject({ text: 'All right.' });
    expect(world.ledger).toEqual(['paid 5']);
    expect(JSON.stringify(world.requests.at(-1))).toContain('never started');
    for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
  });

  test('are requested during the run if somebody can answer', async () => {
    const world = await createWorld();
    const tools = guarded(world.ledger);
    const onApproval = async () => 'allow' as const;
    await expect(world.agent(replies, { tools, onApproval }).run('s', 'Pay.').result).resolves.toMatchObject({
      text: 'Done.',
    });
    expect(world.ledger).toEqual(['paid 5', 'paid 500']);
  });

  test('are for an input that its schema parses once, even if it was parsed before the question', async () => {
    const world = await createWorld();
    const schema = z.object({ amount: z.string().transform(Number) });
    const asked: unknown[] = [];
    const seen: unknown[] = [];
    const pay = tool<{ amount: number }>({
      schema,
      approval: ({ amount }) => amount > 10,
      run: ({ amount }) => void seen.push(amount),
    });
    const agent = world.agent([{ calls: [{ callId: 'c1', tool: 'pay', input: { amount: '500' } }] }, {}], {
      tools: { pay },
      onApproval: async (ask) => {
        asked.push(ask);
        return 'allow';
      },
    });
    await agent.run('s', 'Pay.').result;
    expect(asked).toEqual([{ callId: 'c1', tool: 'pay', input: { amount: '500' } }]);
    expect(seen).toEqual([500]);
  });

  test('without a decision leave the call waiting, and nobody is asked twice', async () => {
    const world = await createWorld();
    let asked = 0;
    const onApproval = (): Promise<never> => {
      asked += 1;
      // Possible from an untyped caller.
      return asked > 9 ? new Promise(() => undefined) : Promise.resolve(true as never);
    };
    const run = world.agent(replies, { tools: guarded(world.ledger), onApproval }).run('s', 'Pay.');
    await expect(run.result).resolves.toMatchObject({ state: 'waiting-for-tools', asks: [{ callId: 'c2' }] });
    expect(asked).toBe(1);
    expect(world.ledger).toEqual(['paid 5']);
  });

  test('are not requested later if the user said something new after a crash', async () => {
    const world = await createWorld();
    const tools = guarded(world.ledger);
    const place = 'memory:approvals-left';
    const environment = { alive: () => false };
    let dead = false;
    const dying = faultyStore(await open(place, { environment }), () => (dead ? 'lost' : 'fine'));
    // Killed after the answer was recorded and before anybody was asked.
    const onEvent = ({ kind }: { readonly kind: string }) => void (dead ||= kind === 'answer');
    world
      .agent(replies, { tools, store: dying, onEvent })
      .run('s', 'Pay.')
      .result.catch(() => undefined);
    await world.clock.advance(0);
    const store = await open(place, { environment });
    const agent = world.agent([{ text: 'All right.' }, { text: 'Yes.' }], { tools, store });
    await expect(agent.run('s', 'Never mind.').result).resolves.toMatchObject({ text: 'All right.' });
    expect(JSON.stringify(world.requests.at(-1))).toContain('never started');
    await expect(agent.recover('s')).resolves.toMatchObject({ state: 'complete', asks: [], unsettled: [] });
    const asked: unknown[] = [];
    const onApproval = async (ask: unknown) => {
      asked.push(ask);
      return 'allow' as const;
    };
    await world.agent([{ text: 'Yes.' }], { tools, store, onApproval }).run('s', 'Still there?').result;
    expect(asked).toEqual([]);
    expect(world.ledger).toEqual(['paid 5']);
    for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
  });

  test.each([
    ['a no', undefined],
    ['another word of the user', 'Forget it.'],
  ])('are no longer awaited if the process was killed right after %s was recorded', async (_, input) => {
    const world = await createWorld();
    const tools = guarded(world.ledger);
    const place = `memory:approvals-closed-${input}`;
    const environment = { alive: () => false };
    const first = world.agent(replies, { tools, store: await open(place, { environment }) });
    await first.run('s', 'Pay.').result;
    if (input === undefined) await first.approve('s', { c2: 'deny' });
    let dead = false;
    const dying = faultyStore(await open(place, { environment }), (name) => {
      if (dead) return 'lost';
      dead = name === 'append';
      return dead ? 'unanswered' : 'fine';
    });
    world
      .agent(replies.slice(1), { tools, store: dying })
      .run('s', input)
      .result.catch(() => undefined);
    await world.clock.advance(0);
    expect(dead).toBe(true);
    const last = world.agent(replies.slice(1), { tools, store: await open(place, { environment }) });
    await expect(last.recover('s')).resolves.toMatchObject({ asks: [] });
    await expect(last.run('s').result).resolves.toMatchObject({ state: 'complete', text: 'Done.' });
    expect(world.ledger).toEqual(['paid 5']);
  });

  test('are not requested again after a crash, and the call still runs at most once', async () => {
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
