import { assert as assertProperty, constantFrom, dictionary, jsonValue, oneof, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openaiResponses as codec } from '../../src/dialects/openai-responses/codec.ts';
import { profile as profileOf } from '../../src/dialects/openai-responses/profile.ts';
import { check, decode, detectDialect, repair, type Dialect } from '../../src/index.ts';
import type { Part } from '../../src/model/part.ts';
import type { Profile } from '../../src/model/profile.ts';
import { anthropic, gemini, responses } from '../words.ts';
import { expectReadAlike, scanningWith } from './scanned.ts';

const { outputText, result, say, user } = responses;

const SEED = 20_260_301;

const scan = scanningWith(codec, profileOf);

const call = (more: object = {}): object => ({
  type: 'function_call',
  call_id: 'c',
  name: 'read',
  arguments: '{"a":1}',
  ...more,
});
const output = (given: unknown, more: object = {}): object => ({
  type: 'function_call_output',
  call_id: 'c',
  output: given,
  ...more,
});
const thought = (more: object = {}): object => ({ type: 'reasoning', id: 'rs_1', summary: [], ...more });
const text = responses.text('hi');
const picture = { type: 'input_image', image_url: 'data:,' };
const hosted = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'x' } };

const READ: readonly [name: string, wire: unknown, role: string, parts: string, facts: string][] = [
  ['plain text', user('hi'), 'user', 'text', ''],
  ['a typed message', { type: 'message', role: 'user', content: '', id: null }, 'user', 'text', ''],
  [
    'pieces',
    { role: 'developer', content: [text, picture, { type: 'input_video' }] },
    'system',
    'text media opaque',
    '',
  ],
  ['no pieces', { role: 'assistant', content: [], phase: 'commentary' }, 'assistant', '', ''],
  ['an answer', say(outputText('a')), 'assistant', 'text', ''],
  ['a refusal', { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }, 'assistant', 'opaque', ''],
  ['a call', call({ id: 'fc_1', status: 'completed', namespace: 'n' }), 'assistant', 'call', ''],
  ['a custom call', { type: 'custom_tool_call', call_id: 'c', name: 'f', input: '' }, 'assistant', 'call', ''],
  ['a shell call', { type: 'shell_call', call_id: 'c', action: {} }, 'assistant', 'call', ''],
  ['an output', output('x'), 'tool', 'result', ''],
  ['an output in pieces', output([text, picture], { id: 'anything', x: { y: [1] } }), 'tool', 'result', ''],
  ['an output of a shell', { type: 'shell_call_output', call_id: 'c', output: 7 }, 'tool', 'result', ''],
  ['a search of the client', { type: 'tool_search_call', call_id: 'c', execution: 'client' }, 'assistant', 'call', ''],
  ['a search of the provider', { type: 'tool_search_call', call_id: null }, 'assistant', 'opaque', ''],
  ['its output', { type: 'tool_search_output', call_id: 'c', execution: 'server' }, 'assistant', 'opaque', ''],
  ['reasoning', thought({ encrypted_content: 'g', content: null }), 'assistant', 'reasoning', ''],
  ['something hosted', hosted, 'assistant', 'opaque', ''],
  ['a decision of the user', { type: 'mcp_approval_response', approve: true }, 'user', 'opaque', ''],
  ['tools added on the way', { type: 'additional_tools', role: 'developer', tools: [] }, 'system', 'opaque', ''],
  ['a type that came later', { type: 'weather_call', city: 'Rome' }, 'assistant', 'opaque', ''],
  ['a reference', { type: 'item_reference', id: 'msg_1' }, 'assistant', 'opaque', ''],
  ['a reference without type', { id: 'msg_1' }, 'assistant', 'opaque', ''],
  ['no object', 7, 'unreadable', 'opaque', 'message-unreadable'],
  ['nothing', {}, 'unreadable', 'opaque', 'message-unreadable'],
  ['no role', { type: 'message', content: 'hi', id: 'msg_1' }, 'unreadable', 'opaque', 'message-unreadable'],
  ['a strange role', { role: 'tool', content: 'x' }, 'unreadable', 'opaque', 'role-foreign tool'],
  ['a strange type', { type: 'tool_use', role: 'user' }, 'unreadable', 'opaque', 'role-foreign tool_use'],
  ['no content', { role: 'user' }, 'user', '', 'empty-message'],
  ['strange content', { role: 'user', content: { a: 1 } }, 'user', 'opaque', 'content-unreadable@0'],
  ['a strange piece', { role: 'user', content: [7] }, 'user', 'opaque', 'part-unreadable@0'],
  ['a text without text', { role: 'user', content: [{ type: 'input_text' }] }, 'user', 'opaque', 'part-unreadable@0'],
  [
    'a refusal without words',
    { role: 'assistant', content: [{ type: 'refusal' }] },
    'assistant',
    'opaque',
    'part-unreadable@0',
  ],
  [
    'a piece of the other side',
    { role: 'assistant', content: [text] },
    'assistant',
    'text',
    'part-mistagged@0 output_text',
  ],
  [
    'a film as a file',
    user({ type: 'input_file', file_data: 'data:video/mp4;base64,' }),
    'user',
    'media',
    'part-mistagged@0 input_text',
  ],
  ['half a character', user('x\ud800'), 'user', 'text', 'lone-surrogate@0'],
  ['half a character in a key', { role: 'user', content: '', 'k\ud800': 'v' }, 'user', 'text', 'lone-surrogate'],
  [
    'half a character in a piece',
    { role: 'user', content: [{ ...text, x: '\ud800' }] },
    'user',
    'text',
    'lone-surrogate@0',
  ],
  ['half a character in arguments', call({ arguments: '\ud800' }), 'assistant', 'call', 'lone-surrogate'],
  ['a big integer', { role: 'user', content: '', x: 1n }, 'user', 'text', 'value-unserialisable'],
  ['a strange phase', { role: 'user', content: '', phase: 7 }, 'user', 'text', 'extra-key'],
  ['an id of a call as its own', call({ id: 'call_1' }), 'assistant', 'call', 'item-id-malformed fc'],
  ['an id that is a number', output('x', { id: 7 }), 'tool', 'result', 'item-id-malformed'],
  ['an empty call id', call({ call_id: '' }), 'assistant', 'call', 'call-id-malformed@0'],
  ['no call id', call({ call_id: 7 }), 'assistant', 'call', 'call-id-malformed@0'],
  ['a call id too long', call({ call_id: 'x'.repeat(65) }), 'assistant', 'call', 'call-id-malformed@0'],
  ['no name', call({ name: 7 }), 'assistant', 'call', 'call-name-malformed@0'],
  ['a name too long', call({ name: 'n'.repeat(129) }), 'assistant', 'call', 'call-name-malformed@0'],
  ['parsed arguments', call({ arguments: {} }), 'assistant', 'call', 'call-input-malformed@0'],
  [
    'a custom call without input',
    { type: 'custom_tool_call', call_id: 'c', name: 'f' },
    'assistant',
    'call',
    'call-input-malformed@0',
  ],
  ['no output', output(null), 'tool', 'result', 'output-malformed@0'],
  ['a strange piece of an output', output([text, anthropic.text('x')]), 'tool', 'result', 'output-malformed@0'],
  ['no summary', thought({ summary: null }), 'assistant', 'reasoning', 'reasoning-malformed@0'],
  ['spoken reasoning', thought({ content: [gemini.text('a')] }), 'assistant', 'reasoning', 'reasoning-malformed@0'],
  ['reasoning that is a text', thought({ content: 'a' }), 'assistant', 'reasoning', 'reasoning-malformed@0'],
  ['a seal that is none', thought({ encrypted_content: 7 }), 'assistant', 'reasoning', 'reasoning-malformed@0'],
  ['an opened compaction', { type: 'compaction', summary: 'x' }, 'assistant', 'opaque', 'item-incomplete@0'],
  ['a program without call id', { type: 'program', fingerprint: 'f' }, 'assistant', 'opaque', 'item-incomplete@0'],
  ['a reference to nothing', { type: 'item_reference' }, 'assistant', 'opaque', 'item-incomplete@0'],
  [
    'a hosted search with an empty call id',
    { type: 'tool_search_output', call_id: '', execution: 'server' },
    'assistant',
    'opaque',
    'item-incomplete@0',
  ],
];

