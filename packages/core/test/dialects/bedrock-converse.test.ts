import { expect, test } from 'vitest';
import { bedrockConverse as codec } from '../../src/dialects/bedrock-converse/codec.ts';
import { check, detectDialect, repair } from '../../src/index.ts';
import type { Part } from '../../src/model/part.ts';

const call = { toolUse: { toolUseId: 't1', name: 'read', input: { path: 'a' } } };
const result = { toolResult: { toolUseId: 't1', content: [{ text: 'A' }, { json: { n: 1 } }], status: 'error' } };
const thought = { reasoningContent: { reasoningText: { text: 'hm', signature: 'sig' } } };
const redacted = { reasoningContent: { redactedContent: 'c2VjcmV0' } };
const image = { image: { format: 'png', source: { bytes: 'aGk=' } } };

const kindsOf = (parts: readonly Part[]): string[] => parts.map((part) => part.kind);

test('every block is read as what it is, in its place', () => {
  const assistant = codec.read({ role: 'assistant', content: [thought, redacted, { text: 'hi' }, call] }, 0);
  expect(kindsOf(assistant.parts)).toEqual(['reasoning', 'reasoning', 'text', 'call']);
  const user = codec.read({ role: 'user', content: [result, image, { cachePoint: { type: 'default' } }, 7] }, 1);
  expect(kindsOf(user.parts)).toEqual(['result', 'media', 'opaque', 'opaque']);
  expect(user.parts[0]).toMatchObject({ callId: 't1', outcome: 'error', text: 'A\n{"n":1}', server: false });
  expect(user.parts[2]?.characters).toBe(0);
});

const messages: readonly unknown[] = [
  { role: 'user', content: [{ text: 'hi', note: 1 }, image, { document: { name: 'a' } }, { hologram: 1 }] },
  { role: 'assistant', content: [thought, redacted, call] },
  { role: 'user', content: [result] },
  { role: 'system', content: [{ text: 'x' }], id: 7 },
  { role: 'user', content: [] },
  { role: 'user', content: 'hi' },
  { role: 'model', content: [{ text: 'hi' }] },
  { role: 'user', content: [null, undefined, {}, { type: 'text' }, { toolUse: 'x' }, { text: 7 }, { toolResult: [] }] },
  { role: 'user', content: [{ reasoningContent: 'x' }, { searchResult: {} }, { guardContent: {} }] },
  null,
  'text',
];

test.each(messages)('writing what was read gives it back: %j', (wire) => {
  expect(codec.write(codec.read(wire, 0))).toEqual(wire);
});

test('a part without a wire is built from its fields', () => {
  const at = -1;
  const base = { server: false, characters: 0 } as const;
  const parts: Part[] = [
    { kind: 'text', text: 'a', characters: 1 },
    { ...base, kind: 'call', callId: 't1', tool: 'read', input: {} },
    { ...base, kind: 'result', callId: 't1', text: 'no', outcome: 'interrupted' },
    { ...base, kind: 'result', callId: 't2', text: '', outcome: 'ok' },
    { ...base, kind: 'result', callId: 't3', text: ' ', outcome: 'error' },
  ];
  expect(codec.write({ role: 'user', parts, at })).toEqual({
    role: 'user',
    content: [
      { text: 'a' },
      { toolUse: { toolUseId: 't1', name: 'read', input: {} } },
      { toolResult: { toolUseId: 't1', content: [{ text: 'no' }], status: 'error' } },
      { toolResult: { toolUseId: 't2', content: [] } },
      { toolResult: { toolUseId: 't3', content: [{ text: '(no content)' }], status: 'error' } },
    ],
  });
});

test('edited parts keep every other key', () => {
  const { parts } = codec.read(
    { role: 'user', content: [{ ...call, note: 1 }, { toolResult: { ...result.toolResult, more: 2 } }] },
    0,
  );
  const edited = parts.map((part) => ({ ...part, callId: 'new', edited: true })) as Part[];
  expect(codec.write({ role: 'user', parts: edited, at: 0 })).toEqual({
    role: 'user',
    content: [
      { toolUse: { ...call.toolUse, toolUseId: 'new' }, note: 1 },
      { toolResult: { ...result.toolResult, toolUseId: 'new', more: 2 } },
    ],
  });
});

test('a request says what it declares', () => {
  const point = { cachePoint: { type: 'default' } };
  expect(
    codec.request({
      toolConfig: { tools: [{ toolSpec: { name: 'read' } }, point, 7] },
      system: [{ text: 'x' }, point],
      additionalModelRequestFields: { thinking: { type: 'adaptive' } },
    }),
  ).toMatchObject({ toolCount: 3, reasoningOn: true, reasoningRequired: false, markers: 2 });
  const bare = codec.request({ toolConfig: 7, system: 'x', additionalModelRequestFields: [] });
  expect(bare).toMatchObject({ tools: undefined, toolCount: 0, reasoningOn: false, markers: 0 });
});

test('findings point at the block', () => {
  const input = { messages: [{ role: 'user', content: [{ text: 'hi' }, { text: '' }] }] };
  const { findings } = check(input, 'bedrock-converse');
  expect(findings.map(({ at }) => at.pointer)).toEqual(['/messages/0/content/1']);
});

test('the model may stand under the name that clients give it', () => {
  const messages = [
    { role: 'assistant', content: [{ text: 'Hello' }] },
    { role: 'user', content: [{ text: 'hi' }] },
  ];
  const strict = { messages, inferenceConfig: {} };
  expect(check(strict).verdict).toBe('broken');
  expect(check({ ...strict, modelId: 'anthropic.claude-opus-4-6-v1:0' }).verdict).toBe('clean');
});

test('system text joins what the request has, or begins it', () => {
  const list = [
    { role: 'system', content: [{ text: 'x' }] },
    { role: 'user', content: [{ text: 'hi' }] },
  ];
  expect(repair({ messages: list }, 'bedrock-converse').output).toEqual({
    messages: [list[1]],
    system: [{ text: 'x' }],
  });
});

const shown: readonly unknown[] = [
  { role: 'user', content: [{ text: 'hi' }] },
  [{ role: 'user', content: [{ toolResult: {} }] }],
  { messages: [{ role: 'user', content: 'hi' }], inferenceConfig: { maxTokens: 1 } },
  { messages: [], system: [{ text: 'x' }] },
  [{ role: 'user', content: [image] }],
];

test.each(shown)('one message, or the request around it, shows the dialect: %j', (input) => {
  expect(detectDialect(input)).toBe('bedrock-converse');
});

test.each([
  ['anthropic-messages', [{ role: 'user', content: [{ type: 'image', source: {} }] }]],
  ['anthropic-messages', { messages: [], system: [{ type: 'text', text: 'x' }] }],
  ['anthropic-messages', [{ role: 'user', content: [{ type: 'text', text: 'x' }] }]],
])('what belongs to %s is not taken for it: %j', (dialect, input) => {
  expect(detectDialect(input)).toBe(dialect);
});
