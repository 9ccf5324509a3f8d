import { open } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { SCRIPTED_DIALECTS, tool, type Effect, type ModelRequest } from '../src/index.ts';
import { faultyStore } from './faulty-store.ts';
import { refusalOf } from './three-steps.ts';
import { quiet } from './virtual-clock.ts';
import { createWorld, type World } from './world.ts';

type Amount = { readonly amount: number };

const pay = (amount: number) => ({ callId: 'c1', tool: 'pay', input: { amount } });

/** A tool that asks before it pays, and takes longer for larger amounts. */
function toolsOf(
  { ledger, clock }: World,
  { effect, approval }: { effect: Effect; approval: boolean },
  keys: string[] = [],
) {
  return {
    pay: tool<Amount>({
      effect,
      approval,
      run: async ({ amount }, { key }) => {
        keys.push(key);
        ledger.push(`paid ${amount}`);
        await new Promise<void>((resolve) => void clock.after(amount, resolve));
        return `receipt for ${amount}`;
      },
    }),
  };
}

/** What was sent about each call, by its amount. */
function receiptsIn({ messages }: ModelRequest): readonly string[] {
  const sent = JSON.stringify(messages).replaceAll('\\', '');
  const idOf = (amount: number): string => {
    const before = sent.slice(0, sent.indexOf(`"amount":${amount}}`));
    return [...before.matchAll(/"(?:id|call_id|toolCallId)":"([^"]*)"/g)].at(-1)?.[1] ?? '';
  };
  return [500, 5].map((amount) => {
    const result = new RegExp(
      `"(?:tool_use_id|tool_call_id|call_id|toolCallId)":"${idOf(amount)}"[^{}]*(?:{[^{}]*)?receipt for (\\d+)`,
    );
    return `${amount}: ${result.exec(sent.slice(sent.lastIndexOf('"amount"')))?.[1]}`;
  });
}

describe('calls of one answer with the same id', () => {
  test.each(SCRIPTED_DIALECTS)('each get their own result, whichever comes first (%s)', async (dialect) => {
    const world = await createWorld();
    const tools = toolsOf(world, { effect: 'keyed', approval: false });
    const replies = [{ calls: [pay(500), pay(5)] }, { text: 'Done.' }];
    const run = world.agent(replies, { tools, dialect }).run('s', 'Pay.');
    await world.clock.advance(1000);
    await run.result;
    const request = world.requests.at(-1) as ModelRequest;
    expect(refusalOf(request, dialect)).toBeUndefined();
    expect(receiptsIn(request)).toEqual(['500: 500', '5: 5']);
  });

  test('are approved in order, and each has its own key', async () => {
    const world = await createWorld();
    const keys: string[] = [];
    const asked: unknown[] = [];
    const tools = toolsOf(world, { effect: 'keyed', approval: true }, keys);
    const run = world
      .agent([{ calls: [pay(5), pay(500), pay(7)] }, { text: 'Done.' }], {
        tools,
        onApproval: async ({ input }) => {
          asked.push((input as Amount).amount);
          return (input as Amount).amount === 500 ? 'deny' : 'allow';
        },
      })
      .run('s', 'Pay.');
    await world.clock.advance(1000);
    await run.result;
    expect(asked).toEqual([5, 500, 7]);
    expect(world.ledger).toEqual(['paid 5', 'paid 7']);
    expect(new Set(keys).size).toBe(2);
  });

  test.each(['once', 'keyed', 'read'] as const)(
    'each wait for their own decision, over restarts (%s)',
    async (effect) => {
      const world = await createWorld();
      const keys: string[] = [];
      const replies = ({ messages }: ModelRequest) =>
        JSON.stringify(messages).includes('receipt') ? { text: 'Done.' } : { calls: [pay(5), pay(500)] };
      const start = () => world.agent(replies, { tools: toolsOf(world, { effect, approval: true }, keys) });
      const go = async (input?: string) => {
        const run = start().run('s', input);
        await world.clock.advance(1000);
        return run.result;
      };
      await expect(go('Pay.')).resolves.toMatchObject({ asks: [{ callId: 'c1', input: { amount: 5 } }] });
      await start().approve('s', { c1: 'allow' });
      await expect(go()).resolves.toMatchObject({ asks: [{ callId: 'c1', input: { amount: 500 } }] });
      await expect(go()).resolves.toMatchObject({ state: 'waiting-for-tools' });
      await expect(start().recover('s')).resolves.toMatchObject({ asks: [{ input: { amount: 500 } }] });
      expect(world.ledger).toEqual(['paid 5']);
      await start().approve('s', { c1: 'allow' });
      await expect(go()).resolves.toMatchObject({ text: 'Done.' });
      expect(world.ledger).toEqual(['paid 5', 'paid 500']);
      expect(new Set(keys).size).toBe(2);
      expect(world.requests).toHaveLength(2);
      for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
    },
  );

  /** A session whose process was killed after the first of two calls was allowed. */
  const killed = async (world: World, place: string, effect: Effect) => {
    const environment = { alive: () => false };
    let dead = false;
    const dying = faultyStore(await open(place, { environment }), () => (dead ? 'lost' : 'fine'));
    const never = new Promise<never>(() => undefined);
    const first = world.agent([{ calls: [pay(5), pay(500)] }], {
      tools: toolsOf(world, { effect, approval: true }),
      store: dying,
      onApproval: ({ input }) => ((input as Amount).amount === 5 ? Promise.resolve('allow') : never),
    });
    first.run('s', 'Pay.').result.catch(() => undefined);
    await quiet();
    dead = true;
    expect(world.ledger).toEqual(['paid 5']);
    return open(place, { environment });
  };

  test.each([
    ['keyed', 'by-effect', { again: ['paid 5'], asks: [] }],
    ['read', 'by-effect', { again: ['paid 5'], asks: [{ input: { amount: 500 } }] }],
    ['read', 'the second', { again: [], asks: [{ input: { amount: 500 } }] }],
  ] as const)(
    'are not allowed by a decision about another one: %s, %s again',
    async (effect, which, { again, asks }) => {
      const world = await createWorld();
      const store = await killed(world, `memory:shared-ids-${effect}-${which}`, effect);
      const decide = ({ input }: { readonly input: unknown }) =>
        JSON.stringify(input).includes('500') ? ('re-execute' as const) : ('close' as const);
      const tools = toolsOf(world, { effect, approval: true });
      const unsettled = which === 'by-effect' ? which : decide;
      const run = world.agent([{ text: 'Done.' }], { tools, store, unsettled }).run('s');
      await world.clock.advance(1000);
      await expect(run.result).resolves.toMatchObject({ asks });
      expect(world.ledger).toEqual(['paid 5', ...again]);
    },
  );

  test('each get their own result, even if the second is closed and the first runs again', async () => {
    const world = await createWorld();
    const store = await killed(world, 'memory:shared-ids-order', 'read');
    const unsettled = ({ input }: { readonly input: unknown }) =>
      JSON.stringify(input).includes('500') ? ('close' as const) : ('re-execute' as const);
    const tools = toolsOf(world, { effect: 'read', approval: true });
    const run = world.agent([{ text: 'Done.' }], { tools, store, unsettled }).run('s');
    await world.clock.advance(1000);
    await expect(run.result).resolves.toMatchObject({ text: 'Done.' });
    expect(receiptsIn(world.requests.at(-1) as ModelRequest)).toEqual(['500: undefined', '5: 5']);
  });
});