describe('one entry', () => {
  test.each(READ)('%s is read as what it is', (_name, wire, ...[role, parts, facts]) => {
    const seen = scan(wire);
    expect(seen.role).toBe(role);
    // An entry that cannot be read has no parts for the walk, and one for the repair.
    if (role !== 'unreadable') expect(seen.parts.map(({ kind }) => kind).join(' ')).toBe(parts);
    expect(seen.facts.join(' ')).toBe(facts);
    expectReadAlike(codec, seen, wire);
    const message = codec.read(wire, 3);
    expect(message.parts.map(({ kind }) => kind).join(' ')).toBe(parts);
    expect(codec.write(message)).toBe(wire);
  });

  test.each(READ)('%s shows the same structure when only that is asked for', (_name, wire) => {
    const [whole, brief] = [scan(wire), scan(wire, { deep: false })];
    expect(brief).toMatchObject({ role: whole.role, parts: whole.parts, order: whole.order });
  });

  test('any value is read and written as it came', () => {
    const types = ['message', 'function_call', 'function_call_output', 'reasoning', 'item_reference', 'x', undefined];
    const field = oneof(jsonValue(), constantFrom('user', 'assistant', 'c', 'msg_1', 'rs_1'));
    const entries = oneof(
      jsonValue(),
      dictionary(constantFrom('role', 'content', 'id', 'call_id', 'output', 'summary', 'x'), field),
      record({ type: constantFrom(...types), role: field, content: field, id: field, call_id: field, output: field }),
    );
    const same = property(entries, (wire) => {
      expectReadAlike(codec, scan(wire), wire);
      expect(codec.write(codec.read(wire, 0))).toBe(wire);
    });
    expect(() => assertProperty(same, { seed: SEED, numRuns: 2000 })).not.toThrow();
  });
});

