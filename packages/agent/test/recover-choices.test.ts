import { StoreError } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { tool } from '../src/index.ts';
import { refusalOf } from './three-steps.ts';
import { createWorld, type World } from './world.ts';

describe('a decision about an interrupted call', () => {
  const cutOff = async (effect: 'read' | 'keyed'): Promise<World> => {
    const world = await createWorld();
    const session = await world.store.create({ id: 's' });
    const act = { id: 'c1', type: 'function', function: { name: 'act', arguments: '{}' } };
    const wire = { role: 'assistant', content: null, tool_calls: [act] };
    const place = { turn: 1, step: 1 };
    await session.append([
      { kind: 'message', data: { dialect: 'openai-chat', wire: { role: 'user', content: 'Go.' }, ...place } },
      { kind: 'message', data: { dialect: 'openai-chat', wire, ...place } },
      { kind: 'call.started', data: { callId: 'c1', tool: 'act', input: {}, key: 'k', effect, ...place } },
      { kind: 'state', data: { state: 'running-tools', ...place } },
    ]);
    await session.close();
    return world;
  };
  const toolsOf = ({ ledger }: World, effect: 'read' | 'keyed') => ({
    act: tool({ effect, run: () => void ledger.push('act') }),
  });

  test.each(['read', 'keyed'] as const)('does not undo that it may have run: a late denial (%s)', async (effect) => {
    const world = await cutOff(effect);
    const agent = world.agent([{ text: 'All right.' }], { tools: toolsOf(world, effect) });
    await agent.approve('s', { c1: 'deny' });
    await agent.run('s').result;
    expect(world.ledger).toEqual([]);
    const sent = JSON.stringify(world.requests.at(-1));
    expect(sent).toContain('may have run fully, partly or not at all');
    expect(sent).not.toContain('permission for this call was refused');
  });

  test('counts only if it is valid; otherwise nothing was decided', async () => {
    const world = await cutOff('read');
    const agent = world.agent([], { tools: toolsOf(world, 'read') });
    const { unsettled } = await agent.recover('s', { unsettled: () => 'yes' as never });
    expect(unsettled).toMatchObject([{ choice: 'ask' }]);
    expect(world.ledger).toEqual([]);
  });
});

describe('a call in imported messages', () => {
  const given = [
    { role: 'user', content: 'Send it.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'send', arguments: '{}' } }],
    },
  ];

  test.each(['by-effect', 're-execute'] as const)(
    'may have run elsewhere, so it does not run here (%s)',
    async (wish) => {
      const world = await createWorld();
      const agent = world.agent([{ text: 'Was it sent?' }, { text: 'Then I leave it.' }], { unsettled: wish });
      await agent.run('s', given).result;
      const { unsettled } = await agent.recover('s');
      expect(unsettled).toMatchObject([{ call: { callId: 'c1', mayHaveRun: true }, choice: 'close' }]);
      await agent.run('s', 'Yes.').result;
      expect(world.ledger).toEqual([]);
      for (const request of world.requests) {
        expect(JSON.stringify(request)).toContain('may have run fully, partly or not at all');
        expect(refusalOf(request, 'openai-chat')).toBeUndefined();
      }
    },
  );
});

describe('a missing session', () => {
  test('is neither recovered nor created by the attempt', async () => {
    const world = await createWorld();
    const agent = world.agent([{ text: 'Hello.' }]);
    const refused = agent.recover('nobody');
    await expect(refused).rejects.toBeInstanceOf(StoreError);
    await expect(refused).rejects.toMatchObject({ code: 'missing', message: 'there is no session "nobody"' });
    for await (const { id } of world.store.list()) expect(id).toBe('none at all');
    await expect(agent.run('nobody', 'Hi.').result).resolves.toMatchObject({ text: 'Hello.' });
    await expect(agent.recover('nobody')).resolves.toMatchObject({ state: 'complete' });
  });
});

describe('a session that went back', () => {
  const headOf = async ({ store }: World): Promise<number> => (await (await store.session('s')).info()).seq;
  const revert = async ({ store }: World, to: number): Promise<void> => {
    const session = await store.session('s');
    await session.revert({ to });
    await session.close();
  };
  const ask = (callId: string, name: string) => ({ calls: [{ callId, tool: 'pay', input: { name } }] });
  const guarded = (ledger: string[]) => ({
    pay: tool<{ name: string }>({ effect: 'read', approval: true, run: ({ name }) => void ledger.push(name) }),
  });

  test('to a question is answered', async () => {
    const world = await createWorld();
    const agent = world.agent([{ text: 'One.' }, { text: 'Two.' }, { text: 'Better.' }]);
    await agent.run('s', 'First?').result;
    const before = await headOf(world);
    await agent.run('s', 'Second?').result;
    await revert(world, before + 1);
    await expect(agent.run('s').result).resolves.toMatchObject({ text: 'Better.', steps: 1 });
    expect(JSON.stringify(world.requests.at(-1))).toMatch(/One.*Second/);
    expect(JSON.stringify(world.requests.at(-1))).not.toContain('Two.');
  });

  test('to an answer has nothing to continue, whatever was stopped since', async () => {
    const world = await createWorld();
    await world.agent([{ text: 'One.' }]).run('s', 'First?').result;
    const before = await headOf(world);
    const run = world.agent([{ text: 'A long story', hangAfter: 2 }]).run('s', 'Second?');
    await world.clock.advance(10);
    run.abort('enough');
    await run.result.catch(() => undefined);
    await revert(world, before);
    const { length } = world.requests;
    const agent = world.agent([{ text: 'Never said.' }]);
    await expect(agent.recover('s')).resolves.toMatchObject({ state: 'complete', crashed: false });
    await expect(agent.run('s').result).resolves.toMatchObject({ state: 'complete', text: 'One.', steps: 0 });
    expect(world.requests).toHaveLength(length);
  });

  test('behind a waiting call does not wait for it, and waits again when the revert is undone', async () => {
    const world = await createWorld();
    const agent = world.agent([{ text: 'One.' }, ask('c1', 'Ada')], { tools: guarded(world.ledger) });
    await agent.run('s', 'First?').result;
    const before = await headOf(world);
    await agent.run('s', 'Pay.').result;
    await revert(world, before);
    await expect(agent.run('s').result).resolves.toMatchObject({ state: 'complete', text: 'One.', asks: [] });
    await (await world.store.session('s')).unrevert();
    await expect(agent.recover('s')).resolves.toMatchObject({ found: 'waiting-for-tools' });
  });

  test('behind an approval asks again, though another call has the same id', async () => {
    const world = await createWorld();
    const replies = [{ text: 'One.' }, ask('call_0', 'Ada'), ask('call_0', 'Mallory'), { text: 'Done.' }];
    const agent = world.agent(replies, { tools: guarded(world.ledger) });
    await agent.run('s', 'First?').result;
    const before = await headOf(world);
    await agent.run('s', 'Pay.').result;
    await agent.approve('s', { call_0: 'allow' });
    await revert(world, before);
    await agent.run('s', 'Pay the other one.').result;
    await expect(agent.run('s').result).resolves.toMatchObject({ state: 'waiting-for-tools' });
    expect(world.ledger).toEqual([]);
  });
});
