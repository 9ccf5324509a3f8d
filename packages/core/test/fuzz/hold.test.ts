import { expect, test } from 'vitest';
import { check, repair, type Repaired, type Report } from '../../src/index.ts';
import { hold, type BreachKind, type Engine } from './properties.ts';
import { shrink } from './shrink.ts';

const dialect = 'openai-chat';
const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"path 1"}' } };
const dangling = [
  { role: 'user', content: 'question 1' },
  { role: 'assistant', content: null, tool_calls: [call] },
];
/** Two calls, and one result under this id. */
const halfAnswered = (id: string): object[] => [
  { role: 'user', content: 'question 1' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [call, { ...call, id: 'c2', function: { name: 'read', arguments: '{"path":"path 2"}' } }],
  },
  { role: 'tool', tool_call_id: id, content: 'output 2' },
];
const clean = [{ role: 'user', content: 'question 1' }];

/** Our own repair with one thing done wrong to what it gives back. */
const spoiled = (spoil: (repaired: Repaired<unknown>, input: unknown) => Repaired<unknown>): Engine => ({
  check,
  repair: ((input, target, options) => spoil(repair(input, target, options), input)) as Engine['repair'],
});

const saying = (text: string): Engine =>
  spoiled((repaired) => ({ ...repaired, output: [...dangling, { role: 'tool', tool_call_id: 'c1', content: text }] }));

const withReport = (change: Partial<Report>): Engine =>
  spoiled((repaired) => ({ ...repaired, report: { ...repaired.report, ...change } }));

let odd = 0;

const liars: readonly (readonly [string, BreachKind, Engine, unknown])[] = [
  [
    'throws',
    'exception',
    spoiled(() => {
      throw new Error('no');
    }),
    dangling,
  ],
  [
    'gives the input back unrepaired',
    'unsound',
    spoiled((repaired, input) => ({ ...repaired, output: input })),
    dangling,
  ],
  [
    'changes a clean history',
    'identity',
    spoiled((repaired) => ({ ...repaired, output: [...clean], changed: true })),
    clean,
  ],
  [
    'copies messages it did not change',
    'identity',
    spoiled((repaired) => ({ ...repaired, output: structuredClone(repaired.output) })),
    dangling,
  ],
  [
    'changes its own output',
    'not idempotent',
    spoiled((repaired) => ({
      ...repaired,
      output: [...(repaired.output as unknown[]), { role: 'user', content: 'more' }],
      changed: true,
    })),
    dangling,
  ],
  [
    'gives other bytes each time',
    'not deterministic',
    spoiled((repaired) => ({
      ...repaired,
      output: [...(repaired.output as unknown[]), { role: 'user', content: `${(odd += 1)}` }],
      changed: true,
    })),
    dangling,
  ],
  [
    'writes into its input',
    'mutated input',
    spoiled((repaired, input) => ((input as object[]).push(...clean), repaired)),
    structuredClone(dangling),
  ],
  ['leaves turns out', 'given up', withReport({ verdict: 'salvaged' }), dangling],
  ['reports no repair', 'unaccounted', withReport({ repairs: [] }), dangling],
  ['reports no finding', 'unaccounted', withReport({ findings: [] }), dangling],
  [
    'reports an impossible ratio',
    'unaccounted',
    withReport({ preserved: { charactersIn: 1, charactersOut: 2, ratio: 2 } }),
    dangling,
  ],
  [
    'loses text and reports a ratio of 1',
    'unaccounted',
    spoiled((repaired) => ({ ...repaired, output: [{ role: 'user', content: 'x' }] })),
    dangling,
  ],
  ['claims that a call succeeded', 'dishonest', saying('[the call was completed successfully]'), dangling],
  ['claims that a call never ran', 'dishonest', saying('[interrupted: this call was not executed]'), dangling],
  [
    'loses what it does not know',
    'not carried',
    spoiled((repaired) => ({ ...repaired, output: dangling.slice(0, 1) })),
    [...dangling, { role: 'user', content: [{ type: 'future_part', payload: 'future 7' }] }],
  ],
  [
    'gives a result to another call',
    'misattributed',
    spoiled((repaired) => ({ ...repaired, output: halfAnswered('c1') })),
    halfAnswered('c2'),
  ],
  [
    'sees nothing wrong',
    'disagreement',
    {
      check: () => check(clean, dialect),
      repair: (input) => ({ ...repair(clean, dialect), output: input }),
    },
    dangling,
  ],
];

test.each(liars)('an engine that %s is caught as %s', (...[, kind, engine, input]) => {
  const breaches = hold(input, { dialect, target: { dialect }, engine });
  expect(breaches.map((breach) => breach.kind)).toContain(kind);
});

test('the engine itself is not caught', () => {
  for (const input of [clean, dangling]) expect(hold(input, { dialect, target: { dialect } })).toEqual([]);
});

const placeholder = '[not started: this call was never started, so it has had no effect.]';

test.each([
  ['as it is', placeholder],
  ['with more behind it', `${placeholder}\ud83d`],
  [
    'in a list whose other texts go',
    [
      { type: 'text', text: placeholder },
      { type: 'text', text: 7 },
    ],
  ],
])('a result of the input that reads like one of ours is nobody’s lie: %s', (_what, content) => {
  const input = [...dangling, { role: 'tool', tool_call_id: 'c1', content }, { role: 'assistant', content: '\ud83d' }];
  expect(hold(input, { dialect, target: { dialect } })).toEqual([]);
});

test('the same words are a lie where the input does not have them', () => {
  const breaches = hold(dangling, { dialect, target: { dialect }, engine: saying(placeholder) });
  expect(breaches.map((breach) => breach.kind)).toContain('dishonest');
});

test('what the user says next comes behind a lone message too', () => {
  const input = { contents: { role: 'model', parts: [{ text: 'answer 1' }] } };
  expect(hold(input, { dialect: 'gemini', target: { dialect: 'gemini' }, options: { next: 'user' } })).toEqual([]);
});

test('shrinking leaves only what the failure needs', () => {
  const input = {
    model: 'm',
    messages: [
      { role: 'user', content: 'a' },
      { role: 'tool', content: [{ bad: 1, other: 2 }] },
    ],
  };
  expect(shrink(input, (candidate) => JSON.stringify(candidate).includes('"bad"'))).toEqual({
    messages: [{ content: [{ bad: 1 }] }],
  });
});