describe('what the request and the model say', () => {
  const nothingKept = codec.request({ store: false, tools: [{ name: 'f' }, 7] });

  test('is read from the body', () => {
    expect(nothingKept).toMatchObject({ stored: false, chained: false, toolCount: 2 });
    expect(codec.request({}).tools).toBeUndefined();
    expect(codec.request({ previous_response_id: 'r' })).toMatchObject({ stored: true, chained: true });
    expect(codec.request({ conversation: 'c' }).chained).toBe(true);
    expect(codec.request({ conversation: { id: 'c' } }).chained).toBe(true);
    expect(codec.request({ conversation: {} }).chained).toBe(false);
  });

  test('decides about what is not kept', () => {
    expect(scan({ id: 'msg_1' }, { request: nothingKept }).facts).toEqual(['item-lost@0']);
    expect(scan(thought(), { request: nothingKept }).facts).toEqual(['item-lost@0']);
    expect(scan(thought({ encrypted_content: 'g' }), { request: nothingKept }).facts).toEqual([]);
    expect(scan(hosted, { request: nothingKept }).facts).toEqual([]);
  });

  test('decides about reasoning with its text and about outputs that name no call', () => {
    const spoken = thought({ content: [{ type: 'reasoning_text', text: 'so' }] });
    expect(scan(spoken, { model: 'openai/gpt-oss-20b' }).facts).toEqual([]);
    const nameless = [user('go'), output('x', { call_id: null })];
    expect(check(nameless, { dialect: 'openai-responses', model: 'gpt-5.6' }).verdict).toBe('clean');
    expect(check(nameless, { dialect: 'openai-responses', model: 'somebody-1' }).verdict).toBe('broken');
    expect(check([{ type: 'local_shell_call_output', output: '' }], 'openai-responses').verdict).toBe('clean');
  });
});

describe('edited parts', () => {
  const write = (role: 'assistant' | 'user' | 'tool', wire: unknown, ...parts: Part[]): unknown =>
    codec.write({ role, parts, wire, at: 0 });
  const asked = { kind: 'call', callId: 'n', tool: 'f', input: { a: 1 }, server: false, characters: 0 } as const;
  const given = { kind: 'result', callId: 'n', outcome: 'ok', text: 'x', server: false, characters: 0 } as const;

  test('are written over what they came from', () => {
    const wire = call({ id: 'fc_1' });
    expect(write('assistant', wire, { ...asked, wire, edited: true })).toEqual({
      ...wire,
      call_id: 'n',
      name: 'f',
      arguments: '{"a":1}',
    });
    const custom = { type: 'custom_tool_call', call_id: 'c', name: 'f', input: '' };
    expect(write('assistant', custom, { ...asked, input: 'ls', wire: custom, edited: true })).toEqual({
      ...custom,
      call_id: 'n',
      input: 'ls',
    });
    const shell = { type: 'shell_call', call_id: 'c', action: {} };
    expect(write('assistant', shell, { ...asked, wire: shell, edited: true })).toEqual({ ...shell, call_id: 'n' });
    expect(write('tool', undefined, { ...given, wire: output('y'), edited: true })).toEqual(
      output('y', { call_id: 'n' }),
    );
  });

  test('are made from nothing', () => {
    expect(write('assistant', undefined, { ...asked, input: undefined })).toEqual(responses.call('n', 'f'));
    expect(write('tool', undefined, given)).toEqual(result('n', 'x'));
    expect(write('tool', undefined, { kind: 'text', text: 'hi', characters: 2 })).toEqual(user('hi'));
    expect(write('user', say('x'), { kind: 'text', text: 'hi', characters: 2 })).toEqual(user('hi'));
  });

  test('take the tag of who speaks', () => {
    const wire = { role: 'assistant', content: [7], name: 'n' };
    const parts: Part[] = [
      { kind: 'text', text: 'hi', characters: 2 },
      { kind: 'opaque', characters: 0, wire: { type: 'refusal', refusal: 'no' }, edited: true },
    ];
    expect(write('assistant', wire, ...parts)).toEqual({
      role: 'assistant',
      content: [outputText('hi'), { type: 'refusal', refusal: 'no' }],
      name: 'n',
    });
  });
});

