import { describe, expect, test } from 'vitest';

import { ModelError, scripted, type ModelErrorKind, type ModelRequest, type ScriptedReply } from '../src/index.ts';
import { refusalOf, THREE_STEPS } from './three-steps.ts';
import { createWorld } from './world.ts';

/**
 * The outcome of a run in which every request fails once in this way, and of one in which every request always fails.
 */
const KINDS: readonly (readonly [kind: ModelErrorKind, once: 'recovers' | 'fails', always: number])[] = [
  ['connect', 'recovers', 6],
  ['read', 'recovers', 6],
  ['stalled', 'recovers', 2],
  ['cut', 'recovers', 2],
  ['malformed', 'recovers', 2],
  ['rate', 'recovers', 6],
  ['overloaded', 'recovers', 6],
  ['server', 'recovers', 6],
  ['refused-history', 'recovers', 2],
  ['overflow', 'fails', 1],
  ['auth', 'fails', 1],
  ['bad-request', 'fails', 1],
];

const HOUR = 3_600_000;

describe('an error of the model', () => {
  test.each(KINDS)('%s at any request, before any event, %s', async (kind, once) => {
    for (let failing = 1; failing <= 3; failing += 1) {
      for (let errorAfter = 0; errorAfter <= 4; errorAfter += 1) {
        const world = await createWorld();
        let [failed, answered] = [false, 0];
        const replies = (): ScriptedReply => {
          const reply = THREE_STEPS[answered] ?? {};
          if (answered + 1 === failing && !failed) {
            failed = true;
            return { ...reply, error: new ModelError(kind, 'no'), errorAfter };
          }
          answered += 1;
          return reply;
        };
        const agent = world.agent(replies, { compaction: false });
        const over = agent.run('s', 'Go.').result.then(
          ({ state }) => state,
          (error: unknown) => (error as ModelError).kind,
        );
        await world.clock.advance(HOUR);
        const outcome = await Promise.race([over, Promise.resolve('pending')]);
        expect(outcome).toBe(once === 'recovers' ? 'complete' : kind);
        expect(world.clock.pending).toBe(0);
        if (outcome !== 'complete') {
          const resumed = world.agent([{ text: 'Better now.' }]);
          await expect(resumed.run('s', 'Again.').result).resolves.toMatchObject({ text: 'Better now.' });
        }
        for (const request of world.requests) expect(refusalOf(request, 'openai-chat')).toBeUndefined();
      }
    }
  });

  test.each(KINDS)('%s at every request ends the run after a few attempts', async (kind, _, always) => {
    const world = await createWorld();
    const agent = world.agent([{ text: 'never whole', error: new ModelError(kind, 'no'), errorAfter: 2 }]);
    const over = agent.run('s', 'Go.').result.catch((error: unknown) => error);
    await world.clock.advance(HOUR);
    expect(await over).toMatchObject({ name: 'ModelError', kind });
    expect(world.requests).toHaveLength(always);
    expect(world.events.at(-1)).toMatchObject({ kind: 'failed' });
    expect(world.clock.pending).toBe(0);
  });

  test('a wait that the provider requests is respected, and a too long one ends the run', async () => {
    const world = await createWorld();
    const error = new ModelError('rate', 'slow down', { retryAfterMs: 42_000 });
    const run = world.agent([{ error }, { text: 'Done.' }]).run('s', 'Go.');
    await world.clock.advance(41_999);
    expect(world.requests).toHaveLength(1);
    await world.clock.advance(1);
    await expect(run.result).resolves.toMatchObject({ text: 'Done.' });

    const long = new ModelError('rate', 'come back tomorrow', { retryAfterMs: 24 * HOUR });
    await expect(world.agent([{ error: long }]).run('t', 'Go.').result).rejects.toMatchObject({ kind: 'rate' });
  });

  test('a stop ends the wait between two attempts at once', async () => {
    const world = await createWorld();
    const error = new ModelError('rate', 'slow down', { retryAfterMs: 42_000 });
    const run = world.agent([{ error }]).run('s', 'Go.');
    await world.clock.advance(1000);
    run.abort('enough');
    await expect(run.result).rejects.toThrow('enough');
    expect(world.clock.now()).toBe(1000);
    expect(world.clock.pending).toBe(0);
  });

  test('a broken stream is followed by one request without streaming, and the shown part is void', async () => {
    const world = await createWorld();
    const streams: boolean[] = [];
    const model = scripted({
      replies: [{ text: 'half of it', error: new ModelError('cut', 'cut'), errorAfter: 2 }, { text: 'All of it.' }],
      onRequest: (_, { stream }) => void streams.push(stream),
    });
    const result = await world.agent([], { model }).run('s', 'Go.').result;
    expect(result.text).toBe('All of it.');
    expect(streams).toEqual([true, false]);
    expect(model.renewals()).toBe(1);
    const kinds = world.events.map(({ kind }) => kind);
    expect(kinds.indexOf('fallback')).toBeGreaterThan(kinds.indexOf('text'));
    // It stays in the log for a reader who saw it.
    const records = await (await world.store.session('s')).load();
    expect(JSON.stringify(records)).toContain('half ');
  });

  test('that is permanent leaves the shown text in the history', async () => {
    const world = await createWorld();
    const agent = world.agent([
      { text: 'half of it', error: new ModelError('cut', 'cut'), errorAfter: 2 },
      { error: new ModelError('auth', 'no') },
      { text: 'Well.' },
    ]);
    await expect(agent.run('s', 'Go.').result).rejects.toMatchObject({ kind: 'auth' });
    await agent.run('s', 'And?').result;
    expect(JSON.stringify(world.requests.at(-1))).toContain('half ');
  });

  test('a refused history is repaired once as the refusal asks, and that is recorded', async () => {
    const world = await createWorld();
    const body = JSON.stringify({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
      },
    });
    const refuse = ({ messages }: ModelRequest): ScriptedReply => {
      if (messages.length === 1) return { reasoning: 'Hm.', text: 'Hello.' };
      const error = new ModelError('refused-history', 'refused', { status: 400, body });
      return JSON.stringify(messages).includes('thinking') ? { error } : { text: 'Better.' };
    };
    const agent = world.agent(refuse, { dialect: 'anthropic-messages' });
    await agent.run('s', 'Hi.').result;
    await expect(agent.run('s', 'Go on.').result).resolves.toMatchObject({ text: 'Better.' });
    expect(world.requests).toHaveLength(3);
    const records = await (await world.store.session('s')).load();
    expect(records.some(({ kind }) => kind === 'repair')).toBe(true);
    expect(JSON.stringify(records)).toContain('"about":"refusal"');
    // The lesson is kept: the next request, even of another process, is not refused again.
    const later = world.agent(refuse, { dialect: 'anthropic-messages' });
    await later.run('s', 'And now?').result;
    expect(world.requests).toHaveLength(4);
  });

  test('with DISABLE_MESSAGE_SANITIZATION the recorded objects are sent unchanged, and that is logged', async () => {
    const world = await createWorld();
    const lines: string[] = [];
    const session = await world.store.create({ id: 's' });
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
    const broken = [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'assistant', content: 'Two in a row.' },
    ];
    await session.append(broken.map((wire) => ({ kind: 'message', data: { dialect: 'openai-chat', wire } })));
    const agent = world.agent([{ text: 'Ok.' }], {
      env: { DISABLE_MESSAGE_SANITIZATION: 'true' },
      unsettled: 'ask',
      logger: ({ event }) => void lines.push(event),
    });
    await agent.run('s', 'Go on.').result;
    expect(world.requests[0]?.messages.slice(0, 3)).toEqual(broken);
    expect(lines).toContain('repair-is-off');
  });

  test('with DISABLE_MESSAGE_SANITIZATION a refused history is not sent again', async () => {
    const world = await createWorld();
    const error = new ModelError('refused-history', 'refused', { status: 400, body: 'messages.1: no' });
    const agent = world.agent([{ error }], { env: { DISABLE_MESSAGE_SANITIZATION: 'true' } });
    await expect(agent.run('s', 'Hi.').result).rejects.toMatchObject({ kind: 'refused-history' });
    expect(world.requests).toHaveLength(1);
  });
});
