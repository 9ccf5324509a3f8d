import { estimateTokens, toWire, type Dialect } from '@rethread/core';
import type { Session } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { ModelError, scripted, SCRIPTED_DIALECTS, tool, type ModelRequest, type ScriptedReply } from '../src/index.ts';
import { refusalOf } from './three-steps.ts';
import { createWorld, type World } from './world.ts';

const SUMMARY = '## Goal\n- look at everything\n## Open tasks\n- none recorded';

const tools = { look: tool({ effect: 'read', run: () => 'many things were seen '.repeat(60) }) };
const small = { budgetTokens: 700 } as const;

/** Only summary requests have no tools. */
const isSummary = ({ tools: declared }: ModelRequest): boolean => declared.length === 0;

/** Every turn looks once and answers; the test provides the summaries. */
function model(summary: (count: number) => ScriptedReply = () => ({ text: SUMMARY })) {
  let [turns, summaries] = [0, 0];
  let looked = false;
  return (request: ModelRequest): ScriptedReply => {
    if (isSummary(request)) return summary((summaries += 1));
    looked = !looked;
    if (!looked) return { text: `Answer ${turns}.` };
    turns += 1;
    return { text: 'Looking.', calls: [{ callId: `call_${turns}`, tool: 'look', input: { turn: turns } }] };
  };
}

const sessionOf = ({ store }: World): Promise<Session> => store.session('s');

const kindsOf = async (world: World, kind: string): Promise<number> =>
  (await (await sessionOf(world)).load()).filter((record) => record.kind === kind).length;

async function wireOf(session: Session): Promise<readonly unknown[]> {
  const history = await session.project();
  return history === undefined ? [] : toWire(history);
}

const talk = (requests: readonly ModelRequest[]): ModelRequest[] => requests.filter((each) => !isSummary(each));

/** The next input must reach a provider that accepts it. */
function expectAccepted(world: World, dialect: Dialect = 'openai-chat'): void {
  for (const request of world.requests) expect(refusalOf(request, dialect)).toBeUndefined();
}

