import { describe, expect, test, vi } from 'vitest';
import { StoreError } from '@rethread/store';

import {
  AgentError,
  DEADLINES,
  ModelError,
  tool,
  type Agent,
  type AgentOptions,
  type Deadlines,
  type ModelPort,
  type RunResult,
  type ScriptedReply,
} from '../src/index.ts';
import { realClock } from '../src/clock.ts';
import { faultyStore } from './faulty-store.ts';
import { createWorld, type World } from './world.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** A model that stalls in one of the possible ways and ignores an abort. */
const silentPort = (events: 'none' | 'signs-of-life', world: World): ModelPort => ({
  name: 'silent',
  target: { dialect: 'openai-chat' },
  renew: () => undefined,
  call: async function* call() {
    if (events === 'none') await never();
    for (;;) {
      await new Promise<void>((resolve) => void world.clock.after(10_000, resolve));
      yield { kind: 'alive' };
    }
  },
});

type Case = {
  readonly deadline: keyof Deadlines;
  readonly of: string;
  readonly replies?: readonly ScriptedReply[];
  readonly options?: (world: World) => Partial<AgentOptions>;
  /** The agent operation (default: a run). */
  readonly work?: (agent: Agent) => Promise<unknown>;
  /** The user stops it at once. */
  readonly aborts?: true;
  /** How often the deadline passes before the run ends. */
  readonly times?: number;
  /** How the run ends after the deadline. */
  readonly ends: 'complete' | 'waiting-for-tools' | ((error: unknown) => void);
};

const once = { retry: { attempts: 1 } };
const CALL: ScriptedReply = { calls: [{ callId: 'c1', tool: 'stuck' }] };
const isModelError = (kind: string) => (error: unknown) => {
  expect(error).toBeInstanceOf(ModelError);
  expect((error as ModelError).kind).toBe(kind);
};
const isCode = (code: string) => (error: unknown) => {
  expect(error).toBeInstanceOf(AgentError);
  expect((error as AgentError).code).toBe(code);
};
const isStoreDeadline = (error: unknown): void => {
  expect(error).not.toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ name: 'DeadlineError', deadline: 'storeMs' });
};
const stuck = (more: object = {}): Partial<AgentOptions> => ({ tools: { stuck: tool({ run: never, ...more }) } });
const hangingStore =
  (operation: string, nth: number) =>
  (world: World): Partial<AgentOptions> => {
    let count = 0;
    return {
      store: faultyStore(world.store, (name) => (name === operation && ++count >= nth ? 'lost' : 'fine')),
    };
  };

const CASES: readonly Case[] = [
  {
    deadline: 'firstMs',
    of: 'a stream that never starts',
    replies: [{ hangAfter: 0, deaf: true }],
    options: () => ({ ...once, deadlines: { settleMs: 0 } }),
    ends: isModelError('read'),
  },
  {
    deadline: 'idleMs',
    of: 'a stalled stream, followed by one request without streaming',
    replies: [{ text: 'some text', hangAfter: 2 }, { text: 'the whole text' }],
    ends: 'complete',
  },
  {
    deadline: 'requestMs',
    of: 'a non-streamed answer that never comes',
    options: (world) => ({ ...once, stream: false, model: silentPort('none', world), deadlines: { settleMs: 0 } }),
    ends: isModelError('stalled'),
  },
  {
    deadline: 'requestMs',
    of: 'a stream with signs of life and nothing else',
    options: (world) => ({ ...once, model: silentPort('signs-of-life', world), deadlines: { settleMs: 0 } }),
    ends: isModelError('stalled'),
  },
  { deadline: 'toolMs', of: 'a tool that never ends', replies: [CALL, {}], options: () => stuck(), ends: 'complete' },
  {
    deadline: 'toolMs',
    of: 'a schema that never finishes validation',
    replies: [CALL, {}],
    options: () => stuck({ schema: { '~standard': { version: 1, vendor: 'test', validate: never } } }),
    ends: 'complete',
  },
  {
    deadline: 'toolMs',
    of: 'an approval check that never ends, which is no permission',
    replies: [CALL, {}],
    options: () => stuck({ approval: never }),
    ends: 'waiting-for-tools',
  },
  {
    deadline: 'approvalMs',
    of: 'a person who never answers',
    replies: [CALL, {}],
    options: () => ({ ...stuck({ approval: true }), onApproval: never }),
    ends: 'waiting-for-tools',
  },
  {
    deadline: 'turnMs',
    of: 'a model that keeps calling tools',
    replies: [{ calls: [{ callId: 'c1', tool: 'slow' }] }],
    options: ({ clock }) => ({
      maxSteps: Infinity,
      tools: {
        slow: tool({
          run: (_, { signal }) =>
            new Promise<void>((resolve, reject) => {
              clock.after(60_000, resolve);
              signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
            }),
        }),
      },
    }),
    ends: isCode('deadline'),
  },
  {
    deadline: 'settleMs',
    of: 'a model that ignores a stop',
    replies: [{ text: 'some text', hangAfter: 2, deaf: true }],
    aborts: true,
    ends: isCode('aborted'),
  },
  {
    deadline: 'settleMs',
    of: 'a tool that ignores a stop',
    replies: [CALL],
    options: () => stuck(),
    aborts: true,
    ends: isCode('aborted'),
  },
  {
    deadline: 'renewMs',
    of: 'a client that cannot be recreated',
    options: (world) => ({
      model: { ...silentPort('none', world), renew: never },
      deadlines: { settleMs: 0 },
    }),
    aborts: true,
    ends: isCode('aborted'),
  },
  {
    deadline: 'compactionMs',
    of: 'a compaction that never ends',
    replies: [{ text: 'done' }],
    options: () => ({ compaction: { isDue: () => true, shorten: never } }),
    ends: 'complete',
  },
  ...['session', 'load', 'info'].map((operation): Case => ({
    deadline: 'storeMs',
    of: `a store that never completes ${operation}`,
    options: hangingStore(operation, 1),
    ends: isStoreDeadline,
  })),
  {
    deadline: 'approvalMs',
    of: 'a person who never decides about a call',
    work: async (agent) => {
      const { unsettled } = await agent.recover('crashed', { unsettled: never });
      expect(unsettled).toMatchObject([{ choice: 'ask' }]);
    },
    ends: 'complete',
  },
  ...['session', 'append', 'close'].map((operation): Case => ({
    deadline: 'storeMs',
    of: `a store that never completes ${operation} during an approval`,
    options: hangingStore(operation, 1),
    work: (agent) => agent.approve('crashed', { c1: 'allow' }),
    ends: isStoreDeadline,
  })),
  ...['load', 'children'].map((operation): Case => ({
    deadline: 'storeMs',
    of: `a store that never completes ${operation} during a recovery`,
    options: hangingStore(operation, 1),
    work: (agent) => agent.recover('known'),
    ends: isStoreDeadline,
  })),
  {
    deadline: 'storeMs',
    of: 'a store that never completes an append',
    options: hangingStore('append', 2),
    ends: isStoreDeadline,
  },
  {
    deadline: 'storeMs',
    of: 'a store that never releases the lease',
    replies: [{ text: 'done' }],
    options: hangingStore('close', 1),
    ends: 'complete',
  },
  {
    deadline: 'storeMs',
    of: 'a store that never writes a repair note',
    // Blank text is removed in this dialect, with a note.
    replies: [{ text: ' ', calls: [{ callId: 'c1', tool: 'look' }] }, {}],
    options: (world) => ({ ...hangingStore('recoverSession', 1)(world), dialect: 'anthropic-messages' }),
    ends: isStoreDeadline,
  },
  {
    deadline: 'compactionMs',
    of: 'a store that never records a compaction',
    replies: [{ text: 'done' }],
    options: (world) => ({
      ...hangingStore('compact', 1)(world),
      compaction: { isDue: () => true, shorten: async () => [] },
    }),
    ends: 'complete',
  },
];

