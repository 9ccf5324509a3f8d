import { expect, test } from 'vitest';
import { mistralChat as codec } from '../../src/dialects/mistral-chat/codec.ts';
import { detectDialect, repair } from '../../src/index.ts';
import type { Part } from '../../src/model/part.ts';
import { aiSdkModel, anthropic, chat } from '../words.ts';

const { rawCall, result, say, text, user } = chat;

const call = { id: 'abcDEF123', type: 'function', function: { name: 'read', arguments: '{}' }, index: 0 };
const thought = { type: 'thinking', thinking: [text('hm')], closed: true };
const document = { type: 'document_url', document_url: 'https://example.org/a.pdf' };

const kindsOf = (parts: readonly Part[]): string[] => parts.map((part) => part.kind);

test('the chunks of this API are read as what they are', () => {
  const answer = codec.read({ role: 'assistant', content: [thought, text('a')], tool_calls: [call] }, 0);
  expect(kindsOf(answer.parts)).toEqual(['reasoning', 'text', 'call']);
  expect(answer.parts[0]).toMatchObject({ text: 'hm', sealed: false });
  expect(kindsOf(codec.read(user(document, { type: 'reference' }), 0).parts)).toEqual(['media', 'opaque']);
});

const messages: readonly unknown[] = [
  user('hi'),
  { role: 'user', content: [document, text('a'), { type: 'future' }, 7] },
  { role: 'assistant', content: [], tool_calls: [call], prefix: false },
  { role: 'assistant', content: [thought], tool_calls: [], prefix: true },
  { role: 'assistant', content: null, refusal: 'no' },
  { role: 'assistant', tool_calls: 'x' },
  { role: 'tool', tool_call_id: 'abcDEF123', name: 'read', content: 'A' },
  aiSdkModel.results(document),
  { role: 'developer', content: 'x' },
  { role: 'system', content: 7 },
  null,
];

test.each(messages)('writing what was read gives it back: %j', (wire) => {
  expect(codec.write(codec.read(wire, 0))).toEqual(wire);
});

test('every call that is written is a function', () => {
  const base = { kind: 'call', server: false, characters: 0 } as const;
  const parts: Part[] = [
    { ...base, callId: 'a', tool: 'read', input: { path: 'a' } },
    { ...base, callId: 'b', tool: 'read', input: undefined },
    { ...base, callId: 'c', tool: 'read', input: { a: 1 }, wire: { id: 'x', custom: { name: 'y' } }, edited: true },
  ];
  expect(codec.write({ role: 'assistant', parts, at: -1 })).toMatchObject({
    tool_calls: [chat.call('a', 'read', '{"path":"a"}'), chat.call('b'), rawCall('c', 'read', { a: 1 })],
  });
});

test('different ids stay different when they are cut to nine characters', () => {
  const ids = Array.from({ length: 2000 }, (_, i) => `tooluse_ab${String(i)}`);
  const tool_calls = ids.map((id) => ({ ...call, id }));
  const results = ids.map((id) => result(id, id));
  const { output } = repair([user('go'), { role: 'assistant', tool_calls }, ...results], 'mistral-chat');
  const answered = output.slice(2) as { tool_call_id: string; content: string }[];
  expect(new Set(answered.map(({ tool_call_id: id }) => id)).size).toBe(2000);
  expect(answered.every(({ tool_call_id: id }) => /^[a-zA-Z0-9]{9}$/.test(id))).toBe(true);
  expect(answered.map(({ content }) => content)).toEqual(ids);
});

test.each([
  ['mistral-chat', { role: 'assistant', content: 'a', prefix: false }],
  ['mistral-chat', [user(document)]],
  ['mistral-chat', [say(thought)]],
  ['mistral-chat', { model: 'mistral-medium-latest', messages: [user('hi')] }],
  ['mistral-chat', { model: 'open-mixtral-8x22b', messages: [user('hi')] }],
  // Nothing here says whose chat it is, and the reading that asks least is taken.
  ['openai-chat', [result('abcDEF123', 'A')]],
  ['openai-chat', [{ role: 'assistant', content: '', tool_calls: [call] }]],
  ['openai-chat', { model: 'mistralai/mistral-small', messages: [user('hi')] }],
  ['anthropic-messages', [anthropic.say({ type: 'thinking', thinking: 'a', signature: 's' })]],
])('%s is told from %j', (dialect, input) => {
  expect(detectDialect(input)).toBe(dialect);
});
