import { describe, expect, test } from 'vitest';
import { pydanticAi as codec } from '../../src/dialects/pydantic-ai/codec.ts';
import { profile as profileOf } from '../../src/dialects/pydantic-ai/profile.ts';
import { check, repair } from '../../src/index.ts';
import type { Message } from '../../src/model/part.ts';
import { anthropic, chat, gemini, pydantic } from '../words.ts';
import { expectReadAlike, scanningWith } from './scanned.ts';

const { result, say, system, user } = chat;

const prompt = { part_kind: 'user-prompt', content: 'list the files', timestamp: '2026-01-01T00:00:00Z' };
const call = pydantic.call('c1', 'ls', '{"path":"."}');
const answer = pydantic.result('c1', 'a.txt', 'ls');
const retry = { part_kind: 'retry-prompt', tool_name: 'ls', content: 'no such path', tool_call_id: 'c1' };
const request = (...parts: unknown[]): Record<string, unknown> => ({ kind: 'request', parts });
const response = (...parts: unknown[]): Record<string, unknown> => ({ kind: 'response', parts });

class ModelMessage {
  kind: string;
  parts: unknown[];
  run_id = 'run_1';
  constructor(kind: string, parts: unknown[]) {
    this.kind = kind;
    this.parts = parts;
  }
}

class Part {
  part_kind: string;
  constructor(fields: { part_kind: string }) {
    this.part_kind = fields.part_kind;
    Object.assign(this, fields);
  }
}

const EVERYTHING: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['a prompt', request(prompt), ['text']],
  ['a prompt of several pieces', request({ ...prompt, content: ['see', { kind: 'image-url', url: 'x' }] }), ['text']],
  ['a system prompt', request(pydantic.instruction('Be brief.'), prompt), ['opaque', 'text']],
  ['an instruction', request({ part_kind: 'instruction', content: 'x' }), ['opaque']],
  ['a return', request(answer), ['result']],
  ['a return that is an object', request({ ...answer, content: { rows: [1] } }), ['result']],
  ['a retry of a tool', request(retry), ['result']],
  ['a retry of no tool', request({ ...retry, tool_name: null }), ['text']],
  ['a text', response({ part_kind: 'text', content: 'Two.' }), ['text']],
  ['thinking', response({ part_kind: 'thinking', content: 'hm', signature: 's' }), ['reasoning']],
  ['a call', response(call), ['call']],
  ['a call with object arguments', response({ ...call, args: { path: '.' } }), ['call']],
  ['a call without arguments', response({ ...call, args: null }), ['call']],
  [
    'a built-in pair',
    response({ ...call, part_kind: 'builtin-tool-call' }, builtinReturn('builtin')),
    ['call', 'result'],
  ],
  ['a native pair', response({ ...call, part_kind: 'native-tool-call' }, builtinReturn('native')), ['call', 'result']],
  ['a built-in part in a request', request(builtinReturn('builtin')), ['opaque']],
  ['a file', response({ part_kind: 'file', content: { data: 'aGk=' } }), ['media']],
  ['a part of a kind to come', response({ part_kind: 'hologram', beam: 'blue' }), ['opaque']],
  ['a part of no kind', response({ content: 'x' }), ['opaque']],
  ['camel case', pydantic.say({ partKind: 'tool-call', toolName: 'ls', toolCallId: 'c1' }), ['call']],
  ['an older list of calls', { ...response(), tool_calls: [call] }, ['call']],
  ['an older list that repeats a part', { ...response(call), tool_calls: [{ ...call }] }, ['call']],
  ['an older list that holds the part itself', { ...response({ ...call, tool_call_id: '' }), toolCalls: [] }, ['call']],
  ['an older list with a hole', { ...response(call), tool_calls: [null] }, ['call', 'opaque']],
  ['nothing', response(), []],
  ['keys of its own', { ...response(call), run_id: 'r', usage: { input_tokens: 1 }, raw_content: [] }, ['call']],
];

function builtinReturn(name: string): Record<string, unknown> {
  return { ...answer, part_kind: `${name}-tool-return` };
}

const scan = scanningWith(codec, profileOf);

const drop = (message: Message, part: number): Message => ({
  ...message,
  parts: message.parts.filter((_, index) => index !== part),
});

