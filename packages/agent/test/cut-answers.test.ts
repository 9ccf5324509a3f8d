import { call, reply } from '@rethread/simulator';
import { open } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { useSimulator } from '../../simulator/test/clients/surroundings.ts';
import { createAgent, noTracing, SCRIPTED_DIALECTS, tool, type ScriptedReply } from '../src/index.ts';
import { PROVIDERS } from './ports/providers.ts';
import { refusalOf } from './three-steps.ts';
import { createWorld, type World } from './world.ts';

const simulator = useSimulator();

const cutBy = (stop: 'length' | 'refusal', ...inputs: readonly unknown[]): ScriptedReply => ({
  text: 'Sending.',
  calls: inputs.map((input, index) => ({ callId: `c${index + 1}`, tool: 'send', input })),
  stop,
});

/** A copy of the session as it was when the newest answer was recorded. */
async function leftAfterAnswer({ store }: World, id: string): Promise<void> {
  const records = await (await store.session('s')).load();
  const answer = records.findIndex(({ data }) => (data as { state?: string }).state === 'waiting-for-tools');
  const session = await store.create({ id });
  await session.append(records.slice(0, answer + 1).map(({ kind, data }) => ({ kind, data })));
  await session.close();
}

describe.each(SCRIPTED_DIALECTS)('an interrupted answer in %s', (dialect) => {
  test.each([
    ['length', {}],
    ['length', { name: 'half' }],
    ['refusal', { name: 'half' }],
  ] as const)('by %s inside a call does not run it, and the model is told', async (stop, input) => {
    const world = await createWorld();
    const agent = world.agent([cutBy(stop, { name: 'whole' }, input), { text: 'Again.' }], { dialect });
    await expect(agent.run('s', 'Go.').result).resolves.toMatchObject({ text: 'Again.', steps: 2 });
    expect(world.ledger).toEqual(['send c1']);
    expect(JSON.stringify(world.requests[1])).toContain('its input may not be whole');
    for (const request of world.requests) expect(refusalOf(request, dialect)).toBeUndefined();
  });

  test.each(['by-effect', 're-execute', 'close', 'remove', 'ask'] as const)(
    'in a call that never started does not run it later either (%s)',
    async (unsettled) => {
      const world = await createWorld();
      await world.agent([cutBy('length', {}), { text: 'Again.' }], { dialect }).run('s', 'Go.').result;
      await leftAfterAnswer(world, 'left');
      const agent = world.agent([{ text: 'Later.' }], { dialect, unsettled });
      const { unsettled: found } = await agent.recover('left');
      expect(found).toMatchObject([{ call: { mayHaveRun: false, cut: true } }]);
      await expect(agent.run('left').result).resolves.toMatchObject({ text: 'Later.' });
      expect(world.ledger).toEqual([]);
      for (const request of world.requests) expect(refusalOf(request, dialect)).toBeUndefined();
    },
  );
});

test('a call followed by more output is complete', async () => {
  const world = await createWorld();
  const content = [
    { type: 'tool_use', id: 'toolu_1', name: 'send', input: {} },
    { type: 'text', text: 'That was sent, and n' },
  ];
  const dialect = 'anthropic-messages';
  const session = await world.store.create({ id: 's' });
  await session.append([
    { kind: 'message', data: { dialect, wire: { role: 'user', content: 'Go.' }, turn: 1, step: 1 } },
    { kind: 'message', data: { dialect, wire: { role: 'assistant', content }, turn: 1, step: 1, cut: true } },
    { kind: 'state', data: { state: 'waiting-for-tools', turn: 1, step: 1, stop: 'length' } },
  ]);
  await session.close();
  await world.agent([{ text: 'Yes.' }], { dialect }).run('s').result;
  expect(world.ledger).toEqual(['send toolu_1']);
});

describe.each(PROVIDERS)('$name', ({ port }) => {
  test.each([
    ['half of a text', '{"path":"a', 'length'],
    ['nothing', '', 'length'],
    ['half of a string, as if it were complete', '{"path":"a', 'calls'],
    ['more than one text', '{"path":"a"}{"path":"b"}', 'calls'],
  ] as const)('a call with %s as input does not run', async (_, input, stop) => {
    const store = await open('memory:');
    simulator().script({ ...reply('Reading.', call('read', input)), stop }, 'Once more.');
    let runs = 0;
    const read = tool({ effect: 'once', run: () => String((runs += 1)) });
    const agent = createAgent({ store, model: port(simulator()), tools: { read }, tracing: noTracing, env: {} });
    await expect(agent.run('s', 'Read it.').result).resolves.toMatchObject({ text: 'Once more.', steps: 2 });
    expect(runs).toBe(0);
    expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true, true]);
    const results = (await (await store.session('s')).load()).filter(({ kind }) => kind === 'call.settled');
    expect(results).toMatchObject([{ data: { error: true, text: expect.stringContaining('whole') } }]);
    await store.close();
  });
});