/** Runs a case for some time; returns how it ended, or that it did not. */
async function runFor(one: Case, ms: number, deadlines: Partial<Deadlines> = {}): Promise<unknown> {
  const world = await createWorld();
  const known = await world.store.create({ id: 'known' });
  await known.close();
  const crashed = await world.store.create({ id: 'crashed' });
  const call = { id: 'c1', type: 'function', function: { name: 'send', arguments: '{}' } };
  const wire = { role: 'assistant', content: null, tool_calls: [call] };
  await crashed.append([
    { kind: 'message', data: { dialect: 'openai-chat', wire } },
    { kind: 'state', data: { state: 'waiting-for-tools', turn: 1, step: 1 } },
  ]);
  const options = one.options?.(world) ?? {};
  const agent = world.agent(one.replies ?? [{ text: 'done' }], {
    ...options,
    deadlines: { ...options.deadlines, ...deadlines },
  });
  const user = new AbortController();
  const work = one.work?.(agent) ?? agent.run('s', 'Go.', { signal: user.signal }).result;
  const ended = work.then(
    (result) => (result as RunResult | undefined)?.state ?? 'complete',
    (error: unknown) => error,
  );
  if (one.aborts === true) {
    await world.clock.advance(0);
    user.abort(new AgentError('aborted', 'enough'));
  }
  await world.clock.advance(ms);
  const outcome = await Promise.race([ended, Promise.resolve('pending')]);
  if (outcome !== 'pending') expect(world.clock.pending).toBeLessThanOrEqual(one.of.includes('signs') ? 1 : 0);
  return outcome;
}

describe('every wait has a deadline', () => {
  test.each(CASES)('$deadline ends the wait for $of', async (one) => {
    const ms = DEADLINES[one.deadline] * (one.times ?? 1);
    expect(await runFor(one, ms - 1)).toBe('pending');
    const outcome = await runFor(one, ms);
    if (typeof one.ends === 'string') expect(outcome).toBe(one.ends);
    else one.ends(outcome);
  });

  test.each(CASES)('only $deadline ends the wait for $of in time', async (one) => {
    const ms = DEADLINES[one.deadline] * (one.times ?? 1);
    expect(await runFor(one, ms, { [one.deadline]: Infinity })).toBe('pending');
  });

  test.each([2 ** 31, 30 * 24 * 3_600_000, Infinity])('a deadline of %d ms does not pass at once', async (ms) => {
    let late = false;
    const cancel = realClock.after(ms, () => void (late = true));
    await new Promise((resolve) => void setTimeout(resolve, 20));
    cancel();
    expect(late).toBe(false);
  });

  test('a deadline longer than a Node timer passes on time', () => {
    vi.useFakeTimers();
    try {
      const passed: string[] = [];
      realClock.after(3 * 2 ** 31, () => void passed.push('late'));
      const cancel = realClock.after(3 * 2 ** 31, () => void passed.push('called off'));
      vi.advanceTimersByTime(3 * 2 ** 31 - 1);
      expect(passed).toEqual([]);
      cancel();
      vi.advanceTimersByTime(1);
      expect(passed).toEqual(['late']);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('every deadline has such a test', () => {
    expect([...new Set(CASES.map(({ deadline }) => deadline))].sort()).toEqual(Object.keys(DEADLINES).sort());
  });
});
