import {
  array,
  assert as assertProperty,
  constant,
  constantFrom,
  jsonValue,
  oneof,
  property,
  record,
  string,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openaiChat as codec } from '../../src/dialects/openai-chat/codec.ts';
import { profile as profileOf } from '../../src/dialects/openai-chat/profile.ts';
import { repair } from '../../src/index.ts';
import { chat } from '../words.ts';
import { expectReadAlike, scanningWith } from './scanned.ts';

const { say, system, user } = chat;

const SEED = 20_260_301;

const scan = scanningWith(codec, profileOf);

const call = (id: unknown, more: object = {}): object => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{"a":1}' },
  ...more,
});
const picture = { type: 'image_url', image_url: { url: 'data:,' } };
const text = chat.text('hi');
const calling = (...calls: unknown[]): object => ({ role: 'assistant', content: null, tool_calls: calls });
const answer = (content: unknown): object => chat.result('c', content);

const READ: readonly [name: string, wire: unknown, parts: string, facts: string][] = [
  ['plain text', user('hi'), 'text', ''],
  ['an empty text', user(''), 'text', ''],
  ['pieces', user(text, picture, { type: 'new' }), 'text media opaque', ''],
  ['instructions', { role: 'developer', content: 'be brief', name: 'n' }, 'text', ''],
  ['a legacy result', { role: 'function', name: 'f', content: 'x' }, 'text', ''],
  ['calls alone', calling(call('a'), call('b')), 'call call', ''],
  ['calls without content', { role: 'assistant', tool_calls: [call('a')] }, 'call', ''],
  ['text, then a call', say('ok', call('a')), 'text call', ''],
  ['calls that are null', { role: 'assistant', content: 'ok', tool_calls: null, refusal: null }, 'text', ''],
  ['a refusal', { role: 'assistant', content: null, refusal: 'no', tool_calls: [call('a')] }, 'opaque call', ''],
  ['a refusal as piece', say({ type: 'refusal', refusal: 'no' }), 'opaque', ''],
  ['a legacy call', { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }, 'opaque', ''],
  ['audio', { role: 'assistant', audio: { id: 'audio_1' } }, 'opaque', ''],
  ['a custom call', calling({ id: 'a', type: 'custom', custom: { name: 'f', input: '' } }), 'call', ''],
  ['a result', answer('x'), 'result', ''],
  ['a result in pieces', { ...answer([text, { type: 'new' }]), name: 'f' }, 'result', ''],
  ['keys nobody knows', { role: 'assistant', content: 'ok', reasoning_content: 'hm', x: { y: [1] } }, 'text', ''],
  ['no object', 7, 'opaque', 'message-unreadable'],
  ['no role', { content: 'hi' }, 'opaque', 'message-unreadable'],
  ['a strange role', { role: 'model', content: 'hi' }, 'opaque', 'role-foreign'],
  ['strange content', { role: 'user', content: { a: 1 } }, 'opaque', 'content-unreadable@0'],
  ['a strange result', answer(7), 'result', 'content-unreadable@0'],
  ['a strange piece of a result', answer([text, 7, picture]), 'result', 'content-unreadable@0'],
  [
    'strange pieces',
    { role: 'user', content: [7, { type: 'text' }] },
    'opaque opaque',
    'part-unreadable@0 part-unreadable@1',
  ],
  ['an empty answer', { role: 'assistant', content: null }, '', 'empty-message'],
  ['a user without content', { role: 'user' }, '', 'empty-message'],
  ['an empty list', { role: 'system', content: [] }, '', 'empty-message'],
  ['an empty list beside calls', { role: 'assistant', content: [], tool_calls: [call('a')] }, 'call', 'null-content'],
  ['a result without content', { role: 'tool', tool_call_id: 'c' }, 'result', 'null-content@0'],
  ['a result with an empty list', answer([]), 'result', 'null-content@0'],
  ['no calls', { role: 'assistant', content: 'ok', tool_calls: [] }, 'text', 'calls-empty'],
  ['calls that are no list', { role: 'assistant', content: 'ok', tool_calls: {} }, 'text', 'calls-empty'],
  ['a call without type', calling(call('a', { type: undefined })), 'call', 'call-type-missing@0'],
  ['a call without id', calling(call(undefined)), 'call', 'call-id-malformed@0'],
  ['a call with an empty id', calling(call('')), 'call', 'call-id-malformed@0'],
  ['a call with an id too long', calling(call('x'.repeat(41))), 'call', 'call-id-malformed@0'],
  [
    'a call with a bad name',
    calling(call('a', { function: { name: 'a.b', arguments: '' } })),
    'call',
    'call-name-malformed@0',
  ],
  [
    'parsed arguments',
    calling(call('a', { function: { name: 'f', arguments: {} } })),
    'call',
    'call-input-malformed@0',
  ],
  ['a call that is none', calling(7), 'call', 'part-unreadable@0'],
  [
    'a call with its fields spread out',
    calling({ id: 'a', type: 'function', name: 'f', arguments: '{}' }),
    'call',
    'call-name-malformed@0 call-input-malformed@0',
  ],
  ['calls of a user are a key like any other', { role: 'user', content: 'x', tool_calls: [call('')] }, 'text', ''],
  ['reasoning alone', { role: 'assistant', content: null, reasoning_content: 'hm' }, '', 'null-content'],
  ['calls that are no list, alone', { role: 'assistant', tool_calls: 'ls' }, '', 'calls-empty null-content'],
  ['a picture in a result', answer([picture]), 'result', 'part-refused@0'],
  ['a picture in instructions', system(text, picture), 'text media', 'part-refused@1'],
  ['a picture in an answer', say(picture), 'media', 'part-refused@0'],
  ['a refusal beside text', say(text, { type: 'refusal', refusal: 'no' }), 'text opaque', 'part-refused@1'],
  ['half a character in a text', user('x\ud83d'), 'text', 'lone-surrogate@0'],
  ['half a character in a piece', user({ ...text, x: '\ud83d' }), 'text', 'lone-surrogate@0'],
  ['half a character in a key', { role: 'user', content: 'x', '\ud83d': 1 }, 'text', 'lone-surrogate'],
  ['half a character in an id', { ...answer('x'), tool_call_id: '\ud83d' }, 'result', 'lone-surrogate@0'],
  ['half a character in a call', calling(call('a', { x: ['\ud83d'] })), 'call', 'lone-surrogate@0'],
  ['half a character in a result', answer([chat.text('\ud83d')]), 'result', 'lone-surrogate@0'],
  ['half a character in a refusal', { role: 'assistant', refusal: '\ud83d' }, 'opaque', 'lone-surrogate'],
  ['a value JSON cannot carry', { role: 'user', content: 'x', n: 1n }, 'text', 'value-unserialisable'],
];

