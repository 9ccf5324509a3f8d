import {
  array,
  assert as assertProperty,
  constant,
  constantFrom,
  jsonValue,
  oneof,
  property,
  record,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSignature } from '../../src/dialects/gemini/shape.ts';
import { gemini as codec } from '../../src/dialects/gemini/codec.ts';
import { profile as profileOf } from '../../src/dialects/gemini/profile.ts';
import { detectDialect } from '../../src/index.ts';
import { anthropic, chat, gemini, pydantic } from '../words.ts';
import { expectReadAlike, scanningWith } from './scanned.ts';

const { say, text, user } = gemini;

const SEED = 20_260_301;
const OLD = 'gemini-2.5-flash';

const scan = scanningWith(codec, profileOf);

const asks = (...parts: unknown[]): object => ({ role: 'user', parts });
const says = (...parts: unknown[]): object => ({ role: 'model', parts });
const call = (fields: object = {}): object => ({ functionCall: { name: 'read', args: { a: 'b' }, ...fields } });
const result = (fields: object = {}): object => ({
  functionResponse: { name: 'read', response: { result: 'x' }, ...fields },
});
const signed = (part: object, thoughtSignature: unknown = 'c2ln'): object => ({ ...part, thoughtSignature });
const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };

const READ: readonly [name: string, wire: unknown, parts: string, facts: string][] = [
  ['plain text', asks(text('hi')), 'text', ''],
  ['an empty text', asks(text('')), 'text', ''],
  ['no role', { parts: [text('hi')] }, 'text', ''],
  ['one part without a list', { role: 'user', parts: text('hi') }, 'text', ''],
  ['media in both spellings', asks(picture, { file_data: { file_uri: 'gs://a' } }), 'media media', ''],
  ['a thought', says({ text: 'hm', thought: true }, text('hi')), 'reasoning text', ''],
  ['a thought that is not one', says({ text: 'hm', thought: false }), 'text', ''],
  ['a thought of the user', asks({ text: 'hm', thought: true }), 'text', ''],
  ['what the provider ran itself', says({ executableCode: {} }, { toolResponse: {} }), 'opaque opaque', ''],
  ['a kind nobody knows', asks({ hologram: 1, text: null }, { '': 1 }), 'opaque opaque', ''],
  ['a signed call', says(signed(call())), 'call', ''],
  ['an unsigned call', says(call()), 'call', 'call-unsigned@0'],
  ['an emptied signature', says(signed(call(), '')), 'call', 'call-unsigned@0'],
  ['a call without arguments', says(signed({ functionCall: { name: 'ls' } })), 'call', ''],
  ['a result', asks(result()), 'result', ''],
  ['a result with a picture', asks(result({ parts: [picture] })), 'result', ''],
  ['no parts', { role: 'model' }, '', 'empty-message'],
  ['an empty list', asks(), '', 'empty-message'],
  ['an empty system message', gemini.system(), '', 'system-empty'],
  ['parts that are a text', { role: 'user', parts: 'hi' }, '', 'content-unreadable'],
  ['content in the place of parts', chat.user('hi'), '', 'content-unreadable'],
  ['a text in the place of parts', { role: 'user', text: 'hi' }, '', 'content-unreadable'],
  ['a foreign role', { role: 'assistant', parts: [] }, '', 'role-foreign'],
  ['no message', 'hi', '', 'message-unreadable'],
  ['a role that is a number', { role: 7, parts: [] }, '', 'message-unreadable'],
  ['a part without data', asks({}, { thought: true }), 'opaque opaque', 'part-unreadable@0 part-unreadable@1'],
  ['parts that are none', asks('hi', null), 'opaque opaque', 'part-unreadable@0 part-unreadable@1'],
  ['a text that is a number', asks({ text: 7 }), 'opaque', 'part-unreadable@0'],
  ['a call that is a text', says({ functionCall: 'ls' }), 'opaque', 'part-unreadable@0'],
  ['two kinds of data', asks({ text: 'hi', ...picture }), 'opaque', 'data-twice@0'],
  ['data in both spellings', asks({ ...picture, inline_data: {} }), 'opaque', 'data-twice@0'],
  ['a call of the user', asks(call()), 'call', 'part-in-wrong-role@0'],
  ['a result of the model', says(result()), 'result', 'part-in-wrong-role@0'],
  ['a picture of the system', gemini.system(picture), 'media', 'part-in-wrong-role@0'],
  ['a call without a name', says(signed(call({ name: '' }))), 'call', 'call-name-malformed@0'],
  ['a result without a name', asks(result({ name: undefined })), 'result', 'result-name-missing@0'],
  ['arguments that are a text', says(signed(call({ args: '{}' }))), 'call', 'call-input-malformed@0'],
  ['a result that is a text', asks(result({ response: 'x' })), 'result', 'result-not-object@0'],
  ['an id that is a list', says(signed(call({ id: [] }))), 'call', 'part-unreadable@0'],
  ['a broken signature', says(signed(text('hi'), 'a b')), 'text', 'signature-corrupted@0'],
  ['half a character', asks(text('\ud83d')), 'text', 'lone-surrogate@0'],
  ['half a character in an unknown key', asks({ text: 'a', '\ud83d': 1 }), 'text', 'lone-surrogate@0'],
  ['half a character beside the parts', { ...asks(text('a')), note: '\ud83d' }, 'text', 'lone-surrogate'],
  ['half a character in an id', says(signed(call({ id: '\ud83d' }))), 'call', 'lone-surrogate@0'],
  ['half a character in a name', asks(result({ name: '\ud83d' })), 'result', 'lone-surrogate@0'],
  [
    'half a character where a result has its parts',
    says(signed(call({ parts: '\ud83d' }))),
    'call',
    'lone-surrogate@0',
  ],
  ['half a character in a key of a call', says(signed(call({ '\ud83d': 1 }))), 'call', 'lone-surrogate@0'],
  ['a big integer beside a call', says({ ...signed(call()), note: 1n }), 'call', 'value-unserialisable@0'],
];

