import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { call, createSimulator, reasoning, reply, type Simulator } from '@rethread/simulator';
import { describe, expect, test } from 'vitest';

import { KEY, useScrubbedEnvironment } from '../../../simulator/test/clients/surroundings.ts';
import { ask, callsIn, PROVIDERS, textIn, user, type Outcome, type Provider } from './providers.ts';
import { VirtualClock } from './virtual-clock.ts';

useScrubbedEnvironment();

const ANSWER = reply(
  reasoning('Only the files can tell, so both are read, one after the other.'),
  'Reading both of them now … 🙂',
  call('read', { path: 'über.md', from: 'the beginning', to: 'the very end' }),
  call('read', { path: 'b.md' }),
);

/** Sockets and timers held by this process. */
const held = (): string[] => process.getActiveResourcesInfo().filter((name) => /^(?:TCPSocket|Timeout)/.test(name));

async function heldAtLast(most: number): Promise<number> {
  for (let tries = 0; tries < 200 && held().length > most; tries += 1) await pause(5);
  return held().length;
}

type Aborted = Outcome & { readonly listeners: number; readonly timers: readonly number[] };

/** Aborts at the event with this number. */
async function abortAt(index: number, { port: portTo }: Provider, simulator: Simulator): Promise<Aborted> {
  const port = portTo(simulator);
  const clock = new VirtualClock();
  const aborter = new AbortController();
  const { signal } = aborter;
  if (index < 0) aborter.abort(new Error('stop'));
  const outcome = await ask(port, {
    messages: [user('What do they say?')],
    clock,
    signal,
    onEvent: (_event, at) => {
      if (at === index) aborter.abort(new Error('stop'));
    },
  });
  return { ...outcome, listeners: getEventListeners(signal, 'abort').length, timers: clock.waiting };
}

/** The stored text contains the shown text word for word. */
function expectKept({ events, error }: Outcome): void {
  const stored = JSON.stringify(error?.partial);
  const written = (text: string): string => JSON.stringify(text).slice(1, -1);
  expect(stored).toContain(written(textIn(events)));
  expect(stored).toContain(written(textIn(events, 'reasoning')));
  for (const { callId } of callsIn(events)) expect(stored).toContain(callId);
}

describe.each(PROVIDERS)('$name', (provider) => {
  test('aborted at any event, the shown text is kept and the next request is accepted', async () => {
    await using simulator = await createSimulator({
      key: KEY,
      model: ({ body }) => (JSON.stringify(body).includes('still there') ? reply('I am.') : ANSWER),
      faults: 'drip:1',
    });
    const before = held().length;
    const whole = await ask(provider.port(simulator), { messages: [user('What do they say?')] });
    const last = whole.events.length - 1;
    expect(last).toBeGreaterThan(6);
    for (let index = 0; index < last; index += 1) {
      const aborted = await abortAt(index, provider, simulator);
      expect(aborted.error?.kind, `event ${index}`).toBe('aborted');
      expect(aborted.error?.cause).toEqual(new Error('stop'));
      expect([aborted.listeners, aborted.timers]).toEqual([0, []]);
      expectKept(aborted);
      const messages = [user('What do they say?'), ...(aborted.error?.partial ?? []), user('Are you still there?')];
      const next = await ask(provider.port(simulator), { messages });
      expect(textIn(next.events), `after event ${index}`).toBe('I am.');
    }
    expect(simulator.verdicts.flatMap(({ refusals }) => refusals)).toEqual([]);
    await simulator.close();
    expect(await heldAtLast(before)).toBeLessThanOrEqual(before);
  });

  test('cut at any byte, the shown text is kept and the next request is accepted', async () => {
    for (let bytes = 0, whole = false; !whole; bytes += 173) {
      await using simulator = await createSimulator({
        key: KEY,
        model: ({ body }) => (JSON.stringify(body).includes('still there') ? reply('I am.') : ANSWER),
        faults: `cut-bytes:${bytes}@1`,
      });
      const port = provider.port(simulator);
      const cut = await ask(port, { messages: [user('What do they say?')] });
      whole = cut.error === undefined;
      if (!whole) {
        expect(cut.error?.kind, `${bytes} bytes`).toBe('cut');
        expectKept(cut);
      }
      const kept = cut.error?.partial ?? cut.end?.messages ?? [];
      const next = await ask(port, { messages: [user('What do they say?'), ...kept, user('Are you still there?')] });
      expect(textIn(next.events), `after ${bytes} bytes`).toBe('I am.');
      expect(simulator.verdicts.flatMap(({ refusals }) => refusals)).toEqual([]);
    }
  });

  test('aborted before it starts, no request is sent', async () => {
    await using simulator = await createSimulator({ key: KEY });
    const { error, events, listeners } = await abortAt(-1, provider, simulator);
    expect([error?.kind, events, listeners]).toEqual(['aborted', [], 0]);
    expect(error?.partial).toEqual([]);
    await pause(20);
    expect(simulator.verdicts).toEqual([]);
  });

  test('aborted before the response head, it ends at once', async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using simulator = await createSimulator({
      key: KEY,
      model: async () => {
        await waiting;
        return reply('late');
      },
    });
    for (const stream of [true, false]) {
      const aborter = new AbortController();
      const clock = new VirtualClock();
      const outcome = ask(provider.port(simulator), { messages: [user('hi')], signal: aborter.signal, clock, stream });
      await clock.still();
      aborter.abort(new Error('stop'));
      expect((await outcome).error?.kind).toBe('aborted');
      expect([getEventListeners(aborter.signal, 'abort').length, clock.waiting]).toEqual([0, []]);
    }
    release();
  });

  test('a reader that stops closes the connection', async () => {
    await using simulator = await createSimulator({ key: KEY, model: () => ANSWER, faults: 'drip:20' });
    const before = held().length;
    const clock = new VirtualClock();
    const { signal } = new AbortController();
    const port = provider.port(simulator);
    const options = { signal, clock, stream: true, log: () => undefined };
    for await (const { kind } of port.call({ messages: [user('hi')], tools: [] }, options)) if (kind === 'text') break;
    expect([getEventListeners(signal, 'abort').length, clock.waiting]).toEqual([0, []]);
    // Both ends of the connection are in this process.
    expect(await heldAtLast(before)).toBeLessThanOrEqual(before);
  });
});
