import { decode, type Dialect, type Part } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { ModelError, SCRIPTED_DIALECTS, type ModelRequest, type ScriptedReply } from '../src/index.ts';
import { expectKept, refusalOf } from './three-steps.ts';
import { createWorld, type World } from './world.ts';

const PAIRS = SCRIPTED_DIALECTS.flatMap((from) =>
  SCRIPTED_DIALECTS.filter((to) => to !== from).map((to) => [from, to] as const),
);

const calling = (name: string): ScriptedReply => ({
  text: `I look at ${name}.`,
  calls: [
    { callId: `call_${name}1`, tool: 'look', input: { name } },
    { callId: `call_${name}2`, tool: 'send', input: { name } },
  ],
});

const partsIn = ({ messages }: ModelRequest, dialect: Dialect): readonly Part[] =>
  decode(messages, dialect)?.messages.flatMap(({ parts }) => parts) ?? [];

/** Every call of a request and the text of its result, in call order. */
function pairsIn(request: ModelRequest, dialect: Dialect): readonly (readonly [string, string])[] {
  const parts = partsIn(request, dialect);
  const results = new Map(parts.flatMap((part) => (part.kind === 'result' ? [[part.callId, part.text]] : [])));
  return parts.flatMap((part) => (part.kind === 'call' ? [[part.callId, results.get(part.callId) ?? 'open']] : []));
}

const rulesOf = async ({ store }: World): Promise<readonly unknown[]> =>
  (await (await store.session('s')).load()).flatMap(({ kind, data }) =>
    kind === 'repair' ? [(data as { rule: string }).rule] : [],
  );

const THIRD = [
  ['call_one1', 'seen one'],
  ['call_one2', '{"sent":"one"}'],
  ['call_two1', 'seen two'],
  ['call_two2', '{"sent":"two"}'],
];

describe.each(PAIRS)('a session that starts in %s and continues in %s', (from, to) => {
  test('keeps the results of both joined with their calls', async () => {
    const world = await createWorld();
    await world.agent([calling('one'), { text: 'Done one.' }], { dialect: from }).run('s', 'One.').result;
    world.requests.length = 0;
    const again = world.agent([calling('two'), { text: 'Done two.' }], { dialect: to });
    await again.run('s', 'Two.').result;
    expect(world.requests.map((request) => refusalOf(request, to))).toEqual([undefined, undefined]);
    const [, last] = world.requests;
    expect(pairsIn(last as ModelRequest, to)).toEqual(THIRD);
    expect(await rulesOf(world)).not.toContain('result-without-call');
    // The model's own output goes back to it as the same object.
    const recorded = (await (await world.store.session('s')).load()).flatMap(({ kind, data }) =>
      kind === 'message' && (data as { dialect: string }).dialect === to ? [(data as { wire: unknown }).wire] : [],
    );
    for (const wire of recorded.slice(0, -1)) expect(JSON.stringify(last?.messages)).toContain(JSON.stringify(wire));
  });

  test('returns to the first one with everything paired', async () => {
    const world = await createWorld();
    await world.agent([calling('one'), { text: 'Done one.' }], { dialect: from }).run('s', 'One.').result;
    await world.agent([calling('two'), { text: 'Done two.' }], { dialect: to }).run('s', 'Two.').result;
    world.requests.length = 0;
    await world.agent([{ text: 'Both done.' }], { dialect: from }).run('s', 'And?').result;
    const [last] = world.requests;
    expect(refusalOf(last as ModelRequest, from)).toBeUndefined();
    expect(pairsIn(last as ModelRequest, from)).toEqual(THIRD);
  });

  test('is resumed there after its tools were interrupted, and no tool runs twice', async () => {
    const world = await createWorld();
    const stuck = { look: { effect: 'read', run: () => new Promise(() => undefined) } } as const;
    const asks = [{ text: 'Looking.', calls: [{ callId: 'call_x', tool: 'look', input: { name: 'x' } }] }];
    await world.agent([{ text: 'Hello.' }], { dialect: from }).run('s', 'Hi.').result;
    const run = world.agent(asks, { dialect: to, tools: stuck, deadlines: { settleMs: 0 } }).run('s', 'Look.');
    const over = run.result.catch(() => undefined);
    await world.clock.advance(1);
    run.abort('enough');
    await world.clock.advance(1);
    await over;
    world.requests.length = 0;
    const shown = [...world.events];
    await world.agent([{ text: 'I see.' }], { dialect: from }).run('s').result;
    const [request] = world.requests;
    expect(refusalOf(request as ModelRequest, from)).toBeUndefined();
    expect(pairsIn(request as ModelRequest, from)).toEqual([['call_x', expect.stringContaining('aborted')]]);
    expectKept(shown, request);
    expect(world.ledger).toEqual([]);
  });
});

test.each([
  ['anthropic-messages', ['user']],
  ['openai-chat', ['user', 'user']],
] as const)('a refusal in %s applies in that dialect and says nothing about another', async (dialect, roles) => {
  const world = await createWorld();
  const { store } = world;
  const session = await store.create({ id: 's' });
  const text =
    'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row';
  const wire = { role: 'user', content: 'One.' };
  await session.append([
    { kind: 'message', data: { dialect: 'anthropic-messages', wire, turn: 1, step: 1 } },
    { kind: 'note', data: { about: 'refusal', text, dialect } },
  ]);
  await session.close();
  await world.agent([{ text: 'Hello.' }], { dialect: 'anthropic-messages' }).run('s', 'Two.').result;
  expect(world.requests[0]?.messages.map((message) => (message as { role: string }).role)).toEqual(roles);
});

test('a refusal is noted with its dialect', async () => {
  const world = await createWorld();
  const refused = new ModelError('refused-history', 'no', { status: 400 });
  await world.agent([{ error: refused }, { text: 'Done.' }], { dialect: 'ai-sdk-model' }).run('s', 'One.').result;
  const noted = (await (await world.store.session('s')).load()).map(({ data }) => data as { about?: string });
  expect(noted.find(({ about }) => about === 'refusal')).toMatchObject({ text: 'no', dialect: 'ai-sdk-model' });
});