describe('compaction with plain options', () => {
  test.each(SCRIPTED_DIALECTS)('in %s keeps the session short, sendable and undoable', async (dialect) => {
    const world = await createWorld();
    const agent = world.agent(model(), { dialect, tools, compaction: small });
    for (let turn = 1; turn <= 10; turn += 1) await agent.run('s', `Question ${turn}.`).result;
    expect(await kindsOf(world, 'checkpoint')).toBeGreaterThan(1);
    expectAccepted(world, dialect);
    const last = JSON.stringify(talk(world.requests).at(-1));
    expect(last).toContain('look at everything');
    expect(last).toContain('Question 10.');
    expect(last).not.toContain('Question 2.');

    const plain = await createWorld();
    const patient = plain.agent(model(), { dialect, tools });
    for (let turn = 1; turn <= 10; turn += 1) await patient.run('s', `Question ${turn}.`).result;
    const session = await sessionOf(world);
    for (let count = await kindsOf(world, 'checkpoint'); count > 0; count -= 1) await session.uncompact();
    expect(await wireOf(session)).toEqual(await wireOf(await sessionOf(plain)));
  });

  test('asks the same model without tools and describes calls and results in words', async () => {
    const world = await createWorld();
    const agent = world.agent(model(), { tools, compaction: small, system: 'Be brief.' });
    for (let turn = 1; turn <= 6; turn += 1) await agent.run('s', `Question ${turn}.`).result;
    const [asked] = world.requests.filter(isSummary);
    expect(asked?.messages).toHaveLength(1);
    expect(asked?.messages[0]).toEqual({ role: 'user', content: expect.stringContaining('many things were seen') });
    expect(asked?.system).not.toContain('Be brief.');
    // It is neither shown nor recorded as an answer.
    expect(world.events.filter(({ kind }) => kind === 'answer')).toHaveLength(12);
    expect(world.events.flatMap((event) => (event.kind === 'text' ? [event.text] : [])).join('')).not.toContain('Goal');
  });

  test('true takes the defaults', async () => {
    const world = await createWorld();
    const big = { look: tool({ effect: 'read', run: () => 'many things were seen '.repeat(4000) }) };
    const agent = world.agent(model(), { tools: big, compaction: true });
    for (let turn = 1; turn <= 4; turn += 1) await agent.run('s', `Question ${turn}.`).result;
    expect(await kindsOf(world, 'checkpoint')).toBeGreaterThan(0);
    expectAccepted(world);
    expect(estimateTokens(await wireOf(await sessionOf(world)))).toBeLessThan(40_000);
  });

  test('false or undefined never compacts', async () => {
    const world = await createWorld();
    const agent = world.agent(model(), { tools, compaction: false });
    for (let turn = 1; turn <= 8; turn += 1) await agent.run('s', `Question ${turn}.`).result;
    expect([await kindsOf(world, 'checkpoint'), world.requests.some(isSummary)]).toEqual([0, false]);
  });

  test('uses the last token count of the provider', async () => {
    const checkpointsAt = async (share: number): Promise<number> => {
      const world = await createWorld();
      const spoken = model();
      const replies = (request: ModelRequest): ScriptedReply => {
        const { system, tools: declared, messages } = request;
        const estimated = estimateTokens(messages) + estimateTokens(JSON.stringify(declared)) + Number(system ?? 0);
        return { ...spoken(request), usage: { input: Math.round(estimated * share), output: 1 } };
      };
      const agent = world.agent(replies, { tools, compaction: { ...small, trigger: { tokens: 1300 } } });
      for (let turn = 1; turn <= 4; turn += 1) await agent.run('s', `Question ${turn}.`).result;
      return kindsOf(world, 'checkpoint');
    };
    expect([await checkpointsAt(1), await checkpointsAt(2), await checkpointsAt(0)]).toEqual([0, 1, 0]);
  });

  test('another model may write the summary, and a ladder without summaries asks none', async () => {
    const world = await createWorld();
    const prompts: string[] = [];
    const other = async ({ text }: { readonly text: string }): Promise<string> => {
      prompts.push(text);
      return SUMMARY;
    };
    const agent = world.agent(model(), { tools, compaction: { ...small, model: other } });
    for (let turn = 1; turn <= 6; turn += 1) await agent.run('s', `Question ${turn}.`).result;
    expect([prompts.length > 0, world.requests.some(isSummary)]).toEqual([true, false]);

    const ruled = await createWorld();
    const byRules = ruled.agent(model(), { tools, compaction: { ...small, ladder: ['rule-summary'] } });
    for (let turn = 1; turn <= 6; turn += 1) await byRules.run('s', `Question ${turn}.`).result;
    expect(await kindsOf(ruled, 'checkpoint')).toBeGreaterThan(0);
    expect(ruled.requests.some(isSummary)).toBe(false);
    expectAccepted(ruled);
  });

  test('keeps a pinned message once', async () => {
    const world = await createWorld();
    const agent = world.agent(model(), { tools, compaction: small });
    await agent.run('s', 'Never touch the cellar.').result;
    const session = await sessionOf(world);
    await session.pin((await session.load()).find(({ kind }) => kind === 'message')?.seq ?? 0);
    for (let turn = 2; turn <= 12; turn += 1) await agent.run('s', `Question ${turn}.`).result;
    expect(await kindsOf(world, 'checkpoint')).toBeGreaterThan(1);
    expect(JSON.stringify(talk(world.requests).at(-1)).split('Never touch the cellar.')).toHaveLength(2);
    expectAccepted(world);
  });

  const FAILURES: readonly (readonly [string, ScriptedReply])[] = [
    ['an overflow', { error: new ModelError('overflow', 'prompt is too long') }],
    ['a rate limit', { error: new ModelError('rate', 'slow down') }],
    ['a refusal', { text: "I'm sorry, I can't help with that.", stop: 'refusal' }],
    ['a call', { calls: [{ callId: 'call_x', tool: 'look' }] }],
    ['a permanent error', { error: new ModelError('auth', 'no') }],
    ['a stream that is cut', { text: SUMMARY, error: new ModelError('cut', 'cut'), errorAfter: 1 }],
    ['silence', { text: SUMMARY, hangAfter: 1, error: new ModelError('stalled', 'no'), errorAfter: 9 }],
  ];

  test.each(FAILURES)('answered by %s changes nothing, and after three such answers rules do it', async (_, reply) => {
    const world = await createWorld();
    const replies = model(() => reply);
    for (let turn = 1; turn <= 8; turn += 1) {
      // A new agent each time: the failures are known from the log.
      const agent = world.agent(replies, { tools, compaction: { budgetTokens: 500 } });
      const over = agent.run('s', `Question ${turn}.`).result;
      await world.clock.advance(400_000);
      await expect(over).resolves.toMatchObject({ state: 'complete' });
      const failures = (await (await sessionOf(world)).load()).flatMap(({ kind, data }) =>
        kind === 'note' && (data as { about: string }).about === 'compaction' ? [data as { failures: number }] : [],
      );
      if (failures.length < 3) expect(await kindsOf(world, 'checkpoint')).toBe(0);
      expect(failures.map((each) => each.failures)).toEqual([1, 2, 3].slice(0, failures.length));
    }
    const asked = world.requests.filter(isSummary).length;
    expect([asked >= 3, asked <= 36]).toEqual([true, true]);
    expect(await kindsOf(world, 'checkpoint')).toBeGreaterThan(0);
    expect(world.clock.pending).toBe(0);
    expectAccepted(world);
  });

  test('retries if a wait helps', async () => {
    const world = await createWorld();
    const busy = { error: new ModelError('rate', 'slow down', { retryAfterMs: 5_000 }) };
    const replies = model((count) => (count === 1 ? busy : { text: SUMMARY }));
    const agent = world.agent(replies, { tools, compaction: small });
    for (let turn = 1; turn <= 5; turn += 1) {
      const over = agent.run('s', `Question ${turn}.`).result;
      await world.clock.advance(20_000);
      await over;
    }
    expect(await kindsOf(world, 'checkpoint')).toBeGreaterThan(0);
    expect(JSON.stringify(await (await sessionOf(world)).load())).not.toContain('"about":"compaction"');
  });

  test('is ended by a stop and leaves the session unchanged', async () => {
    const world = await createWorld();
    const patient = world.agent(model(), { tools });
    for (let turn = 1; turn <= 4; turn += 1) await patient.run('s', `Question ${turn}.`).result;
    const hanging = model(() => ({ hangAfter: 1, text: SUMMARY }));
    const run = world.agent(hanging, { tools, compaction: small }).run('s', 'Question 5.');
    await world.clock.advance(1000);
    expect(world.requests.some(isSummary)).toBe(true);
    run.abort('enough');
    await run.result.catch(() => undefined);
    expect([await kindsOf(world, 'checkpoint'), world.clock.pending]).toEqual([0, 0]);
    const again = world.agent([{ text: 'Here.' }], { tools });
    await expect(again.run('s', 'Still there?').result).resolves.toMatchObject({ text: 'Here.' });
    expectAccepted(world);
  });
});

