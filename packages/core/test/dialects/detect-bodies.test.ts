import { expect, test } from 'vitest';
import { check, detectDialect, repair } from '../../src/index.ts';

const user = { role: 'user', content: 'go' };
const chatCall = { id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } };
const chat = [
  { role: 'system', content: 'Be brief.' },
  user,
  { role: 'assistant', content: null, tool_calls: [chatCall] },
  { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
];
const blocks = [
  user,
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
];

test.each(['claude-sonnet-4-5', 'anthropic/claude-opus-4.6'])(
  'a chat about tools is a chat, also where a proxy is asked for %s',
  (model) => {
    expect(detectDialect({ model, messages: chat })).toBe('openai-chat');
    expect(check({ model, messages: chat }).findings).toEqual([]);
  },
);

test('parts that only one API has say more than the name of another vendor’s model', () => {
  expect(detectDialect({ model: 'gpt-5', messages: blocks })).toBe('anthropic-messages');
});

test('the fields of a request say more than one strange message in it', () => {
  const strange = [user, { role: 'tool', tool_call_id: 'toolu_1', content: 'a.txt' }];
  const tools = [{ name: 'ls', input_schema: { type: 'object' } }];
  expect(detectDialect({ model: 'claude-sonnet-4-5', system: 'Be brief.', messages: strange })).toBe(
    'anthropic-messages',
  );
  expect(detectDialect({ model: 'claude-sonnet-4-5', tools, messages: strange })).toBe('anthropic-messages');
});

test('the version of an API in a body is that of the API', () => {
  expect(detectDialect({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages: [user] })).toBe(
    'anthropic-messages',
  );
});

test('calls beside the text are those of an interface from before there were parts', () => {
  const invocation = { state: 'call', toolCallId: 'c1', toolName: 'ls', args: {} };
  const answer = { id: 'm2', role: 'assistant', content: 'a', toolInvocations: [invocation] };
  const list = [{ id: 'm1', ...user }, answer, { id: 'm3', ...user }];
  expect(detectDialect(list)).toBe('ai-sdk-ui');
  expect(detectDialect({ ...answer, toolInvocations: [] })).toBe('openai-chat');
  expect(check(repair(list).output, 'ai-sdk-ui').verdict).toBe('clean');
  expect(JSON.stringify(repair(list).output)).toContain('no result was recorded');
});

test('where the messages show nothing, the name of the model decides', () => {
  expect(detectDialect({ model: 'claude-sonnet-4-5', messages: [user] })).toBe('anthropic-messages');
  const texts = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }];
  expect(detectDialect({ model: 'gpt-5', messages: texts })).toBe('openai-chat');
  expect(detectDialect({ model: 'mistral-large-2512', messages: chat })).toBe('mistral-chat');
});

test.each([
  { type: 'function_call_output', output: 'event' },
  { type: 'function_call', name: 'ls', arguments: '{}' },
  { type: 'tool_search_output', tools: [] },
])('an entry of a tool of one’s own is known by its type, also without its id: %j', (entry) => {
  expect(detectDialect([user, entry, user])).toBe('openai-responses');
  expect(check([user, entry, user]).findings.map(({ rule }) => rule)).not.toContain('message-unreadable');
});
