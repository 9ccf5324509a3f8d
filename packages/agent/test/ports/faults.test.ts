import { repair } from '@rethread/core';
import { call, createSimulator, FAULT_USAGE, reasoning, reply, type Simulator } from '@rethread/simulator';
import { describe, expect, test } from 'vitest';

import { KEY, useScrubbedEnvironment } from '../../../simulator/test/clients/surroundings.ts';
import type { ModelErrorKind, ModelPort } from '../../src/model-port.ts';
import { ask, callsIn, PROVIDERS, user, type Outcome, type Provider } from './providers.ts';
import { VirtualClock } from './virtual-clock.ts';

useScrubbedEnvironment();

type Ending = ModelErrorKind | 'end';

/** How a call may end under a fault, with and without streaming. */
const FAULTS: readonly (readonly [fault: string, streamed: readonly Ending[], whole: readonly Ending[]])[] = [
  ['429', ['rate'], ['rate']],
  ['429:2', ['rate'], ['rate']],
  ['500', ['server'], ['server']],
  ['529', ['overloaded'], ['overloaded']],
  ['close', ['read'], ['read']],
  ['overflow', ['overflow'], ['overflow']],
  ['empty', ['end'], ['end']],
  ['cut-bytes:0', ['cut'], ['read']],
  ['cut-bytes:200', ['cut'], ['read']],
  ['cut-events:1', ['cut'], ['read']],
  ['cut-events:4', ['cut'], ['read']],
  ['end-events:0', ['cut'], ['malformed']],
  ['end-events:3', ['cut'], ['malformed']],
  ['cut-call', ['cut', 'end'], ['read', 'end']],
  ['cut-character', ['cut'], ['read']],
  // A client that hides its connection may wait for the first event before it reports the start.
  ['stall:0', ['stalled', 'read'], ['read']],
  ['stall:3', ['stalled'], ['read']],
  ['drip:2', ['end'], ['end']],
  ['malformed:2', ['malformed'], ['malformed']],
  ['malformed:4', ['malformed'], ['malformed']],
  // In some dialects nothing reveals a repeated or late event.
  ['duplicate:2', ['end', 'malformed'], ['end']],
  ['duplicate:3', ['end', 'malformed'], ['end']],
  ['reorder:2', ['end', 'malformed'], ['end']],
  ['reorder:4', ['end', 'malformed'], ['end']],
];

const ANSWERS = [
  reply(
    reasoning('Only the files can tell.'),
    'Reading … 🙂',
    call('read', { path: 'ü' }),
    call('read', { path: 'b' }),
  ),
  reply('One more 🙂.', call('read', { path: 'c.md' })),
  reply('All three are empty. 🙂'),
];

/** Asks under a fault; a stalled stream is moved to its deadline. */
async function askUnder(fault: string, port: ModelPort, asked: Parameters<typeof ask>[1]): Promise<Outcome> {
  const clock = new VirtualClock();
  const outcome = ask(port, { ...asked, clock });
  const settled = await (fault.startsWith('stall') ? clock.passes(400_000, outcome) : outcome);
  expect(clock.waiting, 'timers that are left').toEqual([]);
  return settled;
}

/** Reordered text no longer matches its seal. The provider refuses it, and the history is repaired. */
async function askTwice(port: ModelPort, asked: Parameters<typeof ask>[1]): Promise<Outcome> {
  const outcome = await ask(port, asked);
  if (outcome.error?.kind !== 'refused-history') return outcome;
  const options = outcome.error.body === undefined ? {} : { refusal: outcome.error.body };
  const { output } = repair([...asked.messages], { ...port.target, purpose: 'request' }, options);
  return ask(port, { ...asked, messages: output });
}

/** A run of three requests, one of which meets the fault; a stopped run is resumed. */
async function runUnder(
  fault: string,
  { port: portTo, results }: Provider,
  { n, stream, simulator }: { n: number; stream: boolean; simulator: Simulator },
): Promise<Outcome> {
  const port = portTo(simulator);
  const messages = [user('What do they say?')];
  let struck: Outcome | undefined;
  for (let request = 1; request <= 4; request += 1) {
    const asked = { messages, stream: stream || request !== n };
    const outcome = request === n ? await askUnder(fault, port, asked) : await askTwice(port, asked);
    if (request === n) struck = outcome;
    else expect(outcome.error, `request ${request}`).toBeUndefined();
    messages.push(...(outcome.end?.messages ?? outcome.error?.partial ?? []));
    const calls = outcome.error === undefined ? callsIn(outcome.events) : [];
    if (calls.length > 0) messages.push(...results(calls, 'nothing'));
    else messages.push(user('Are you still there?'));
    if (outcome.error !== undefined) await port.renew();
  }
  if (struck === undefined) throw new Error('no request met the fault');
  return struck;
}

test('every fault of the simulator is in the table', () => {
  const known = FAULT_USAGE.map(({ usage }) => usage.split(/[:[]/)[0]);
  expect(new Set(FAULTS.map(([fault]) => fault.split(':')[0]))).toEqual(new Set(known));
});

describe.each(PROVIDERS)('$name', (provider) => {
  describe.each([true, false])('streaming: %s', (stream) => {
    test.each(FAULTS)('%s at any request ends correctly, and the run continues', async (fault, streamed, whole) => {
      for (const n of [1, 2, 3]) {
        await using simulator = await createSimulator({
          key: KEY,
          faults: `${fault}@${n}`,
          model: ({ n: asked }) => ANSWERS[Math.min(asked, 3) - 1] ?? reply('…'),
        });
        const { error, end } = await runUnder(fault, provider, { n, stream, simulator });
        const ending = error?.kind ?? (end === undefined ? 'nothing' : 'end');
        expect(stream ? streamed : whole, `request ${n}`).toContain(ending);
        if (fault === '429:2') expect(error).toMatchObject({ status: 429, retryAfterMs: 2000 });
        if (error?.status !== undefined) expect(error.body).toMatch(/\w/);
        const refused = simulator.verdicts.flatMap(({ refusals }) => refusals);
        if (!/^(?:duplicate|reorder)/.test(fault)) expect(refused).toEqual([]);
      }
    });
  });
});
