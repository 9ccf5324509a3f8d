import { call, reasoning, reply } from '@rethread/simulator';
import { describe, expect, test } from 'vitest';

import { useSimulator } from '../../../simulator/test/clients/surroundings.ts';
import { ask, callsIn, PROVIDERS, textIn, user } from './providers.ts';

const simulator = useSimulator();

const FIRST = reply(
  reasoning('Only the files can tell.'),
  'Reading both … 🙂',
  call('read', { path: 'über.md' }),
  call('read', { path: 'b.md' }),
);

describe.each(PROVIDERS)('$name', ({ port: portTo, results }) => {
  test.each([true, false])('a conversation with tools is accepted to its end (streaming: %s)', async (stream) => {
    simulator().script(FIRST, reply('One more.', call('read', { path: 'c.md' })), 'All three are empty.');
    const port = portTo(simulator());
    const messages = [user('What do they say?')];
    const stops: string[] = [];
    for (let step = 0; step < 3; step += 1) {
      const { events, end, error } = await ask(port, { messages, stream });
      expect(error).toBeUndefined();
      stops.push(String(end?.stop));
      expect(events[0]).toEqual({ kind: 'begin' });
      expect(end?.usage?.input).toBeGreaterThan(0);
      expect(end?.usage?.output).toBeGreaterThan(0);
      expect(end?.responseId).toBeTypeOf('string');
      messages.push(...(end?.messages ?? []));
      const calls = callsIn(events);
      expect(calls).toHaveLength([2, 1, 0][step] ?? 0);
      if (calls.length > 0) messages.push(...results(calls, 'nothing'));
    }
    expect(stops).toEqual(['calls', 'calls', 'end']);
    expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true, true, true]);
  });

  test('the streamed text equals the non-streamed and the stored text', async () => {
    simulator().script(FIRST, FIRST);
    const port = portTo(simulator());
    const streamed = await ask(port, { messages: [user('hi')] });
    const whole = await ask(port, { messages: [user('hi')], stream: false });
    for (const { events } of [streamed, whole]) expect(textIn(events)).toBe('Reading both … 🙂');
    expect(textIn(streamed.events, 'reasoning')).toBe(textIn(whole.events, 'reasoning'));
    const inputs = (events: typeof streamed.events): unknown[] =>
      callsIn(events).map(({ callId }) => {
        const pieces = events.flatMap((event) =>
          event.kind === 'call' && event.callId === callId ? event.fragment : [],
        );
        return JSON.parse(pieces.join(''));
      });
    expect(inputs(streamed.events)).toEqual([{ path: 'über.md' }, { path: 'b.md' }]);
    expect(inputs(whole.events)).toEqual(inputs(streamed.events));
    expect(streamed.events.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(0);
    expect(JSON.stringify(streamed.end?.messages)).toContain('Reading both … 🙂');
  });

  test.each([true, false])(
    'an answer that reaches the token limit stops by its length (streaming: %s)',
    async (stream) => {
      simulator().script({ parts: [{ kind: 'text', text: 'Half of an ans' }], stop: 'length' }, 'wer.');
      const port = portTo(simulator());
      const { end } = await ask(port, { messages: [user('hi')], stream });
      expect(end?.stop).toBe('length');
      const next = await ask(port, { messages: [user('hi'), ...(end?.messages ?? []), user('Go on.')], stream });
      expect(next.end?.stop).toBe('end');
    },
  );

  test.each([true, false])('a refusal is an answer (streaming: %s)', async (stream) => {
    simulator().script({ parts: [{ kind: 'refusal', text: 'I will not.' }], stop: 'refusal' }, 'Of course.');
    const port = portTo(simulator());
    const { end, error } = await ask(port, { messages: [user('hi')], stream });
    expect(error).toBeUndefined();
    expect(end?.stop).toBe('refusal');
    const next = await ask(port, { messages: [user('hi'), ...(end?.messages ?? []), user('Sure?')], stream });
    expect([next.end?.stop, simulator().verdicts.at(-1)?.accepted]).toEqual(['end', true]);
  });
});
