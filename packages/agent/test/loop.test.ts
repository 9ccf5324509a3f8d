import { describe, expect, test } from 'vitest';

import { SCRIPTED_DIALECTS } from '../src/index.ts';
import { refusalOf } from './three-steps.ts';
import { createWorld } from './world.ts';

describe.each(SCRIPTED_DIALECTS)('a run in %s', (dialect) => {
  test('asks, runs tools concurrently, and asks again until there is an answer', async () => {
    const world = await createWorld();
    const calls = [
      { callId: 'c1', tool: 'look', input: { name: 'a' } },
      { callId: 'c2', tool: 'send', input: { name: 'b' } },
    ];
    const run = world.agent([{ text: 'Let me look.', calls }, { text: 'All done.' }], { dialect }).run('s', 'Do it.');
    const kinds: string[] = [];
    for await (const { kind } of run) kinds.push(kind);
    expect(await run.result).toMatchObject({ state: 'complete', text: 'All done.', turn: 1, steps: 2 });
    expect(kinds).toEqual(world.events.map(({ kind }) => kind));
    expect(world.ledger.sort()).toEqual(['look c1', 'send c2']);
    expect(world.requests).toHaveLength(2);
    for (const request of world.requests) expect(refusalOf(request, dialect)).toBeUndefined();
    for (const text of ['Let me look.', 'seen a']) expect(JSON.stringify(world.requests[1])).toContain(text);
    expect(world.clock.pending).toBe(0);
  });

  test.each([
    ['length', 'complete', 1],
    ['refusal', 'complete', 1],
    ['pause', 'complete', 2],
  ] as const)('that stops with %s ends correctly', async (stop, state, steps) => {
    const world = await createWorld();
    const agent = world.agent([{ text: 'So far.', stop }, { text: 'The rest.' }], { dialect });
    expect(await agent.run('s', 'Go.').result).toMatchObject({ state, steps, stop: stop === 'pause' ? 'end' : stop });
    await agent.run('s', 'More.').result;
    for (const request of world.requests) expect(refusalOf(request, dialect)).toBeUndefined();
  });
});
