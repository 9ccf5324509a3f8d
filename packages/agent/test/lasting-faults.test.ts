import { call, createSimulator, FAULT_USAGE, reasoning, reply, type Simulator } from '@rethread/simulator';
import { open } from '@rethread/store';
import { expect, test } from 'vitest';

import { KEY, useScrubbedEnvironment } from '../../simulator/test/clients/surroundings.ts';
import {
  createAgent,
  DEADLINES,
  noTracing,
  realClock,
  tool,
  type Agent,
  type AgentOptions,
  type Clock,
} from '../src/index.ts';
import { PROVIDERS, type Provider } from './ports/providers.ts';

useScrubbedEnvironment();

/** One of each kind. */
const FAULTS: readonly string[] = (
  '429 500 529 close overflow empty cut-bytes:200 cut-events:3 end-events:3 cut-call cut-character stall:3 drip:2 ' +
  'malformed:2 duplicate:2 reorder:2'
).split(' ');

const HURRY = 200;

/** Faster time, so that every deadline and wait fits into a test. */
const hurriedClock: Clock = {
  now: () => performance.now() * HURRY,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms / HURRY);
    return () => clearTimeout(timer);
  },
};

const simulate = (faults: string): Promise<Simulator> =>
  createSimulator({
    key: KEY,
    faults,
    model: ({ body }) => {
      const sent = JSON.stringify(body);
      const round = [0, 1].find((index) => !sent.includes(`contents of ${index}-b`));
      if (round === undefined) return reply('That is all 🙂.');
      const paths = ['a', 'b'].map((name) => call('read', { path: `${round}-${name} ü` }));
      return reply(reasoning('Both are needed.'), 'Reading two files 🙂.', ...paths);
    },
  });

type Given = { readonly simulator: Simulator; readonly clock: Clock } & Pick<AgentOptions, 'store'>;

const agentOn = (provider: Provider, { simulator, ...given }: Given): Agent =>
  createAgent({
    ...given,
    model: provider.port(simulator),
    tools: { read: tool<{ path: string }>({ effect: 'read', run: ({ path }) => `contents of ${path}` }) },
    tracing: noTracing,
    env: {},
    maxTokens: 4096,
    showEveryMs: 0,
  });

/** A persistent fault from one request on, then none. Returns the outcome of the run that met it. */
async function endure(provider: Provider, fault: string, request: number): Promise<string> {
  const store = await open('memory:');
  const about = `${provider.name}, ${fault} from request ${request} on`;
  await using faulty = await simulate(`${fault}@${request}-`);
  const began = hurriedClock.now();
  const first = await agentOn(provider, { simulator: faulty, clock: hurriedClock, store })
    .run('s', 'What do the files say?', { inputId: 'it' })
    .result.then(
      () => 'complete',
      () => 'failed',
    );
  const inTime = hurriedClock.now() - began < DEADLINES.turnMs;
  const records = await (await store.session('s')).load();
  const recorded = records.findLast(({ kind }) => kind === 'state')?.data;
  await using sound = await simulate('');
  const agent = agentOn(provider, { simulator: sound, clock: realClock, store });
  const { state, text } = await agent.run('s', first === 'complete' ? 'And now?' : undefined).result;
  const refusals = [...faulty.verdicts, ...sound.verdicts].flatMap((verdict) => verdict.refusals);
  expect({ about, inTime, recorded, state, text, refusals }).toMatchObject({
    about,
    inTime: true,
    recorded: { state: first },
    state: 'complete',
    text: 'That is all 🙂.',
    refusals: [],
  });
  return first;
}

test('every kind of fault is in the list', () => {
  const known = FAULT_USAGE.map(({ usage }) => usage.split(/[:[]/)[0]);
  expect(new Set(FAULTS.map((fault) => fault.split(':')[0]))).toEqual(new Set(known));
});

test.each(PROVIDERS.slice(0, 4))(
  'under a persistent fault, a run on $name ends in time and continues after the fault',
  async (provider) => {
    const places = FAULTS.flatMap((fault) => [1, 2, 3].map((request) => ({ fault, request })));
    const ends = await Promise.all(places.map(({ fault, request }) => endure(provider, fault, request)));
    // Some faults are survivable, others are not.
    expect(new Set(ends)).toEqual(new Set(['complete', 'failed']));
  },
  240_000,
);
