import { open, type Session } from '@rethread/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { durableTool, type Effect } from '../src/durable-tool.ts';

let session: Session;
let sequel: () => Promise<Session>;
let close: () => Promise<void>;
beforeEach(async () => {
  const store = await open('memory:');
  session = await store.create({ id: 's' });
  // A new handle knows only what the log says, as the next process would.
  sequel = () => store.session('s');
  close = () => store.close();
});
afterEach(() => close());

const kinds = async (): Promise<string[]> => (await session.load()).map(({ kind }) => kind);
const aiSdk = (toolCallId: string): object => ({ toolCallId, messages: [] });

/** Starts a call that never ends, as in a process that is killed. */
async function startAndDie(effect?: Effect): Promise<{ readonly key: string }> {
  const { promise: started, resolve } = Promise.withResolvers<string>();
  const tool = durableTool({
    session,
    name: 'deploy',
    ...(effect === undefined ? {} : { effect }),
    run: (_: { to: string }, { key }) => {
      resolve(key);
      return new Promise<string>(() => undefined);
    },
  });
  void tool({ to: 'prod' }, aiSdk('c1'));
  const key = await started;
  // The runs of a dead process are not there to wait for.
  const records = await session.load();
  const copy = await open('memory:');
  session = await copy.create({ id: 's' });
  const data = records.map(({ kind, data: each }) => ({ kind, data: { ...(each as object), run: 'dead' } }));
  await session.append(data);
  sequel = () => copy.session('s');
  return { key };
}

describe('a durable tool', () => {
  test('is on record before it runs, and its result as soon as it is there', async () => {
    const seen: string[][] = [];
    const tool = durableTool({ session, name: 'add', run: async (n: number) => (seen.push(await kinds()), n + 1) });
    expect(await tool(1, aiSdk('c1'))).toBe(2);
    expect(seen).toEqual([['call.started']]);
    const [started, settled] = await session.load();
    expect(started?.data).toMatchObject({ callId: 'c1', tool: 'add', input: 1, effect: 'once' });
    expect(settled?.data).toEqual({ callId: 'c1', tool: 'add', output: 2 });
  });

  test('returns the recorded result of a settled call, also a recorded error, without running', async () => {
    let runs = 0;
    const tool = (handle: Session): ((input: string, ...rest: unknown[]) => Promise<unknown>) =>
      durableTool({
        session: handle,
        run: (input: string) => {
          runs += 1;
          if (input === 'bad') throw new Error('no such file');
          return { lines: [input] };
        },
      });
    await tool(session)('good', aiSdk('c1'));
    await expect(tool(session)('bad', aiSdk('c2'))).rejects.toThrow('no such file');
    const later = await sequel();
    expect(await tool(later)('good', aiSdk('c1'))).toEqual({ lines: ['good'] });
    await expect(tool(later)('bad', aiSdk('c2'))).rejects.toThrow('no such file');
    expect(runs).toBe(2);
  });

  test.each([
    ['read', true],
    ['idempotent', true],
    ['keyed', true],
    ['once', false],
    [undefined, false],
  ] as const)('of effect %s, started and never settled, runs again: %s', async (effect, again) => {
    const { key } = await startAndDie(effect);
    const keys: string[] = [];
    const tool = durableTool({
      session: await sequel(),
      name: 'deploy',
      ...(effect === undefined ? {} : { effect }),
      run: (_: { to: string }, call) => (keys.push(call.key), 'deployed'),
    });
    const output = await tool({ to: 'prod' }, aiSdk('c1'));
    expect(keys).toEqual(again ? [key] : []);
    expect(output).toMatch(again ? /^deployed$/ : /may have run fully, partly or not at all/);
    expect((await kinds()).at(-1)).toBe('call.settled');
  });

  test('does not run again if its effect was stricter when it started', async () => {
    await startAndDie('once');
    const run = (): string => expect.unreachable('it ran');
    const tool = durableTool({ session: await sequel(), name: 'deploy', effect: 'read', run });
    expect(await tool({ to: 'prod' }, aiSdk('c1'))).toMatch(/^\[interrupted/);
  });

  test('runs once if it is called twice at the same time, also through another handle', async () => {
    let runs = 0;
    const run = async (): Promise<number> => {
      await new Promise((resolve) => void setTimeout(resolve, 20));
      return (runs += 1);
    };
    const [one, two] = [session, await sequel()].map((handle) => durableTool({ session: handle, name: 't', run }));
    expect(await Promise.all([one?.({}, aiSdk('c1')), two?.({}, aiSdk('c1')), one?.({}, aiSdk('c1'))])).toEqual([
      1, 1, 1,
    ]);
    expect(runs).toBe(1);
  });

  test('treats a call id that a provider uses again for another input as another call', async () => {
    const keys = new Set<string>();
    const tool = durableTool({ session, name: 't', run: (n: number, { key }) => (keys.add(key), n * 2) });
    expect([await tool(1, aiSdk('call_0')), await tool(2, aiSdk('call_0'))]).toEqual([2, 4]);
    expect([await tool(1, aiSdk('call_0')), await tool(2, aiSdk('call_0'))]).toEqual([2, 4]);
    expect(keys.size).toBe(2);
  });

  test('stays open if it was aborted, because nobody knows what it did', async () => {
    const abort = new AbortController();
    const tool = durableTool({
      session,
      run: (_: object, { signal }) => {
        abort.abort();
        signal?.throwIfAborted();
      },
    });
    await expect(tool({}, { toolCallId: 'c1', abortSignal: abort.signal })).rejects.toThrow(/aborted/);
    expect(await kinds()).toEqual(['call.started']);
  });

  test('says that a result which JSON cannot represent was not stored', async () => {
    const tool = durableTool({ session, run: () => 1n });
    expect(await tool({}, aiSdk('c1'))).toBe(1n);
    const again = durableTool({ session: await sequel(), run: () => 2n });
    await expect(again({}, aiSdk('c1'))).rejects.toThrow(/its result could not be stored/);
  });

  test('reads the call id of each framework, and says so if there is none', async () => {
    const tool = durableTool({ session: () => session, run: (_: unknown, { callId }) => callId });
    expect(await tool({}, aiSdk('a'))).toBe('a');
    expect(await tool({}, { context: {} }, { toolCall: { type: 'function_call', id: 'fc_1', callId: 'b' } })).toBe('b');
    expect(await tool({}, { configurable: {}, toolCall: { id: 'c', name: 't' } })).toBe('c');
    await expect(tool({})).rejects.toThrow(/found no call id/);
    expect(() => durableTool({ session, effect: 'twice' as 'once', run: () => 1 })).toThrow(/unknown effect "twice"/);
  });
});
