import { expect, test } from 'vitest';
import { repair, RESULT_TEXTS, type Dialect } from '../src/index.ts';
import { assistant, call, result, user } from './anthropic-wire.ts';

type Wire = (step: number, text: string) => unknown[];

const steps: Record<Dialect, Wire> = {
  'anthropic-messages': (n, text) => [assistant([call(`c${String(n)}`)]), user([result(`c${String(n)}`, text)])],
  'openai-chat': (n, text) => [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: `c${String(n)}`, type: 'function', function: { name: 'ls', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `c${String(n)}`, content: text },
  ],
  'pydantic-ai': (n, text) => [
    { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'ls', args: {}, tool_call_id: `c${String(n)}` }] },
    {
      kind: 'request',
      parts: [{ part_kind: 'tool-return', tool_name: 'ls', content: text, tool_call_id: `c${String(n)}` }],
    },
  ],
};

const opening: Record<Dialect, unknown> = {
  'anthropic-messages': user('go'),
  'openai-chat': { role: 'user', content: 'go' },
  'pydantic-ai': { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'go' }] },
};

const dialects = Object.keys(steps) as Dialect[];
const long = (dialect: Dialect, first: string): unknown[] => [
  opening[dialect],
  ...Array.from({ length: 30 }, (_, n) => steps[dialect](n, n === 0 ? first : `done ${String(n)}`)).flat(),
];

test.each(dialects)('%s: a real result takes the place of its placeholder, however late', (dialect) => {
  const late = steps[dialect](0, 'real')[1];
  const { output, report } = repair([...long(dialect, RESULT_TEXTS.unknown), late], dialect);
  expect(report.repairs.map(({ rule }) => rule)).toContain('late-result');
  expect(output.slice(0, 61)).toEqual(long(dialect, 'real'));
});

test.each(dialects)('%s: a second answer long after the first is quoted where it stands', (dialect) => {
  const late = steps[dialect](0, 'again')[1];
  const { output, report } = repair([...long(dialect, 'first'), late], dialect);
  expect(report).toMatchObject({ verdict: 'repaired', preserved: { ratio: 1 } });
  expect(output.slice(0, 60)).toEqual(long(dialect, 'first').slice(0, 60));
  expect(JSON.stringify(output.slice(60))).toContain('[tool output] again');
});