describe('reading', () => {
  test.each(READ)('%s', (...[, wire, parts, facts]) => {
    const seen = scan(wire);
    expectReadAlike(codec, seen, wire);
    const message = codec.read(wire, 0);
    expect(message.parts.map((part) => part.kind).join(' ')).toBe(parts);
    expect(seen.facts.map((fact) => fact.split(' ')[0]).join(' ')).toBe(facts);
    expect(codec.write(message)).toBe(wire);
  });

  test('a model that takes null content finds nothing wrong with it, but still refuses an empty list', () => {
    const model = 'gpt-5.6-sol';
    for (const wire of [{ role: 'user' }, { role: 'assistant', content: null }, answer(null)]) {
      expect(scan(wire, { model }).facts).toEqual([]);
    }
    expect(scan(answer([]), { model }).facts).toEqual(['null-content@0']);
  });

  test('a message known to be sound is read for its structure alone', () => {
    const wire = say('x\ud83d', call(''));
    expect(scan(wire, { deep: false })).toMatchObject({
      role: 'assistant',
      parts: [
        { kind: 'text', id: undefined },
        { kind: 'call', id: '' },
      ],
      facts: [],
      characters: 0,
    });
  });
});

describe('writing', () => {
  test('a result that moved keeps every key of its message', () => {
    const [result] = codec.read({ ...answer('x'), name: 'f' }, 3).parts;
    expect(codec.write({ role: 'tool', parts: result === undefined ? [] : [result], at: -1 })).toEqual({
      ...answer('x'),
      name: 'f',
    });
  });

  test('the keys of content that is gone go with it', () => {
    const wire = { role: 'assistant', content: 'ok', refusal: 'no', tool_calls: [call('a')], x: 1 };
    const { parts, ...message } = codec.read(wire, 0);
    expect(codec.write({ ...message, parts: parts.slice(0, 1) })).toEqual({ role: 'assistant', content: 'ok', x: 1 });
    expect(codec.write({ ...message, parts: parts.slice(2) })).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [call('a')],
      x: 1,
    });
  });

  test('an edited call is written in its own form, with its input as text', () => {
    const custom = { id: 'a', type: 'custom', custom: { name: 'f', input: 'x', z: 1 }, y: 2 };
    const message = codec.read(calling(custom, call('b')), 0);
    const parts = message.parts.map((part) => ({ ...part, callId: 'n', input: { k: 1 }, edited: true }));
    expect(codec.write({ ...message, parts })).toEqual(
      calling(
        { id: 'n', type: 'custom', custom: { name: 'f', input: '{"k":1}', z: 1 }, y: 2 },
        chat.call('n', 'read', '{"k":1}'),
      ),
    );
  });

  test('a message of results without a result is one of the user', () => {
    const message = codec.read(answer('x'), 0);
    const parts = [{ kind: 'text', text: 'quoted', characters: 1 } as const];
    expect(codec.write({ role: message.role, parts, at: 0 })).toEqual(user('quoted'));
  });
});