const edit = (message: Message, part: number, fields: object): Message => ({
  ...message,
  parts: message.parts.map((each, index) => (index === part ? { ...each, ...fields, edited: true } : each)),
});

describe('reading', () => {
  test.for(EVERYTHING)('%s is read as its kinds, scanned alike, and written back as it came', ([, wire, kinds]) => {
    const message = codec.read(wire, 3);
    expect(message.parts.map((part) => part.kind)).toEqual(kinds);
    expectReadAlike(codec, scan(wire), wire);
    expect(codec.write(message)).toEqual(wire);
  });

  test('a retry is an error, and other outcomes are told apart', () => {
    const outcome = (part: object): unknown => (codec.read(request(part), 0).parts[0] as { outcome: string }).outcome;
    expect([retry, answer, { ...answer, outcome: 'denied' }, { ...answer, outcome: 'failed' }].map(outcome)).toEqual([
      'error',
      'ok',
      'denied',
      'error',
    ]);
  });

  test('more repeated entries than a handful are recognised as well', () => {
    const calls = Array.from({ length: 40 }, (_, i) => ({ ...call, tool_call_id: `c${String(i)}` }));
    const wire = {
      ...response(...calls),
      tool_calls: [...structuredClone(calls), { ...call, tool_call_id: 'more' }, {}],
    };
    expect(codec.read(wire, 0).parts).toHaveLength(42);
  });

  test.for([
    ['a number', 7, 'message-unreadable'],
    ['a note', { thought: 'hm' }, 'message-unreadable'],
    ['another kind', { kind: 'note', parts: [] }, 'role-foreign'],
    ['another dialect', user('hi'), 'role-foreign'],
    ['parts that are no list', { kind: 'request', parts: {} }, 'content-unreadable'],
    ['a part of no kind', request({ content: 'hi' }), 'part-unreadable'],
    ['a built-in call without an id', response({ part_kind: 'builtin-tool-call', tool_name: 'x' }), 'part-unreadable'],
    ['a call in a request', request(call), 'part-in-wrong-role'],
    ['a return in a response', response(answer), 'part-in-wrong-role'],
    ['a retry prompt', request(retry), 'retry-prompt'],
    ['a call with an empty id', response({ ...call, tool_call_id: '' }), 'call-id-malformed'],
    ['a call without a name', response({ ...call, tool_name: undefined }), 'call-name-malformed'],
    ['an older call without an id', { ...response(), tool_calls: [{ tool_name: 'ls' }] }, 'call-id-malformed'],
    ['a return without a name', request({ ...answer, tool_name: undefined }), 'result-name-missing'],
    ['an empty response', response(), 'empty-message'],
    ['half an emoji in a part', request({ ...prompt, content: '\ud83d' }), 'lone-surrogate'],
    ['half an emoji beside the parts', { ...request(prompt), instructions: '\ud83d' }, 'lone-surrogate'],
    ['half an emoji in a key', { ...request(prompt), '\ud83d': 1 }, 'lone-surrogate'],
    ['a function', request({ ...prompt, extra: () => 1 }), 'value-unserialisable'],
  ] as const)('%s is a fact', ([, wire, fact]) => {
    expect(scan(wire).facts.map((told) => told.split(/[@ ]/)[0])).toContain(fact);
  });

  test('an empty request is none', () => {
    expect(scan(request()).facts).toEqual([]);
  });

  test('places are pointed to where they stand', () => {
    const wire = { ...response(call), tool_calls: [call, { ...call, tool_call_id: 'c2' }] };
    expect(codec.pointer(wire, 0)).toBe('/parts/0');
    expect(codec.pointer(wire, 1)).toBe('/tool_calls/1');
    expect(codec.pointer({ ...response(), toolCalls: [call] }, 0)).toBe('/toolCalls/0');
    expect(codec.pointer(null, 2)).toBe('/parts/2');
  });
});

