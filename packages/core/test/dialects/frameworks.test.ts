import { describe, expect, test } from 'vitest';
import { CODECS } from '../../src/dialects/dialects.ts';
import { check, detectDialect, repair, type Dialect } from '../../src/index.ts';
import { healthy, inputOf, plant } from '../fuzz/histories.ts';
import { seedAt, startRandom } from '../fuzz/random.ts';

const seed = 11;
const histories = 300;
const frameworks: readonly Dialect[] = ['ai-sdk-model', 'ai-sdk-ui', 'langchain', 'openai-agents'];

describe.each(frameworks)('%s', (dialect) => {
  const codec = CODECS[dialect];

  test(`what is written of any message that was read is that message (seed ${seed})`, () => {
    for (let index = 0; index < histories; index += 1) {
      const random = startRandom(seedAt(seed, index));
      const draft = healthy(dialect, random);
      if (index % 2 === 1) plant(draft, random);
      for (const [at, wire] of draft.messages.entries()) {
        expect(codec.write(codec.read(wire, at)), `of ${JSON.stringify(wire)}`).toEqual(wire);
      }
    }
  });

  test(`every part has a pointer that leads to it (seed ${seed})`, () => {
    for (let index = 0; index < histories; index += 1) {
      const { messages } = healthy(dialect, startRandom(seedAt(seed, index)));
      for (const [at, wire] of messages.entries()) {
        for (const part of codec.read(wire, at).parts.keys()) {
          expect(follow(wire, codec.pointer(wire, part)), `of ${JSON.stringify(wire)}`).not.toBe(undefined);
        }
      }
    }
  });

  test(`a history with a call in it is known for what it is (seed ${seed})`, () => {
    let known = 0;
    for (let index = 0; index < histories; index += 1) {
      const draft = healthy(dialect, startRandom(seedAt(seed, index)));
      const calls = draft.messages
        .flatMap((wire, at) => codec.read(wire, at).parts)
        .some(({ kind }) => kind === 'call');
      if (!calls) continue;
      expect(detectDialect(inputOf(draft)), `of ${JSON.stringify(inputOf(draft))}`).toBe(dialect);
      known += 1;
    }
    expect(known).toBeGreaterThan(histories / 3);
  });
});

function follow(wire: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], wire);
}

/** One message of each format that shows by itself what it is. */
const telling: readonly (readonly [Dialect, object])[] = [
  ['ai-sdk-model', { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} }] }],
  ['ai-sdk-model', { role: 'user', content: 'hi', providerOptions: {} }],
  ['ai-sdk-model', { role: 'assistant', content: [{ type: 'reasoning', text: 'why' }] }],
  ['ai-sdk-ui', { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  ['ai-sdk-ui', { id: 'm1', role: 'assistant', parts: [] }],
  ['langchain', { type: 'human', content: 'hi' }],
  ['langchain', { type: 'ai', data: { content: 'Hello' } }],
  ['langchain', { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'AIMessage'], kwargs: {} }],
  ['langchain', { type: 'AIMessageChunk', content: 'Hello' }],
  ['langchain', { _getType: () => 'human', content: 'hi' }],
  ['openai-agents', { type: 'function_call', callId: 'c', name: 'f', arguments: '{}' }],
  ['openai-agents', { type: 'function_call_result', callId: 'c', name: 'f', output: 'x' }],
  ['openai-agents', { type: 'shell_call_output', callId: 'c', output: [] }],
  ['openai-agents', { type: 'reasoning', content: [] }],
  ['openai-agents', { type: 'reasoning', id: 'rs_1', summary: [], rawContent: [] }],
  ['openai-agents', { type: 'hosted_tool_call', name: 'web_search_call' }],
  ['openai-agents', { type: 'unknown', providerData: { type: 'x' } }],
  ['openai-agents', { role: 'assistant', id: 'FAKE_ID', content: [] }],
  ['openai-agents', { role: 'user', content: [{ type: 'input_image', image: 'data:,' }] }],
  ['openai-agents', { role: 'assistant', content: [{ type: 'output_text', text: 'a', providerData: {} }] }],
  ['openai-responses', { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }],
  ['openai-responses', { type: 'reasoning', summary: [], content: [] }],
  [
    'openai-responses',
    { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'why' }], encrypted_content: 'g' },
  ],
  ['openai-responses', { type: 'message', role: 'user', content: 'hi' }],
  ['openai-responses', { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }],
  ['openai-responses', { role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
  ['openai-responses', { type: 'compaction', encrypted_content: 'g' }],
  ['anthropic-messages', { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }],
  ['openai-chat', { role: 'developer', content: 'Be brief.' }],
  ['openai-chat', { role: 'tool', tool_call_id: 'c', content: 'x' }],
];

test.each(telling)('one message shows that it is of %s: %j', (dialect, message) => {
  expect(detectDialect(message)).toBe(dialect);
  expect(detectDialect([{ role: 'user', content: 'hi' }, message])).toBe(dialect);
});

test('one item that only the SDK writes decides for all that are like those of the API', () => {
  const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] };
  const call = { type: 'function_call', callId: 'c', name: 'f', arguments: '{}' };
  expect(detectDialect([said])).toBe('openai-responses');
  expect(detectDialect([said, call])).toBe('openai-agents');
  expect(detectDialect({ model: 'gpt-5', input: [said, call] })).toBe('openai-agents');
  expect(detectDialect({ model: 'gpt-5', input: [said] })).toBe('openai-responses');
  expect(detectDialect({ model: 'gpt-5', input: 'hi' })).toBe('openai-responses');
});

test('an order of LangChain to remove a message goes, unless it says something', () => {
  const hi = { type: 'human', content: 'hi' };
  const { output, report } = repair([hi, { type: 'remove', id: 'm1', content: [] }, { type: 'remove', id: 'm2' }]);
  expect(output).toEqual([hi]);
  expect(report).toMatchObject({ verdict: 'repaired', preserved: { ratio: 1 } });
  expect(JSON.stringify(repair([hi, { type: 'remove', id: 'm1', content: 'bye' }]).output)).toContain('bye');
});

test('calls of a kind of their own may share an id with a function, in the API as in its SDK', () => {
  const both = [
    { type: 'function_call', call_id: 'A', name: 'f', arguments: '{}' },
    { type: 'custom_tool_call', call_id: 'A', name: 'g', input: 'x' },
  ];
  const { output, report } = repair<unknown[]>([...both, { role: 'user', content: 'so?' }], 'openai-responses');
  expect(report.repairs.map(({ rule }) => rule)).toEqual(['call-without-result', 'call-without-result']);
  expect(output).toHaveLength(5);
  expect(check(output, 'openai-responses').verdict).toBe('clean');
});