describe('a content is read as what it is', () => {
  test.each(READ)('%s', (_name, wire, ...[parts, facts]) => {
    const seen = scan(wire);
    expect(seen.parts.map(({ kind }) => kind).join(' ')).toBe(parts);
    expect(seen.facts.map((fact) => fact.split(' ')[0]).join(' ')).toBe(facts);
    expectReadAlike(codec, seen, wire);
    expect(codec.write(codec.read(wire, 0))).toEqual(wire);
    if (codec.read(wire, 0).role !== 'unreadable') expect(scan(wire, { deep: false }).parts).toEqual(seen.parts);
  });

  test('an older model asks for no signatures and looks at no ids', () => {
    expect(scan(says(call({ id: [] })), { model: OLD }).facts).toEqual([]);
  });
});

const field = oneof(
  record({ text: oneof(jsonValue(), constant('hi')) }),
  record({ functionCall: oneof(jsonValue(), record({ id: jsonValue(), name: jsonValue(), args: jsonValue() })) }),
  record({ function_response: oneof(jsonValue(), record({ name: jsonValue(), response: jsonValue() })) }),
  record({ thoughtSignature: jsonValue(), thought: jsonValue(), text: jsonValue(), inlineData: jsonValue() }),
  jsonValue(),
);
const anyContent = oneof(
  record({ role: constantFrom('user', 'model', 'system', '', null, 'tool'), parts: oneof(array(field), field) }),
  record({ role: constantFrom('user', 'model'), content: jsonValue() }),
  jsonValue(),
);

test(`whatever JSON comes in, what is read is written the same, and counted the same (seed ${SEED})`, () => {
  const holds = property(anyContent, (wire) => {
    expectReadAlike(codec, scan(wire), wire);
    expect(codec.write(codec.read(wire, 0))).toEqual(wire);
  });
  expect(() => assertProperty(holds, { seed: SEED, numRuns: 3000 })).not.toThrow();
});

describe('ids', () => {
  const idOf = (fields: object): string | undefined => scan(says(call(fields))).parts[0]?.id;

  test('a call and its result agree on one, with and without an id on the wire', () => {
    for (const fields of [{}, { id: 'a' }, { id: '' }, { id: '#read' }, { id: 7 }, { id: false }, { id: '\u0001 7' }]) {
      expect(scan(asks(result(fields))).parts[0]?.id).toBe(idOf(fields));
    }
  });

  test('no id on the wire is taken for the name of a tool, nor for another id', () => {
    const ids = [{}, { id: '#read' }, { id: '\0#read' }, { id: 7 }, { id: '7' }, { id: '\u00017' }, { name: 7 }];
    expect(new Set(ids.map(idOf)).size).toBe(ids.length);
  });

  test('an invented result repeats the id of its call, and invents none', () => {
    const answered = (fields: object): unknown => {
      const part = codec.read(says(call(fields)), 0).parts[0];
      if (part?.kind !== 'call') throw new Error('not a call');
      const { callId, tool } = part;
      const made = {
        kind: 'result',
        callId,
        tool,
        outcome: 'unknown',
        text: 'x',
        server: false,
        characters: 0,
      } as const;
      return codec.write({ role: 'user', parts: [made], at: -1 });
    };
    const response = { error: 'x' };
    expect(answered({})).toEqual(asks({ functionResponse: { name: 'read', response } }));
    for (const id of ['a', '#read', '\0#read', 7, true, false]) {
      expect(answered({ id })).toEqual(asks({ functionResponse: { id, name: 'read', response } }));
    }
  });
});