describe('writing', () => {
  test('a new part is a serialised dict, by the role it stands in', () => {
    const text = { kind: 'text', text: 'hi', characters: 0 } as const;
    expect(codec.write({ role: 'user', parts: [text], at: -1 })).toEqual(
      request({ part_kind: 'user-prompt', content: 'hi' }),
    );
    expect(codec.write({ role: 'assistant', parts: [text], at: -1 })).toEqual(
      response({ part_kind: 'text', content: 'hi' }),
    );
  });

  test('new calls, results and reasoning are written in full', () => {
    const common = { callId: 'c1', tool: 'ls', characters: 0 };
    const called = { kind: 'call', input: undefined, ...common } as const;
    const done = { kind: 'result', outcome: 'ok', text: 'a', ...common } as const;
    const thought = { kind: 'reasoning', text: 'hm', sealed: false, characters: 0 } as const;
    const parts = [thought, { ...called, server: false }, { ...called, server: true }, { ...done, server: true }];
    expect(codec.write({ role: 'assistant', parts, at: -1 })).toEqual(
      response(
        { part_kind: 'thinking', content: 'hm' },
        pydantic.call('c1', 'ls', null),
        { part_kind: 'builtin-tool-call', tool_name: 'ls', args: null, tool_call_id: 'c1' },
        { part_kind: 'builtin-tool-return', tool_name: 'ls', content: 'a', tool_call_id: 'c1' },
      ),
    );
    const { tool: _tool, ...nameless } = done;
    expect(codec.write({ role: 'user', parts: [{ ...nameless, server: false }], at: -1 })).toEqual(
      request(pydantic.result('c1', 'a', '')),
    );
  });

  test('an edited part keeps its other keys and the spelling it came with', () => {
    const camel = { partKind: 'tool-call', toolName: 'ls', args: '{}', toolCallId: 'c1', id: 'item_1' };
    expect(codec.write(edit(codec.read(response(camel), 0), 0, { callId: 'c2' }))).toEqual(
      response({ ...camel, toolCallId: 'c2' }),
    );
    expect(codec.write(edit(codec.read(request({ ...answer, x: 1 }), 0), 0, { callId: 'c2' }))).toEqual(
      request({ ...answer, x: 1, tool_call_id: 'c2' }),
    );
    expect(codec.write(edit(codec.read(request(prompt), 0), 0, gemini.text('hi')))).toEqual(
      request({ ...prompt, content: 'hi' }),
    );
    const thought = { part_kind: 'thinking', content: 'hm', signature: 's' };
    expect(codec.write(edit(codec.read(response(thought), 0), 0, gemini.text('hm!')))).toEqual(
      response({ ...thought, content: 'hm!' }),
    );
  });

  test('an instance keeps its class', () => {
    const message = new ModelMessage('response', [
      new Part({ ...call, part_kind: 'text', content: 'x' } as never),
      new Part(call as never),
    ]);
    const written = codec.write(drop(codec.read(message, 0), 1)) as ModelMessage;
    expect(written).toBeInstanceOf(ModelMessage);
    expect(written.parts).toHaveLength(1);
    expect(written.parts[0]).toBe(message.parts[0]);
    expect(message.parts).toHaveLength(2);
  });

  test('a message that cannot be read is written as it came', () => {
    expect(codec.write(codec.read(7, 0))).toBe(7);
  });
});