test('a part is pointed at inside its entry', () => {
  expect(codec.pointer({ role: 'user', content: [text] }, 0)).toBe('/content/0');
  expect(codec.pointer(user('hi'), 0)).toBe('/content');
  expect(codec.pointer(call(), 0)).toBe('');
  expect(codec.pointer(7, 0)).toBe('');
});

describe('a bare text in the place of the list', () => {
  const body = { model: 'gpt-5.6', input: 'hi' };

  test('is one message of the user and is left alone', () => {
    expect(check(body)).toMatchObject({ verdict: 'clean', dialect: 'openai-responses' });
    expect(repair(body).output).toBe(body);
    expect(decode(body)?.messages).toMatchObject([gemini.user({ kind: 'text', text: 'hi' })]);
    expect(decode({ input: 7 }, 'openai-responses')).toBeUndefined();
    expect(check({ input: 7 }, 'openai-responses').findings).toMatchObject([{ rule: 'dialect-unknown' }]);
  });

  test('becomes a list where it cannot be sent', () => {
    const { output: mended, report } = repair({ ...body, input: 'hi \ud83d' });
    expect(mended).toEqual({ ...body, input: [user('hi \ufffd')] });
    expect(report.verdict).toBe('repaired');
  });
});

test('an output that is too long is cut, and the report says so', () => {
  const limit = 10_485_760;
  const remark = '\n[the rest of this output was too long to send]';
  const { output: mended, report } = repair([call(), output('x'.repeat(limit + 1))], 'openai-responses');
  expect((mended[1] as { output: string }).output === 'x'.repeat(limit - remark.length) + remark).toBe(true);
  expect(report.repairs).toMatchObject([{ rule: 'output-malformed', loss: 'lossy' }]);
  expect(report.findings[0]?.providerError).toContain('string too long');
  expect(report.preserved.ratio).toBeLessThan(1);
});

const DETECTED: readonly [name: string, input: unknown, dialect: Dialect | undefined][] = [
  ['a call', [call()], 'openai-responses'],
  ['one item', call(), 'openai-responses'],
  ['reasoning', [thought()], 'openai-responses'],
  ['something hosted', [hosted], 'openai-responses'],
  ['pieces', [{ role: 'user', content: [text] }], 'openai-responses'],
  ['a body', { input: [user('hi')] }, 'openai-responses'],
  ['a body with a bare text', { model: 'gpt-5.6', input: 'hi' }, 'openai-responses'],
  ['plain texts alone', [user('hi')], 'openai-chat'],
  ['a text under the name of an input', { input: 'hi' }, undefined],
  ['a call of a tool with an input', [{ type: 'tool_use', input: [] }], undefined],
  ['one custom call', { type: 'custom_tool_call', call_id: 'c', name: 'f', input: 'ls' }, 'openai-responses'],
];

test.each(DETECTED)('%s shows its dialect, or does not', (_name, input, dialect) => {
  expect(detectDialect(input)).toBe(dialect);
});

test('models are told apart by their names', () => {
  const profile = (name: string | undefined): Profile => profileOf(name);
  const own = ['gpt-5.6', 'o3', 'chatgpt-4o-latest', 'codex-mini-latest', 'computer-use-preview'];
  expect(own.filter((name) => profile(name).namelessResults !== true)).toEqual([]);
  expect(profile('openai/gpt-oss-20b')).toMatchObject({ reasoningText: true });
  expect(profile('gpt-oss-20b').namelessResults).toBeUndefined();
  expect(profile('somebody-1')).toBe(profile(undefined));
});

test('a text in the place of a list is pointed at itself', () => {
  const { findings } = check({ model: 'gpt-5', input: 'half \ud800' });
  expect(findings.map(({ rule, at }) => `${rule} ${at.pointer}`)).toEqual(['lone-surrogate /input']);
});
