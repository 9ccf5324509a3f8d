import { expect, test } from 'vitest';
import { check, decode, repair, RESULT_TEXTS, type Finding } from '../../src/index.ts';
import { aiSdkModel, anthropic, chat, gemini } from '../words.ts';

const { say, user } = anthropic;

const SONNET = 'claude-sonnet-4-5';
const ending = (text: string): unknown[] => [user('hi'), { role: 'assistant', content: text }];

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
  const open = [user('press'), say(call)];
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: RESULT_TEXTS.unknown, is_error: true };
  const { output } = repair(open, 'anthropic-messages');
  expect(output).toEqual([...open, user({ ...result, toolset_name: 'browser' })]);
});

test('an argument that contains itself is written once, with a remark where it comes back', () => {
  const input: Record<string, unknown> = { path: 'a' };
  input['self'] = input;
  const shared = { shared: true };
  input['twice'] = [shared, shared];
  const call = anthropic.call('toolu_1', 'read', input);
  const { output } = repair([say(call)], 'anthropic-messages');
  expect(output).toContainEqual(
    say({ ...call, input: { path: 'a', self: '[contains itself]', twice: [{ shared: true }, { shared: true }] } }),
  );
});

test.each([
  [
    'anthropic-messages',
    [anthropic.call('toolu_1', 'ls'), anthropic.result('toolu_1', 'a.txt')],
    'immediately after: toolu_1.',
  ],
  [
    'ai-sdk-model',
    [aiSdkModel.call('toolu_1', 'ls'), aiSdkModel.returned('toolu_1', 'a.txt', 'ls')],
    'Tool result is missing for tool call toolu_1.',
  ],
] as const)('the refusal of %s names a call whose result stands beside it', (dialect, content, words) => {
  const messages = [user('list'), { role: 'assistant', content }];
  const open = check(messages, dialect).findings.find(({ rule }) => rule === 'call-without-result');
  expect(open?.providerError).toContain(words);
});

test('a signature that is blank is none', () => {
  const thinking = { type: 'thinking', thinking: 'A greeting.', signature: ' \n' };
  const messages = [user('hi'), say(thinking, 'Hello.'), user('go on')];
  const { output, report } = repair(messages, { dialect: 'anthropic-messages', model: SONNET });
  expect(report.findings.map(({ rule }) => rule)).toEqual(['reasoning-unsigned']);
  expect(output[1]).toEqual(say('[interrupted reasoning]\nA greeting.', 'Hello.'));
  expect(report.preserved.ratio).toBe(1);
});

test('calls without ids that stand beside the content are named by their tools', () => {
  const call = (name: string): object => ({ type: 'function', function: { name, arguments: '{}' } });
  const messages = [
    user('look'),
    chat.say(call('ls')),
    { role: 'tool', content: 'a.txt' },
    chat.say(call('cat')),
    { role: 'tool', content: 'A' },
  ];
  const { output } = repair<unknown[]>(messages, { dialect: 'anthropic-messages', model: SONNET });
  const ids = [...JSON.stringify(output).matchAll(/"(?:id|tool_use_id)":"(\w+?)_[0-9a-z]{14}"/g)].map(([, id]) => id);
  expect(ids).toEqual(['call_ls', 'call_ls', 'call_cat', 'call_cat']);
});

test('options that are null are no options', () => {
  const input = [user('hi')];
  expect(repair(input, 'openai-chat', JSON.parse('null')).output).toBe(input);
});

test.each(['openai-chat', 'mistral-chat'] as const)(
  '%s: words under a key of another format are words, and not an empty message',
  (dialect) => {
    const { output, report } = repair([gemini.user('one'), { role: 'user', text: 'two' }], dialect);
    expect(JSON.stringify(output)).toMatch(/"content":.*one.*"content":.*two/);
    expect(report.preserved.ratio).toBe(1);
  },
);

test.each(['openai-chat', 'mistral-chat'] as const)('%s: so are those of the model', (dialect) => {
  const history = [user('one'), { role: 'assistant', text: 'two' }, user('three')];
  const { output } = repair(history, dialect);
  expect(output).toEqual([history[0], say('two'), history[2]]);
});

test.each([
  'anthropic-messages',
  'openai-responses',
  'gemini',
  'bedrock-converse',
  'ai-sdk-model',
  'ai-sdk-ui',
  'openai-agents',
] as const)('%s: the one call of an older chat is kept with its result', (dialect) => {
  const { output, report } = repair(
    [
      user('read a'),
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{"path":"a.txt"}' } },
      { role: 'function', name: 'read', content: 'words of the file' },
      user('go on'),
    ],
    dialect,
  );
  expect(JSON.stringify(output)).toMatch(/read".*a\.txt.*words of the file.*go on/);
  expect(report.preserved.ratio).toBe(1);
  expect(report.repairs.map(({ loss }) => loss)).not.toContain('lossy');
});

test('a history in a dialect that nobody knows is read as none', () => {
  expect(decode([{}], 'nonsense' as 'gemini')).toBeUndefined();
});

test('a result of a chat that holds blocks of another format says what they say', () => {
  const call = chat.call('c1');
  const block = anthropic.result('c1', 'A');
  const { output, report } = repair(
    [user('read a'), { role: 'assistant', content: null, tool_calls: [call] }, chat.result('c1', [block])],
    'openai-chat',
  );
  expect(output.at(-1)).toEqual(chat.result('c1', 'A'));
  expect(report.repairs.map(({ loss }) => loss)).toEqual(['none']);
});