describe('what is made new', () => {
  const base = { server: false, characters: 0 } as const;

  test('text, thoughts, calls and results of both outcomes', () => {
    const written = codec.write({
      role: 'assistant',
      at: -1,
      parts: [
        { kind: 'text', text: 'a', characters: 0 },
        { kind: 'reasoning', text: 'b', sealed: false, characters: 0 },
        { kind: 'call', callId: 'c', tool: 'd', input: { e: 1 }, ...base },
        { kind: 'result', callId: '', tool: 'f', outcome: 'ok', text: 'g', ...base },
        { kind: 'result', callId: '', outcome: 'denied', text: 'h', ...base },
      ],
    });
    expect(written).toEqual(
      says(text('a'), { text: 'b', thought: true }, gemini.call('d', { e: 1 }, 'c'), gemini.result('f', 'g'), {
        functionResponse: { name: '', response: { error: 'h' } },
      }),
    );
    expect(codec.write({ role: 'system', parts: [], at: -1 })).toEqual(gemini.system());
    expect(codec.write({ role: 'tool', parts: [], at: -1 })).toEqual(user());
  });

  test('an edited part keeps its spelling and its other fields', () => {
    const wire = says({ function_call: { id: 'a', name: '', extra: 1 }, thought_signature: 'c2ln' });
    const message = codec.read(wire, 0);
    const parts = message.parts.map((part) => (part.kind === 'call' ? { ...part, tool: 'ls', edited: true } : part));
    expect(codec.write({ ...message, parts })).toEqual(
      says({ function_call: { id: 'a', name: 'ls', extra: 1 }, thought_signature: 'c2ln' }),
    );
  });

  test('a result is read as its text where it holds one, and as JSON otherwise', () => {
    const textOf = (fields: object): unknown => {
      const part = codec.read(asks(result(fields)), 0).parts[0];
      return part?.kind === 'result' ? [part.outcome, part.text] : undefined;
    };
    expect(textOf({ response: { output: 'x' } })).toEqual(['ok', 'x']);
    expect(textOf({ response: { error: 'x' } })).toEqual(['error', 'x']);
    expect(textOf({ response: { lines: 3 } })).toEqual(['ok', '{"lines":3}']);
    expect(textOf({ response: { result: 3 } })).toEqual(['ok', '{"result":3}']);
    expect(textOf({ response: { result: 'x', more: 1 } })).toEqual(['ok', '{"result":"x","more":1}']);
    expect(textOf({ response: 'x' })).toEqual(['ok', 'x']);
    expect(textOf({ response: null })).toEqual(['ok', '']);
    expect(textOf({ response: { result: 'x' }, parts: [1] })).toEqual(['ok', 'x\n[1]']);
  });
});

describe('what can be read of other shapes', () => {
  const salvaged = (wire: unknown): unknown => {
    const message = codec.salvage(wire, 0);
    return message && codec.write(message);
  };
  const typed = [
    anthropic.text('hi'),
    anthropic.call('a', 'ls', { b: 1 }),
    { type: 'tool_result', tool_use_id: 'a', content: [anthropic.text('x')], is_error: true },
  ];

  test.each([
    ['a foreign role', { role: 'Assistant', parts: [text('hi')] }, says(text('hi'))],
    ['a role of its own for results', { role: 'function', parts: [result()] }, asks(result())],
    ['one part without a list', { role: 'tool', parts: result() }, asks(result())],
    ['instructions', { role: 'developer', parts: [text('hi')] }, gemini.system('hi')],
    ['a plain text', chat.say('hi'), says(text('hi'))],
    [
      'parts with types',
      { role: 'assistant', content: [...typed, { type: 'thinking' }, 7] },
      says(
        text('hi'),
        gemini.call('ls', { b: 1 }, 'a'),
        { functionResponse: { id: 'a', name: '', response: { error: 'x' } } },
        7,
      ),
    ],
    [
      'parts with types and little else',
      anthropic.user({ type: 'tool_use' }, { type: 'tool_result' }, { type: 'text' }),
      asks(text('{"type":"tool_use"}'), gemini.result('', '')),
    ],
    ['nothing', { role: 'assistant', parts: [] }, undefined],
    ['a role nobody knows', { role: 'narrator', parts: [] }, undefined],
    [
      'what nobody knows who said',
      { role: 'narrator', parts: [{ text: 'hi', note: 1 }, picture] },
      asks({ text: '[unreadable message] hi', note: 1 }, picture),
    ],
    ['a bare text', 'hi', asks(text('[unreadable message] hi'))],
  ])('%s', (_name, wire, expected) => {
    expect(salvaged(wire)).toEqual(expected);
  });
});

