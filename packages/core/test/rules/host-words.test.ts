import { expect, test } from 'vitest';
import { check, type Dialect } from '../../src/index.ts';

const user = { role: 'user', content: 'list' };
const call = (input: unknown = '{}', more: object = { type: 'function' }): object => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'c1', ...more, function: { name: 'ls', arguments: input } }],
});
const result = { role: 'tool', tool_call_id: 'c1', content: 'a.txt' };
const lost = { role: 'tool', tool_call_id: 'c9', content: 'a.txt' };
const nameless = { role: 'tool', content: 'a.txt' };
const answer = (content: unknown, more: object = {}): object => ({ role: 'assistant', content, ...more });

const OPEN =
  '<400> InternalError.Algo.InvalidParameter: An assistant message with "tool_calls" must be followed by tool ' +
  'messages responding to each "tool_call_id".';
const INSUFFICIENT =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
  '(insufficient tool messages following tool_calls message)';
const MAPPING = 'Can only get item pairs from a mapping';
const NOT_FOUND = 'Invalid request: tool_call_id  is not found';
const ELEMENT = 'Invalid request content: Each message must have at least one content element.';
const NO_TYPE =
  "'messages.1' : for 'role:assistant' the following must be satisfied" +
  "[('messages.1.tool_calls.0.type' : property 'type' is missing)]";
const NO_ID =
  "'messages.2' : for 'role:tool' the following must be satisfied" +
  "[('messages.2.tool_call_id' : property 'tool_call_id' is missing)]";
const REFUSAL =
  "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'refusal' is unsupported)]";
const EMPTY = "the message at position 1 with role 'assistant' must not be empty";
const DUPLICATE = "Duplicate value for 'tool_call_id' of c1 in message[1]";
const twice = {
  ...call(),
  tool_calls: [call(), call()].flatMap((each) => (each as { tool_calls: object[] }).tool_calls),
};

type Said = readonly [model: string, rule: string, list: unknown[], words: string | undefined];

const CASES: readonly Said[] = [
  ['deepseek-chat', 'duplicate-result', [user, call(), result, result], DUPLICATE.replace('[1]', '[3]')],
  ['deepseek-chat', 'duplicate-result', [user, call(), result, answer('One.'), result], undefined],
  ['template/qwen3', 'call-input-malformed', [user, call(), result], MAPPING],
  ['template/qwen3', 'call-without-result', [user, call({}), user], undefined],
  ['kimi-k2', 'empty-message', [user, answer(''), user], EMPTY],
  ['kimi-k2', 'null-content', [user, answer('', { reasoning_content: 'Hm.' })], EMPTY],
  ['kimi-k2', 'empty-message', [user, { role: 'user', content: null }], undefined],
  ['kimi-k2', 'result-without-call', [user, lost], NOT_FOUND],
  ['kimi-k2', 'result-misnamed', [user, call(), lost], NOT_FOUND],
  ['qwen3-max', 'call-without-result', [user, call(), user], OPEN],
  ['qwen/qwen3-max', 'call-without-result', [user, call(), user], OPEN],
  ['qwen3-max', 'result-displaced', [user, call(), user, result], OPEN],
  [
    'qwen3-max',
    'calls-empty',
    [user, answer('Hi', { tool_calls: [] })],
    'Empty tool_calls is not supported in message.',
  ],
  ['qwen3-max', 'calls-empty', [user, answer('Hi', { tool_calls: 'none' })], undefined],
  ['grok-4', 'null-content', [user, { ...call(), content: null }, result], ELEMENT],
  ['grok-4', 'empty-message', [user, answer(null), user], ELEMENT],
  [
    'gemma-2-9b-it',
    'system-role-refused',
    [{ role: 'system', content: 'Be brief.' }, user],
    'System role not supported',
  ],
  ['groq/llama-3.3-70b', 'call-type-missing', [user, call('{}', {}), result], NO_TYPE],
  ['groq/llama-3.3-70b', 'result-misnamed', [user, call(), nameless], NO_ID],
  ['groq/llama-3.3-70b', 'result-without-call', [user, call(), lost, lost], undefined],
  ['groq/llama-3.3-70b', 'part-refused', [user, answer(null, { refusal: 'No.' })], REFUSAL],
  [
    'groq/llama-3.3-70b',
    'part-refused',
    [user, answer([{ type: 'image_url', image_url: { url: 'data:,' } }])],
    undefined,
  ],
  ['deepseek-chat', 'call-without-result', [user, call(), user], INSUFFICIENT],
  ['deepseek-v4', 'duplicate-call-id', [user, twice, result, result], DUPLICATE],
];

function wordsOf(list: unknown[], dialect: Dialect, { model, rule }: { model?: string; rule: string }): unknown[] {
  const { findings } = check(list, model === undefined ? dialect : { dialect, model });
  return findings.filter((each) => each.rule === rule).map(({ providerError }) => providerError);
}

test.each(CASES)('%s answers %s in its own words or in none', (...[model, rule, list, words]) => {
  const said = wordsOf(list, 'openai-chat', { model, rule });
  expect(said.length).toBeGreaterThan(0);
  expect(said[0]).toBe(words);
});

test('a result without an id is None to one who looks for it among the calls', () => {
  const list = [
    user,
    { ...call(), tool_calls: [{ id: 'abcdefgh1', function: { name: 'ls', arguments: '{}' } }] },
    nameless,
  ];
  expect(wordsOf(list, 'mistral-chat', { rule: 'result-misnamed' })).toEqual([
    'Unexpected tool call id None in tool results',
  ]);
});