test.each<[unknown, readonly string[]]>([
  [user('hi'), ['/content']],
  [user(text, picture), ['/content/0', '/content/1']],
  [say('ok', call('a'), call('b')), ['/content', '/tool_calls/0', '/tool_calls/1']],
  [
    { role: 'assistant', refusal: 'no', audio: { id: 'x' }, tool_calls: [call('a')] },
    ['/refusal', '/audio', '/tool_calls/0'],
  ],
  [answer('x'), ['']],
])('the parts of %j are found at %j', (wire, pointers) => {
  expect(codec.read(wire, 0).parts.map((_, index) => codec.pointer(wire, index))).toEqual(pointers);
});

const odd = constantFrom<unknown>(null, undefined, 7, '', 'x', {}, [], { type: 7 }, { type: 'text' }, '\ud83d');
const piece = oneof(
  constantFrom<unknown>(text, picture, { type: 'refusal', refusal: 'no' }, { type: 'new', x: 1 }),
  odd,
);
const callee = record({ name: oneof(constant('f'), odd), arguments: oneof(constant('{}'), odd) }, { requiredKeys: [] });
const anyCall = oneof(
  odd,
  record(
    {
      id: oneof(constantFrom('a', 'b', 'x'.repeat(41)), odd),
      type: constantFrom<unknown>('function', 'custom', undefined, 7),
      function: oneof(callee, odd),
      custom: oneof(constantFrom<unknown>({ name: 'f', input: 'x' }, { name: 'f', input: {} }), odd),
      name: odd,
    },
    { requiredKeys: [] },
  ),
);
const anyMessage = record(
  {
    role: oneof(constantFrom('user', 'assistant', 'tool', 'system', 'developer', 'function', 'model'), odd),
    content: oneof(string(), array(piece, { maxLength: 4 }), odd),
    tool_calls: oneof(array(anyCall, { maxLength: 3 }), odd),
    tool_call_id: oneof(constant('a'), odd),
    refusal: odd,
    function_call: odd,
    audio: odd,
    extra: jsonValue(),
  },
  { requiredKeys: ['role'] },
);

describe('properties over messages of any shape', () => {
  test('scan and read see the same role, parts, ids and characters, and write gives back what was read', () => {
    const holds = property(anyMessage, (wire) => {
      expectReadAlike(codec, scan(wire), wire);
      const { role } = codec.read(wire, 0);
      if (role !== 'unreadable') expect(JSON.stringify(codec.write(codec.read(wire, 0)))).toBe(JSON.stringify(wire));
    });
    expect(() => assertProperty(holds, { seed: SEED, numRuns: 3000 })).not.toThrow();
  });

  test('what is salvaged can be read', () => {
    const holds = property(anyMessage, (wire) => {
      const salvaged = codec.salvage(wire, 0);
      if (salvaged === undefined) return;
      const facts = scan(codec.write(salvaged)).facts.map((fact) => fact.split('@')[0]);
      for (const fact of ['message-unreadable', 'role-foreign', 'content-unreadable'])
        expect(facts).not.toContain(fact);
    });
    assertProperty(holds, { seed: SEED, numRuns: 2000 });
  });
});

test.each([null, undefined, []])('the predecessor of a result stays where its tool returned nothing: %j', (content) => {
  const call = { role: 'assistant', content: null, function_call: { name: 'rm', arguments: '{}' } };
  const messages = [user('clean up'), call, { role: 'function', name: 'rm', content }];
  const { output, report } = repair(messages, 'openai-chat');
  expect(report.repairs.map(({ rule }) => rule)).toEqual(['null-content']);
  expect(output[2]).toEqual({ role: 'function', name: 'rm', content: '' });
});