test('a stop during the compaction after the last answer replaces the client', async () => {
  const world = await createWorld();
  const port = scripted({ replies: [{ text: 'Here.' }] });
  const compaction = { isDue: () => true, shorten: () => new Promise<never>(() => undefined) };
  const run = world.agent([], { model: port, compaction }).run('s', 'Go.');
  await world.clock.advance(10);
  run.abort('enough');
  await expect(run.result).resolves.toMatchObject({ state: 'complete', text: 'Here.' });
  expect(port.renewals()).toBe(1);
});

describe('a session that is too long for its model', () => {
  const overflow = { error: new ModelError('overflow', 'prompt is too long') };
  /** Accepts no more than this. */
  const within = (tokens: number, spoken: (request: ModelRequest) => ScriptedReply) => (request: ModelRequest) =>
    !isSummary(request) && estimateTokens(request.messages) > tokens ? overflow : spoken(request);

  test.each([
    ['by the model', () => ({ text: SUMMARY })],
    ['by rules if the model fails', () => ({ error: new ModelError('auth', 'no') })],
  ] as const)('is compacted once %s and sent again, whatever the budget', async (_, summary) => {
    const world = await createWorld();
    const agent = world.agent(within(1400, model(summary)), { tools, compaction: true });
    for (let turn = 1; turn <= 6; turn += 1) await agent.run('s', `Question ${turn}.`).result;
    expect(await kindsOf(world, 'checkpoint')).toBeGreaterThan(0);
    expect(JSON.stringify(talk(world.requests).at(-1))).toContain('Question 6.');
    expectAccepted(world);
    const session = await sessionOf(world);
    for (let count = await kindsOf(world, 'checkpoint'); count > 0; count -= 1) await session.uncompact();
    expect(JSON.stringify(await wireOf(session))).toContain('Question 1.');
  });

  test('fails after one compaction that did not help', async () => {
    const world = await createWorld();
    const patient = world.agent(model(), { tools });
    for (let turn = 1; turn <= 4; turn += 1) await patient.run('s', `Question ${turn}.`).result;
    world.requests.length = 0;
    const agent = world.agent(within(1, model()), { tools, compaction: true });
    await expect(agent.run('s', 'And now?').result).rejects.toMatchObject({ kind: 'overflow' });
    expect([talk(world.requests).length, await kindsOf(world, 'checkpoint')]).toEqual([2, 1]);
  });

  test('is compacted by rules at the first request of a run without a compaction option', async () => {
    const world = await createWorld();
    const patient = world.agent(model(), { tools });
    for (let turn = 1; turn <= 6; turn += 1) await patient.run('s', `Question ${turn}.`).result;
    world.requests.length = 0;
    const agent = world.agent(within(1400, model()), { tools });
    await expect(agent.run('s', 'Question 7.').result).resolves.toMatchObject({ state: 'complete' });
    expect([world.requests.some(isSummary), await kindsOf(world, 'checkpoint')]).toEqual([false, 1]);
    expect(JSON.stringify(world.requests[1])).toContain('Question 7.');
    expectAccepted(world);
    const notes = (await (await sessionOf(world)).load()).flatMap(({ data }) =>
      (data as { about?: string } | null)?.about === 'retry' ? [data] : [],
    );
    expect(notes).toEqual([expect.objectContaining({ why: 'overflow', attempt: 1 })]);
  });

  test('is compacted after a history repair, and the other way round', async () => {
    const refused = { error: new ModelError('refused-history', 'messages.0: no', { status: 400 }) };
    for (const order of [
      [refused, overflow],
      [overflow, refused],
    ]) {
      const world = await createWorld();
      const patient = world.agent(model(), { tools });
      for (let turn = 1; turn <= 6; turn += 1) await patient.run('s', `Question ${turn}.`).result;
      const agent = world.agent([...order, { text: 'Here.' }], { tools });
      await expect(agent.run('s', 'Question 7.').result).resolves.toMatchObject({ text: 'Here.' });
    }
  });

  test('that nothing can shorten fails with an error that says so', async () => {
    const world = await createWorld();
    const agent = world.agent(within(1, model()), { tools });
    const failed = agent.run('s', 'Hello?').result;
    await expect(failed).rejects.toMatchObject({ kind: 'overflow' });
    await expect(failed).rejects.toThrow('nothing in it could be made shorter: prompt is too long');
    expect(world.requests).toHaveLength(1);
  });

  test.each([
    ['a result that fills more than any window', () => 'x'.repeat(9_000_000)],
    ['a result that no request can carry', () => 'word '.repeat(8_000_000)],
  ])('by %s is compacted before anything is sent, and continues', async (_, run) => {
    const world = await createWorld();
    const target = { dialect: 'anthropic-messages', model: 'claude-sonnet-4-5' } as const;
    const calls = [{ callId: 'toolu_1', tool: 'look', input: {} }];
    const replies = [{ calls }, { text: 'Much.' }];
    const port = scripted({ target, replies, onRequest: (request) => void world.requests.push(request) });
    const agent = world.agent([], { model: port, tools: { look: tool({ effect: 'read', run }) } });
    await expect(agent.run('s', 'Look.').result).resolves.toMatchObject({ text: 'Much.', steps: 2 });
    expect([world.requests.length, await kindsOf(world, 'checkpoint')]).toEqual([2, 1]);
    expectAccepted(world, 'anthropic-messages');
    await expect(agent.run('s', 'And now?').result).resolves.toMatchObject({ state: 'complete' });
    const without = world.agent([], { model: port, tools: { look: tool({ effect: 'read', run }) }, compaction: false });
    await (await sessionOf(world)).uncompact();
    await expect(without.run('s', 'Look.').result).rejects.toThrow('too long');
  });

  test('fails at once if compaction is turned off', async () => {
    const world = await createWorld();
    const patient = world.agent(model(), { tools });
    for (let turn = 1; turn <= 6; turn += 1) await patient.run('s', `Question ${turn}.`).result;
    world.requests.length = 0;
    const agent = world.agent(within(1400, model()), { tools, compaction: false });
    await expect(agent.run('s', 'Question 7.').result).rejects.toMatchObject({ kind: 'overflow' });
    expect([world.requests.length, await kindsOf(world, 'checkpoint')]).toEqual([1, 0]);
  });
});
