import { describe, expect, test } from 'vitest';
import { check, convert, createChecker, repair } from '../../src/index.ts';
import { findDanglingToolCallIds } from '../../src/resume/index.ts';
import { WRITERS, WRITTEN } from '../conversation.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';

type Id = number | string;
type Pair = readonly [Id, string];

/** One step of calls to `f`, `g`, … under some ids, and results under others. */
function stepIn(dialect: keyof typeof WRITERS, asked: readonly Pair[], answers: readonly Pair[]): unknown[] {
  const { user, calls, results } = WRITERS[dialect];
  const toolOf = (id: Id): string => asked.find(([each]) => String(each) === String(id))?.[1] ?? 'f';
  return [
    user('x'),
    ...calls(...asked.map(([id, tool]) => ({ id, tool }))),
    ...results(...answers.map(([id, text]) => ({ id, text, tool: toolOf(id) }))),
  ];
}

const CALLS: readonly Pair[] = [
  [700000007, 'f'],
  [800000008, 'g'],
];
const SWAPPED: readonly Pair[] = [
  [800000008, 'for g'],
  [700000007, 'for f'],
];
const texts = (pairs: readonly Pair[]): Pair[] => pairs.map(([id, what]) => [String(id), what]);

// In a list of Gemini, calls and results are counted, and their ids are not needed.
describe.each(WRITTEN.filter(([dialect]) => dialect !== 'gemini'))('in %s', (dialect) => {
  const step = stepIn.bind(undefined, dialect);
  const whole = step(texts(CALLS), texts(SWAPPED));

  test('ids that are numbers are read as their text, and written as text on both sides', () => {
    for (const [calls, results] of [
      [CALLS, SWAPPED],
      [CALLS, texts(SWAPPED)],
      [texts(CALLS), SWAPPED],
    ] as const) {
      const { output, report } = repair(step(calls, results), dialect);
      expect(output).toEqual(whole);
      expect(new Set(report.findings.map(({ rule }) => rule))).toEqual(new Set(['call-id-malformed']));
      expect(report.repairs.filter(({ loss }) => loss !== 'none')).toEqual([]);
      const numbers = [...calls, ...results].filter(([id]) => typeof id === 'number');
      expect([report.findings.length, report.repairs.length]).toEqual([numbers.length, numbers.length]);
      expect(repair(output, dialect).output).toBe(output);
      expect(check(output, dialect).findings).toEqual([]);
    }
  });

  test('whoever asks for whole pairs keeps one whose ids are numbers', () => {
    expect(repair(step(CALLS, SWAPPED), dialect, { policy: 'discard' }).output).toEqual(whole);
  });

  test('an open call is known by the text of its number', () => {
    const open = step(CALLS, SWAPPED.slice(0, 1));
    expect([...findDanglingToolCallIds(open)]).toEqual(['700000007']);
    const { output } = repair(open, dialect, { evidence: { 700000007: 'denied' } });
    expect(JSON.stringify(output)).toContain('700000007');
    expect(JSON.stringify(output)).toContain('for g');
    expect(JSON.stringify(output)).toContain('[denied:');
    const checker = createChecker({ dialect });
    for (const message of open) checker.push(message);
    expect(checker.open()).toEqual(['700000007']);
  });

  test('a conversion joins them with their own calls', () => {
    const to = dialect === 'openai-chat' ? 'anthropic-messages' : 'openai-chat';
    expect(convert(step(CALLS, SWAPPED), { from: dialect, to }).output).toEqual(
      convert(whole, { from: dialect, to }).output,
    );
  });
});

test('a result may spell the id of its call in camel case', () => {
  const list = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: id, input: {} })) },
    { role: 'user', content: ['b', 'a'].map((id) => ({ type: 'tool_result', toolUseId: id, content: id })) },
  ];
  const { output, report } = repair(list, 'anthropic-messages');
  expect(output[2]).toEqual({
    role: 'user',
    content: ['b', 'a'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: id })),
  });
  expect(report.repairs.filter(({ loss }) => loss !== 'none')).toEqual([]);
});

test('a number that is none names nothing', () => {
  const { output } = repair(stepIn('openai-chat', [[NaN, 'f']], [[Infinity, 'r']]), 'openai-chat');
  expect(JSON.stringify(output)).not.toMatch(/NaN|Infinity/);
});

// Its length is wrong as well, so that the result would be told of because of its call and once more by itself.
test('a number that is no id of the provider as a text either is told of once on each side, and renamed', () => {
  const history = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', tool_calls: [{ id: 7, function: { name: 'ls', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 7, name: 'ls', content: 'two files' },
    { role: 'assistant', content: 'done' },
  ];
  const { output, report } = repair(history, 'mistral-chat');
  expect(report.findings.map(({ rule, at }) => [rule, at.pointer])).toEqual([
    ['call-id-malformed', '/1/tool_calls/0'],
    ['call-id-malformed', '/2'],
  ]);
  const text = JSON.stringify(output);
  const [renamed] = /[a-z0-9]{9}(?=","function)/.exec(text) ?? [''];
  expect(text).toContain(`"tool_call_id":"${renamed}"`);
  expect(report.repairs.map(({ action, loss }) => [action, loss])).toEqual([
    ['rewrite', 'none'],
    ['rewrite', 'none'],
  ]);
});

describe('a number in a place of pydantic-ai that no pair shows', () => {
  const search = { tool_name: 'web_search', tool_call_id: 1 };
  const call = { part_kind: 'tool-call', tool_name: 'ls', args: '{}' };
  const answered = { kind: 'request', parts: [{ part_kind: 'tool-return', tool_name: 'ls', content: 'a' }] };
  const cases: readonly (readonly [string, unknown[]])[] = [
    [
      'the calls and returns of the provider itself',
      [{ kind: 'response', parts: ['call', 'return'].map((k) => ({ part_kind: `builtin-tool-${k}`, ...search })) }],
    ],
    [
      'an entry of the older list that repeats a numbered call',
      [{ kind: 'response', parts: [{ ...call, tool_call_id: 7 }], tool_calls: [{ tool_call_id: 7 }] }, answered],
    ],
    [
      'an entry of the older list that repeats a sound call',
      [{ kind: 'response', parts: [{ ...call, tool_call_id: '7' }], tool_calls: [{ id: 7 }] }, answered],
    ],
  ];

  test.each(cases)('%s', (_, history) => {
    expect(check(history, 'pydantic-ai').findings[0]?.rule).toBe('call-id-malformed');
    const { output } = repair(history, 'pydantic-ai');
    expect(judge('pydantic-ai', output)).toEqual([]);
    expect(JSON.stringify(output)).not.toMatch(/id":\d/);
  });
});