describe('the request around the list', () => {
  const system = gemini.system('b');

  test.each([
    [{}, { systemInstruction: { parts: [text('b')] } }],
    [{ systemInstruction: '' }, { systemInstruction: { parts: [text('b')] } }],
    [{ systemInstruction: 'a' }, { systemInstruction: { parts: [text('a'), text('b')] } }],
    [{ system_instruction: { role: 'user', parts: text('a') } }, { system_instruction: user('a', 'b') }],
    [{ systemInstruction: {} }, { systemInstruction: { parts: [text('b')] } }],
  ])('%j takes up what leaves the list', (body, expected) => {
    expect(codec.lift?.(body, system)).toEqual(expected);
  });

  test('says which tools are declared', () => {
    const tools = [
      { functionDeclarations: [{ name: 'a' }, { name: 'b' }] },
      { function_declarations: [{ name: 'c' }, null] },
      { functionDeclarations: 7 },
      { googleSearch: {} },
      null,
    ];
    const { tools: names, toolCount, serverTools } = codec.request({ tools });
    expect([...(names ?? []), toolCount, ...serverTools]).toEqual(['a', 'b', 'c', 3, 'googleSearch']);
    expect(codec.request({ tools: 7 }).tools).toBeUndefined();
  });

  test('is one JSON text with the list, so its other fields count', () => {
    const faults = (body: object): unknown => codec.request({ contents: ['\ud83d'], ...body }).faults;
    expect(faults({})).toEqual([]);
    expect(faults({ systemInstruction: null, system_instruction: { parts: 'x' } })).toEqual([]);
    expect(faults({ tools: ['\ud83d'] })).toEqual([{ fact: 'field-unserialisable', detail: 'tools' }]);
    expect(faults({ labels: { a: 1n } })).toEqual([{ fact: 'field-unserialisable', detail: 'labels' }]);
    for (const wrong of ['x', [], 7, { parts: [null] }, { parts: [{ thought: true }] }]) {
      expect(faults({ systemInstruction: wrong })).toEqual([
        { fact: 'instruction-malformed', detail: 'systemInstruction' },
      ]);
    }
  });

  test('a part is pointed at where it stands', () => {
    expect(codec.pointer(asks(text('a')), 0)).toBe('/parts/0');
    expect(codec.pointer({ parts: text('a') }, 0)).toBe('/parts');
    expect(codec.pointer('hi', 1)).toBe('/parts/1');
  });
});

test.each([
  [{ contents: [] }, 'gemini'],
  [[says(text('hi'))], 'gemini'],
  [asks(text('hi')), 'gemini'],
  [{ parts: [text('hi')] }, 'gemini'],
  [{ role: 'user', parts: text('hi') }, 'gemini'],
  [say(), 'gemini'],
  [{ role: 'assistant', parts: [] }, undefined],
  [user(anthropic.text('hi')), undefined],
  [pydantic.user(), 'pydantic-ai'],
])('%j is told to be of %s', (input, dialect) => {
  const told = detectDialect(input);
  expect(dialect === undefined ? told === 'gemini' : told).toBe(dialect ?? false);
});

test('a signature is base64 in every place of it, however long it is', () => {
  const plain = /^[A-Za-z0-9+/_-]+={0,2}$/;
  const isTaken = (signature: string): boolean => {
    const letters = signature.replace(/={1,2}$/, '');
    return plain.test(signature) && letters.length % 4 !== 1;
  };
  const letters = 'Ab0+/_-z'.repeat(3);
  for (let unit = 0; unit < 256; unit += 1)
    for (const at of [0, 1, 7, 22, 23]) {
      const changed = letters.slice(0, at) + String.fromCharCode(unit) + letters.slice(at + 1);
      expect([changed, isSignature(changed)]).toEqual([changed, isTaken(changed)]);
    }
  for (let length = 1; length < 12; length += 1)
    for (const end of ['', '=', '==', '===', '=A']) {
      const changed = letters.slice(0, length) + end;
      expect([changed, isSignature(changed)]).toEqual([changed, isTaken(changed)]);
    }
  for (const length of [65_536, 65_540]) {
    const long = 'Ab0z'.repeat(length / 4);
    expect([long, `${long.slice(1)}!`, `!${long.slice(1)}`].map(isSignature)).toEqual([true, false, false]);
  }
});
