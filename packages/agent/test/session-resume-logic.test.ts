import { describe, expect, test } from 'vitest';

import { ModelError, type ModelPort, type ModelRequest, scripted } from '../src/index.ts';
import { refusalOf } from './three-steps.ts';
import { createWorld } from './world.ts';

/** A client as observed in the field: after a cut request, every later request on it hangs. */
function fragilePort(requests: ModelRequest[]): ModelPort & { readonly clients: () => number } {
  let [clients, spoiled] = [1, false];
  const model = scripted({ target: { dialect: 'anthropic-messages' }, replies: [{ text: 'Here I am.' }] });
  return {
    ...model,
    clients: () => clients,
    renew: () => {
      clients += 1;
      spoiled = false;
    },
    call: (request, options) => {
      requests.push(request);
      if (requests.length > 1 && !spoiled) return model.call(request, options);
      spoiled = true;
      return hang(options.signal);
    },
  };
}

function hang(signal: AbortSignal): AsyncIterable<never> {
  const next = (): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new ModelError('aborted', 'stopped')), { once: true });
    });
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

describe('session-resume-logic', () => {
  test('the hang after abort, trailing request and resume cannot occur', async () => {
    const world = await createWorld();
    const requests: ModelRequest[] = [];
    const port = fragilePort(requests);
    const agent = world.agent([], { model: port, system: 'Be brief.' });

    const first = agent.run('s', 'Are you there?');
    await world.clock.advance(1000);
    first.abort('the user pressed Esc');
    await expect(first.result).rejects.toThrow('the user pressed Esc');
    const clients = port.clients();
    expect(clients).toBe(2);

    const second = agent.run('s', 'Hello again?');
    await world.clock.advance(0);
    await expect(second.result).resolves.toMatchObject({ state: 'complete', text: 'Here I am.' });
    expect(world.clock.now()).toBe(1000);

    const [, resumed] = requests;
    expect(resumed === undefined ? 'none' : refusalOf(resumed, 'anthropic-messages')).toBeUndefined();
    const sent = JSON.stringify(resumed);
    expect(sent).toContain('Are you there?');
    expect(sent).toContain('Hello again?');
    // The system prompt is in its own field once, and never in the history.
    expect(sent.split('Be brief.')).toHaveLength(2);
    expect(JSON.stringify(resumed?.messages)).not.toContain('Be brief.');
  });

  test('without a new client the same session would hang until the deadline', async () => {
    const world = await createWorld();
    const requests: ModelRequest[] = [];
    const port = { ...fragilePort(requests), renew: () => undefined };
    const agent = world.agent([], { model: port, retry: { attempts: 1 }, deadlines: { firstMs: 90_000 } });
    const first = agent.run('s', 'Are you there?');
    await world.clock.advance(0);
    first.abort();
    await expect(first.result).rejects.toThrow('stopped');

    const second = agent.run('s', 'Hello again?');
    const over = second.result.catch((error: unknown) => error);
    await world.clock.advance(89_999);
    expect(await Promise.race([over, Promise.resolve('pending')])).toBe('pending');
    await world.clock.advance(1);
    expect(await over).toMatchObject({ name: 'ModelError', kind: 'read' });
  });

  test('the data flow: on abort, partial work is kept, the client replaced and the error rethrown', async () => {
    const world = await createWorld();
    const reason = new Error('the user pressed Esc');
    const model = scripted({
      target: { dialect: 'anthropic-messages' },
      replies: [
        { text: 'Hi.' },
        { text: 'I will look now.', calls: [{ callId: 'toolu_1', tool: 'look' }], hangAfter: 3 },
        { text: 'Back again.' },
      ],
      onRequest: (request) => void world.requests.push(request),
    });
    const agent = world.agent([], { model });
    await agent.run('s', 'Hello.').result;
    expect(model.renewals()).toBe(0);

    const controller = new AbortController();
    const aborted = agent.run('s', 'Look.', { signal: controller.signal });
    await world.clock.advance(0);
    controller.abort(reason);
    await expect(aborted.result).rejects.toBe(reason);
    expect(model.renewals()).toBe(1);
    const records = await (await world.store.session('s')).load();
    const partial = records.findLast(({ kind }) => kind === 'message');
    expect(partial?.data).toMatchObject({ completeness: 'aborted' });
    expect(JSON.stringify(partial?.data)).toContain('I will look now.');

    await agent.run('s', 'Go on.').result;
    const last = world.requests.at(-1);
    expect(last === undefined ? 'none' : refusalOf(last, 'anthropic-messages')).toBeUndefined();
    for (const text of ['Hello.', 'Hi.', 'Look.', 'I will look now.', 'Go on.']) {
      expect(JSON.stringify(last)).toContain(text);
    }
  });
});
