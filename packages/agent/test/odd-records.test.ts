import type { Dialect, SessionRecord } from '@rethread/core';
import type { NewRecord } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { importLog } from '../../store/test/import-log.ts';
import { tool } from '../src/index.ts';
import { standingOf } from '../src/standing.ts';
import { refusalOf } from './three-steps.ts';
import { createWorld } from './world.ts';

describe('a session with unknown records', () => {
  const wire = { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: {} }] };
  const started = { callId: 'c1', tool: 'look', input: {}, key: 'k', effect: 'read', turn: 1, step: 1 };
  const state = 'waiting-for-tools';
  const odd: readonly (readonly [string, NewRecord])[] = [
    ['an empty message', { kind: 'message', data: null }],
    ['a message in a future dialect', { kind: 'message', data: { dialect: 'telepathy', wire } }],
    ['asks that are no list', { kind: 'state', data: { state, asks: 'c1' } }],
    ['asks that are nothing', { kind: 'state', data: { state, asks: [null, { callId: 'c1' }] } }],
    ['nothing that was shown', { kind: 'note', data: { about: 'shown' } }],
    ['an odd shown piece', { kind: 'note', data: { about: 'shown', pieces: [null, { kind: 'text' }] } }],
    ['nothing that was removed', { kind: 'note', data: { about: 'removed' } }],
  ];

  test.each(odd)('is recovered and continues: %s', async (_, record) => {
    for (const unsettled of ['close', 'remove', 're-execute', 'ask', 'by-effect'] as const) {
      const world = await createWorld();
      const hello = { kind: 'message', data: { dialect: 'openai-chat', wire: { role: 'user', content: 'Hi.' } } };
      const call = { kind: 'message', data: { dialect: 'openai-chat', wire, turn: 1, step: 1 } };
      await importLog(world.store, 's', [hello, call, { kind: 'call.started', data: started }, record]);
      const agent = world.agent([{ text: 'Fine.' }]);
      await expect(agent.recover('s', { unsettled })).resolves.toMatchObject({ session: 's' });
      await expect(agent.run('s', 'Go on.').result).resolves.toMatchObject({ text: 'Fine.' });
      for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
    }
  });

  test('keeps waiting for a call with an invalid decision', async () => {
    const world = await createWorld();
    const session = await world.store.create({ id: 's' });
    const look = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
    const asked = { role: 'assistant', content: null, tool_calls: [look] };
    await session.append([
      { kind: 'message', data: { dialect: 'openai-chat', wire: asked, turn: 1, step: 1 } },
      { kind: 'state', data: { state, turn: 1, step: 1, asks: [{ callId: 'c1', tool: 'look', input: {} }] } },
      { kind: 'note', data: { about: 'decision', callId: 'c1', decision: 'perhaps' } },
    ]);
    const agent = world.agent([{ text: 'Seen.' }]);
    await expect(agent.run('s').result).resolves.toMatchObject({ state, asks: [{ callId: 'c1' }] });
    expect(world.ledger).toEqual([]);
  });

  test('remembers its refusal although a later one has no text', () => {
    const refused = { about: 'refusal', text: 'messages.1: no', dialect: 'openai-chat' };
    const notes = [refused, { about: 'refusal', text: 5 }, { about: 'refusal' }];
    const records: readonly unknown[] = notes.map((data, index) => ({ seq: index + 1, kind: 'note', data }));
    expect(standingOf(records as readonly SessionRecord[]).refusals).toEqual([refused]);
  });

  test.each([
    ['its key is not known', { callId: 'c1' }, 'keyed'],
    ['its effect was a future one', { ...started, effect: 'undoable' }, 'idempotent'],
  ] as const)('runs no call again of which %s', async (_, data, effect) => {
    const world = await createWorld();
    const session = await world.store.create({ id: 's' });
    const act = { id: 'c1', type: 'function', function: { name: 'act', arguments: '{}' } };
    const acted = { role: 'assistant', content: null, tool_calls: [act] };
    await session.append([
      { kind: 'message', data: { dialect: 'openai-chat', wire: acted, turn: 1, step: 1 } },
      { kind: 'call.started', data },
    ]);
    const tools = { act: tool({ effect, run: () => void world.ledger.push('act') }) };
    await world.agent([{ text: 'Fine.' }], { tools }).recover('s', { unsettled: 're-execute' });
    expect(world.ledger).toEqual([]);
  });
});

test.each(['Hi.', [{ role: 'user', content: 'Hi.' }]])(
  'input for an unknown dialect is not stored: %j',
  async (input) => {
    const world = await createWorld();
    const agent = world.agent([{ text: 'Fine.' }], { dialect: 'anthropic' as string as Dialect });
    await expect(agent.run('s', input).result).rejects.toThrow(/unknown dialect "anthropic"; valid dialects: /);
    expect(await (await world.store.session('s')).load()).toEqual([]);
  },
);