describe('the older list of calls', () => {
  const other = { tool_name: 'cat', args: '{}', tool_call_id: 'c2' };
  const said = { part_kind: 'text', content: 'Looking.' };

  test('an entry goes with the part it repeats', () => {
    const wire = { ...response(said, call), tool_calls: [{ ...call }, other] };
    expect(codec.write(drop(codec.read(wire, 0), 1))).toEqual({ ...response(said), tool_calls: [other] });
  });

  test('an entry that stands alone is dropped by itself', () => {
    const wire = { ...response(call), toolCalls: [{ ...call }, other] };
    expect(codec.write(drop(codec.read(wire, 0), 1))).toEqual({ ...response(call), toolCalls: [call] });
  });

  test('an entry is renamed with its part, each of several in turn', () => {
    const wire = { ...response(call, { ...call }), tool_calls: [{ ...call }, { ...call }, { ...call }] };
    const written = codec.write(edit(codec.read(wire, 0), 1, { callId: 'c1_2' })) as { tool_calls: object[] };
    expect(written.tool_calls).toEqual([call, { ...call, tool_call_id: 'c1_2' }, { ...call, tool_call_id: 'c1_2' }]);
  });

  test('an edited entry is written under the keys it came with', () => {
    const wire = { ...response(said), tool_calls: [{ id: 'c2', function: { name: 'cat', arguments: '{}' } }] };
    const read = codec.read(wire, 0);
    expect(read.parts[1]).toMatchObject({ kind: 'call', callId: 'c2', tool: 'cat', input: '{}' });
    expect(codec.write(edit(read, 1, { callId: 'c3' }))).toEqual({
      ...wire,
      tool_calls: [{ id: 'c3', function: { name: 'cat', arguments: '{}' } }],
    });
    expect(codec.write(edit(read, 1, { tool: 'dog' }))).toEqual({
      ...wire,
      tool_calls: [{ id: 'c2', function: { name: 'cat', arguments: '{}' }, tool_name: 'dog' }],
    });
  });

  test('an entry that something now follows becomes a part', () => {
    const wire = { ...response(said), tool_calls: [other] };
    const read = codec.read(wire, 0);
    const longer = { ...read, parts: [...read.parts, { kind: 'text', text: 'Done.', characters: 0 } as const] };
    expect(codec.write(longer)).toEqual({
      ...response(said, { part_kind: 'tool-call', ...other }, { part_kind: 'text', content: 'Done.' }),
      tool_calls: [],
    });
  });

  test('an open call that only the older list shows is found and closed', () => {
    const wire = [request(prompt), { ...response(said), tool_calls: [other] }];
    expect(check(wire).findings).toMatchObject([{ rule: 'call-without-result', at: { pointer: '/1/tool_calls/0' } }]);
    const { output } = repair(wire, undefined, { policy: 'discard' });
    expect(output).toEqual([request(prompt), { ...response(said), tool_calls: [] }]);
    expect(output[0]).toBe(wire[0]);
  });
});

describe('what the provider sent, kept beside the parts', () => {
  const raw = [
    { type: 'thinking', thinking: 'hm', signature: 's' },
    anthropic.call('c1', 'ls'),
    anthropic.call('c2', 'ls'),
    { type: 'message', id: 'c1' },
    'text',
  ];
  const both = response(call, { ...call, tool_call_id: 'c2' });

  test('loses the call that was removed and nothing else', () => {
    const read = codec.read({ ...both, raw_content: raw }, 0);
    const written = codec.write(drop(read, 0)) as { raw_content: unknown[] };
    expect(written.raw_content).toEqual(raw.filter((_, i) => i !== 1));
  });

  test('is the same list while no call goes, also under a new id', () => {
    const read = codec.read({ ...both, rawContent: raw }, 0);
    const written = codec.write(edit(read, 0, { callId: 'c9' })) as { rawContent: unknown[] };
    expect(written.rawContent).toBe(raw);
  });

  test('loses a result by the id of its call', () => {
    const kept = [anthropic.result('c1', 'a'), { part_kind: 'x', tool_call_id: 'c2' }];
    const read = codec.read({ ...request(answer, prompt), raw_content: kept }, 0);
    const written = codec.write(drop(read, 0)) as { raw_content: unknown[] };
    expect(written.raw_content).toEqual([]);
  });
});

describe('salvage', () => {
  test.for([
    [
      'parts that are a text',
      { kind: 'request', parts: 'hi', run_id: 'r' },
      { ...request({ part_kind: 'user-prompt', content: 'hi' }), run_id: 'r' },
    ],
    ['one part without a list', { kind: 'response', parts: call }, response(call)],
    [
      'content in place of parts',
      { kind: 'response', content: 'Hi.' },
      { ...response({ part_kind: 'text', content: 'Hi.' }), content: 'Hi.' },
    ],
    ['a list under another key', { kind: 'request', content: [prompt] }, { ...request(prompt), content: [prompt] }],
    ['a message of another dialect', say('Hi.'), response({ part_kind: 'text', content: 'Hi.' })],
    ['a system message', system('Be brief.'), request(pydantic.instruction('Be brief.'))],
    ['a tool message', result('c1', 'a'), request(pydantic.result('c1', 'a', ''))],
  ])('%s', ([, wire, expected]) => {
    const salvaged = codec.salvage(wire, 0);
    expect(salvaged && codec.write(salvaged)).toEqual(expected);
  });

  test('nothing comes of a message that says nothing', () => {
    expect(codec.salvage({ kind: 'request' }, 0)).toBeUndefined();
    expect(codec.salvage({ kind: 'request', parts: {} }, 0)).toBeUndefined();
    expect(codec.salvage(null, 0)).toBeUndefined();
  });
});
