import { expect, test } from 'vitest';
import { check, repair, RESULT_TEXTS, type Finding } from '../src/index.ts';

const SONNET = 'claude-sonnet-4-5';
const ending = (text: string): unknown[] => [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: text },
];

const found = (input: unknown): Finding['rule'][] =>
  check(input, { dialect: 'anthropic-messages', model: SONNET, purpose: 'request' }).findings.map(({ rule }) => rule);

test('a bare list that is sent as a request may end in the start of an answer', () => {
  expect(found(ending('Hello'))).toEqual([]);
});

test('a bare list that is sent as a request may not end in white space', () => {
  expect(found(ending('Hello '))).toEqual(['trailing-whitespace']);
});

test('the start of an answer is refused beside an output format, and its white space is then no matter', () => {
  expect(found({ output_config: { format: { type: 'json_schema' } }, messages: ending('{ ') })).toEqual([
    'ends-with-assistant',
  ]);
});

test('options without an output format do not matter', () => {
  expect(found({ output_config: { effort: 'low' }, messages: ending('Hello') })).toEqual([]);
});

test('the result invented for a call of a toolset names the toolset', () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'press', input: {}, toolset_name: 'browser' };
  const open = [
    { role: 'user', content: 'press' },
    { role: 'assistant', content: [call] },
  ];
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: RESULT_TEXTS.unknown, is_error: true };
  const { output } = repair(open, 'anthropic-messages');
  expect(output).toEqual([...open, { role: 'user', content: [{ ...result, toolset_name: 'browser' }] }]);
});

test('an argument that contains itself is written once, with a remark where it comes back', () => {
  const input: Record<string, unknown> = { path: 'a' };
  input['self'] = input;
  const shared = { shared: true };
  input['twice'] = [shared, shared];
  const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input };
  const { output } = repair([{ role: 'assistant', content: [call] }], 'anthropic-messages');
  expect(output).toContainEqual({
    role: 'assistant',
    content: [
      { ...call, input: { path: 'a', self: '[contains itself]', twice: [{ shared: true }, { shared: true }] } },
    ],
  });
});
