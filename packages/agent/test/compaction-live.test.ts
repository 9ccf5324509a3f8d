import { toWire } from '@rethread/core';
import { call, createSimulator, reply, type Simulator } from '@rethread/simulator';
import { open } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { KEY, useScrubbedEnvironment } from '../../simulator/test/clients/surroundings.ts';
import { createAgent, noTracing, tool, type Clock, type ModelError, type ModelPort } from '../src/index.ts';
import { anthropic } from '../src/ports/anthropic.ts';
import { PROVIDERS } from './ports/providers.ts';

useScrubbedEnvironment();

const TURNS = 6;
const tools = {
  read: tool<{ path: string }>({ effect: 'read', run: ({ path }) => `contents of ${path} `.repeat(60) }),
};

const isSummary = (body: unknown): boolean => JSON.stringify(body).includes('You write the summary');

type Said = ReturnType<typeof reply>;
const written = (): Said => reply('## Goal\n- read the files');
const refused = (): Said => reply("I'm sorry, I can't help with that.");

const simulate = (faults: string | undefined, summary: () => Said): Promise<Simulator> =>
  createSimulator({
    key: KEY,
    keepBodies: true,
    ...(faults === undefined ? {} : { faults }),
    model: ({ step, body }) => {
      if (isSummary(body)) return summary();
      if (step > 0) return reply('That is all.');
      return reply(call('read', { path: 'a.md' }), call('read', { path: 'b.md' }));
    },
  });

/** Waits between attempts are a hundred times shorter. */
const hurriedClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms / 100);
    return () => clearTimeout(timer);
  },
};

type Conversation = {
  /** The outcomes of the runs. */
  readonly ends: readonly string[];
  readonly checkpoints: number;
  /** The session's content after every compaction is undone. */
  readonly restored: string;
  readonly refusals: readonly unknown[];
};

/** Six turns on a session that is kept short. */
async function converse(simulator: Simulator, model: ModelPort): Promise<Conversation> {
  const store = await open('memory:');
  const options = { model, tools, store, tracing: noTracing, env: {}, maxTokens: 4096, clock: hurriedClock };
  const agent = createAgent({ ...options, compaction: { budgetTokens: 900 } });
  const ends: string[] = [];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const { result } = agent.run('s', `Question ${turn}.`);
    ends.push(
      await result.then(
        ({ state }) => state,
        (error: unknown) => (error as ModelError).kind,
      ),
    );
  }
  const session = await store.session('s');
  const checkpoints = (await session.load()).filter(({ kind }) => kind === 'checkpoint').length;
  for (let count = checkpoints; count > 0; count -= 1) await session.uncompact();
  const history = await session.project();
  const restored = JSON.stringify(toWire(history as Parameters<typeof toWire>[0]));
  return { ends, checkpoints, restored, refusals: simulator.verdicts.flatMap((verdict) => verdict.refusals) };
}

function expectHealthy({ checkpoints, restored, refusals }: Conversation): void {
  expect(refusals).toEqual([]);
  expect(checkpoints).toBeGreaterThan(0);
  for (let turn = 1; turn <= TURNS; turn += 1) expect(restored).toContain(`Question ${turn}.`);
  expect(restored).not.toContain('[Summary of the earlier conversation]');
}

const WHOLE = Array.from({ length: TURNS }, () => 'complete');

test('a history that leaves no room for the answer is compacted and sent again', async () => {
  const words =
    'input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or ' +
    '`max_tokens` and try again';
  await using simulator = await simulate(undefined, written);
  const sizes: number[] = [];
  let refusals = 0;
  const strict: typeof fetch = (input, init) => {
    const body = JSON.stringify(init?.body);
    if (!isSummary(body)) sizes.push(body.length);
    // Too long from the fifth question on, until something is left out.
    if (refusals > 0 || !body.includes('Question 5.')) return fetch(input, init);
    refusals += 1;
    const error = { type: 'error', error: { type: 'invalid_request_error', message: words } };
    return Promise.resolve(Response.json(error, { status: 400 }));
  };
  const model = anthropic({
    model: 'claude-sonnet-4-5',
    apiKey: KEY,
    baseURL: simulator.baseUrls.anthropic,
    fetch: strict,
  });
  const store = await open('memory:');
  const agent = createAgent({ model, tools, store, tracing: noTracing, env: {}, maxTokens: 8192, clock: hurriedClock });
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await expect(agent.run('s', `Question ${turn}.`).result).resolves.toMatchObject({ state: 'complete' });
  }
  const session = await store.session('s');
  expect((await session.load()).filter(({ kind }) => kind === 'checkpoint')).toHaveLength(1);
  const refused = sizes.findIndex((size, index) => index > 0 && size < Number(sizes[index - 1]));
  expect([refusals, refused > 0]).toEqual([1, true]);
  expect(simulator.verdicts.flatMap((verdict) => verdict.refusals)).toEqual([]);
});

describe.each(PROVIDERS)('compaction on $name', ({ port }) => {
  test('asks without tools, and every later request is accepted', async () => {
    await using simulator = await simulate(undefined, written);
    const conversation = await converse(simulator, port(simulator));
    expectHealthy(conversation);
    expect(conversation.ends).toEqual(WHOLE);
    const asked = simulator.verdicts.filter(({ body }) => isSummary(body));
    expect(asked.length).toBeGreaterThan(0);
    for (const { body } of asked) expect((body as { readonly tools?: readonly unknown[] }).tools ?? []).toEqual([]);
  });

  test('that the model refuses changes nothing, until rules do it', async () => {
    await using simulator = await simulate(undefined, refused);
    const conversation = await converse(simulator, port(simulator));
    expectHealthy(conversation);
    expect(conversation.ends).toEqual(WHOLE);
    expect(simulator.verdicts.filter(({ body }) => isSummary(body))).toHaveLength(3);
  });

  test.each(['overflow', '429'])('survives the fault %s at any request', async (fault) => {
    const under = async (request: number): Promise<Conversation> => {
      await using simulator = await simulate(`${fault}@${request}`, written);
      return await converse(simulator, port(simulator));
    };
    const requests = Array.from({ length: 14 }, (_, index) => index + 1);
    for (const [index, conversation] of (await Promise.all(requests.map(under))).entries()) {
      expectHealthy(conversation);
      // Before anything can be left out, a session too long for its model cannot continue.
      const lost = conversation.ends.filter((end) => end !== 'complete');
      expect(lost).toEqual(fault === 'overflow' && index === 0 ? ['overflow'] : []);
    }
  });
});
