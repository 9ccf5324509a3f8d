import { expect, test } from 'vitest';
import { check, repair } from '../../src/index.ts';

const user = { role: 'user', content: 'go' };
const call = (id: string, more: object = {}): object => ({
  type: 'function_call',
  call_id: id,
  name: 'ls',
  arguments: '{}',
  ...more,
});
const output = (id: string): object => ({ type: 'function_call_output', call_id: id, output: 'a' });
const dialect = 'openai-responses';

test.each([
  { error: { code: 'invalid_encrypted_content', message: 'no' } },
  'Encrypted content item_id did not match the target item id',
])('reasoning whose seal is not taken goes with the ids of what came of it, and the report says so: %j', (refusal) => {
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' };
  const { output: sent, report } = repair<object[]>([user, thought, call('a', { id: 'fc_1' }), output('a')], dialect, {
    refusal,
  });
  expect(sent).toEqual([user, call('a'), output('a')]);
  expect(report.refusal).toMatchObject({ row: 'or-encrypted', rule: 'item-lost', note: 'what it names was mended' });
});

const thought = { type: 'reasoning', id: 'rs_1', summary: [] };
const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x', annotations: [] }] };

test.each([
  "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
])('what came of reasoning that a refusal names is sent by value, up to the next thought: %s', (refusal) => {
  const later = [
    { ...thought, id: 'rs_2' },
    { ...answer, id: 'msg_2' },
  ];
  const input = [user, thought, { ...answer, id: 'msg_1' }, call('a', { id: 'fc_1' }), output('a'), ...later];
  const { output: sent, report } = repair<object[]>(input, dialect, { refusal });
  expect(sent).toEqual([user, answer, call('a'), output('a'), ...later]);
  expect(report.repairs.map(({ rule, at }) => `${rule} ${at.pointer}`)).toEqual([
    'item-lost /1',
    'item-lost /2',
    'item-lost /3',
  ]);
});

test('a call that is refused for want of its reasoning loses its id, and so does the rest of its step', () => {
  const refusal = "Item 'fc_2' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.";
  const first = [user, thought, call('a', { id: 'fc_1' }), output('a')];
  const input = [...first, call('b', { id: 'fc_2' }), call('c', { id: 'fc_3' }), output('b'), output('c')];
  const { output: sent } = repair<object[]>(input, dialect, { refusal });
  expect(sent).toEqual([...first, call('b'), call('c'), output('b'), output('c')]);
});

test.each([
  ['has an id of another provider', [{ ...thought, id: 'thought_1' }]],
  ['is cut off from it by a result that nobody asked for', [thought, output('x')]],
])('what came of reasoning that %s is sent without its id, and the report names the id', (_, before) => {
  const { output: sent, report } = repair<object[]>([user, ...before, call('a', { id: 'fc_1' }), output('a')], dialect);
  expect(sent.slice(-2)).toEqual([call('a'), output('a')]);
  expect(sent).not.toContainEqual(expect.objectContaining({ type: 'reasoning' }));
  expect(report.repairs.at(-1)).toMatchObject({
    at: { message: before.length + 1 },
    note: 'removed the id fc_1: the reasoning that it needs is gone',
  });
});

test.each([
  ["Invalid 'input[1].id': string too long. Expected a string with maximum length 64.", 'or-id-len'],
  ["Invalid 'input[1].id': 'fc 1'. Expected an ID that contains letters, numbers, underscores.", 'or-id-len'],
  ["Invalid 'input[1].id': 'call_1'. Expected an ID that begins with 'fc'.", 'or-id-prefix'],
])('an id that is refused is reported under its own row: %s', (refusal, row) => {
  const { report } = repair<object[]>([user, call('a', { id: `fc_${'1'.repeat(64)}` }), output('a')], dialect, {
    refusal,
  });
  expect(report.refusal).toMatchObject({ row, rule: 'item-id-malformed', note: 'what it names was mended' });
});

test('calls and results that alternate are grouped where a host asks for it', () => {
  const refusal = 'No tool output found for tool call call-a.';
  const input = [
    user,
    call('a'),
    output('a'),
    call('b'),
    output('b'),
    call('c'),
    output('c'),
    user,
    call('d'),
    output('d'),
  ];
  const { output: sent, report } = repair<object>({ model: 'deepseek-chat', input }, dialect, { refusal });
  const grouped = [call('a'), call('b'), call('c'), output('a'), output('b'), output('c')];
  expect(sent).toEqual({ model: 'deepseek-chat', input: [user, ...grouped, user, call('d'), output('d')] });
  expect(report.repairs.map(({ rule, at, loss }) => `${rule} ${at.pointer} ${loss}`)).toEqual([
    'result-displaced /input/2 none',
    'result-displaced /input/4 none',
  ]);
  expect(report.refusal).toMatchObject({ row: 'ds-resp-group', rule: 'result-displaced' });
  expect(check(sent, dialect).verdict).toBe('clean');
});

test('where nothing alternates, what is open is closed', () => {
  const refusal = 'No tool output found for tool call a.';
  const { report } = repair<object[]>([user, call('a'), { role: 'user', content: [] }, user], dialect, { refusal });
  expect(report.refusal).toMatchObject({ rule: 'call-without-result', note: 'what it names was mended' });
});

test.each([
  ['openai-chat', { model: 'gpt-4.1', messages: [user] }],
  ['anthropic-messages', { model: 'claude-opus-4-5', max_tokens: 1, messages: [user] }],
  ['mistral-chat', { model: 'mistral-large-latest', messages: [user] }],
  ['bedrock-converse', { messages: [{ role: 'user', content: [{ text: 'go' }] }] }],
  ['openai-responses', { model: 'gpt-5', input: [user] }],
] as const)('%s: a field that JSON cannot carry is found and mended, and a function is let be', (wire, body) => {
  const circle: Record<string, unknown> = {};
  circle['again'] = circle;
  const broken = { ...body, tool_notes: [{ input_schema: circle }] };
  expect(check(broken, wire).findings.map(({ rule }) => rule)).toEqual(['field-unserialisable']);
  const { output: sent, report } = repair<object>(broken, wire);
  expect(report.verdict).toBe('repaired');
  expect(() => JSON.stringify(sent)).not.toThrow();
  expect(repair<object>({ ...body, tool_notes: { run: 7n } }, wire).output).toEqual({
    ...body,
    tool_notes: { run: '7' },
  });
  expect(check({ ...body, tool_notes: 'cut \ud83d' }, wire).verdict).toBe('broken');
  expect(check({ ...body, tool_notes: [{ run: () => 'left out' }] }, wire).verdict).toBe('clean');
  expect(check(broken, { dialect: wire, purpose: 'history' }).verdict).toBe('clean');
});
