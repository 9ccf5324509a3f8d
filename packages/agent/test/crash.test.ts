import { open } from '@rethread/store';
import type { Dialect } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import {
  createAgent,
  noTracing,
  scripted,
  SCRIPTED_DIALECTS,
  type Agent,
  type AgentEvent,
  type ModelRequest,
  type ScriptedReply,
} from '../src/index.ts';
import { faultyStore, type StoreFault } from './faulty-store.ts';
import { expectKept, refusalOf, THREE_STEPS } from './three-steps.ts';
import { quiet, VirtualClock } from './virtual-clock.ts';
import { recordingTools } from './world.ts';

/**
 * The conversation so far decides the next words, as with a real model. Every process has its own voice, so that
 * nothing lost can come back by accident.
 */
function nextReply({ messages }: ModelRequest, voice: string): ScriptedReply {
  const sent = JSON.stringify(messages);
  const next = THREE_STEPS.find(({ text = '', calls = [] }) => !sent.includes(calls[0]?.callId ?? text));
  return { ...next, text: `${next?.text ?? 'Nothing is left to do.'} ${voice}` };
}

type Crash = {
  /** The store operation at which each process dies, in order. */
  readonly at: readonly number[];
  readonly fault: StoreFault;
  readonly dialect: Dialect;
};

let places = 0;

/** Processes die at a store operation; the next one has proof of it and continues. Returns the number of deaths. */
async function crashAndResume({ at, fault, dialect }: Crash): Promise<number> {
  places += 1;
  const place = `memory:crash-${places}`;
  const ledger: string[] = [];
  const requests: ModelRequest[] = [];
  const events: AgentEvent[] = [];
  let [workers, dead] = [0, 0];
  const worker = async (dies: number): Promise<Agent> => {
    workers += 1;
    const name = `${workers}.`;
    const store = await open(place, { environment: { alive: () => false } });
    const plan = (_: string, count: number): StoreFault => {
      if (count === dies) dead += 1;
      return count < dies ? 'fine' : count === dies ? fault : 'lost';
    };
    return createAgent({
      store: faultyStore(store, plan),
      model: scripted({
        target: { dialect },
        replies: (request) => nextReply(request, name),
        onRequest: (request) => void requests.push(request),
      }),
      tools: recordingTools(ledger),
      clock: new VirtualClock(),
      tracing: noTracing,
      env: {},
      showEveryMs: 0,
      onEvent: (event) => void (dies < Infinity && events.push(event)),
    });
  };
  for (const dies of at) {
    (await worker(dies)).run('s', 'Go.', { inputId: 'the input' }).result.catch(() => undefined);
    await quiet();
  }
  const result = await (await worker(Infinity)).run('s', 'Go.', { inputId: 'the input' }).result;
  expect(result).toMatchObject({ state: 'complete', turn: 1 });
  const session = await (await open(place)).session('s');
  expectKept(events, { messages: [await session.project()], tools: [] });
  expect(requests.map((request) => refusalOf(request, dialect)).find(Boolean)).toBeUndefined();
  for (const effect of ['send call_a3', 'send call_b1']) {
    expect(ledger.filter((each) => each === effect).length).toBeLessThanOrEqual(1);
  }
  for (const effect of ['look call_a1', 'look call_a2', 'look call_b2']) expect(ledger).toContain(effect);
  return dead;
}

describe.each(SCRIPTED_DIALECTS)('a process that dies in %s', (dialect) => {
  test.each(['lost', 'unanswered'] as const)(
    'at any store operation (%s) leaves a session that another one finishes',
    async (fault) => {
      let at = 1;
      while ((await crashAndResume({ at: [at], fault, dialect })) > 0) at += 1;
      expect(at).toBeGreaterThan(40);
    },
  );
});

describe('a process that dies while it resumes a session', () => {
  test.each(['lost', 'unanswered'] as const)('at any store operation (%s) changes nothing', async (fault) => {
    const dialect = 'anthropic-messages';
    for (const first of [3, 7, 12, 20, 22, 24, 30]) {
      let second = 1;
      while ((await crashAndResume({ at: [first, second], fault, dialect })) > 1) second += 1;
      expect(second).toBeGreaterThan(5);
    }
  });
});
