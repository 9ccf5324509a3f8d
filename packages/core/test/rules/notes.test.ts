import { expect, test } from 'vitest';
import { keepsDigits } from '../../src/model/digits.ts';
import { repair, RESULT_TEXTS, type Dialect, type RepairOptions } from '../../src/index.ts';

const notes = (input: unknown, dialect: Dialect, options?: RepairOptions): string[] =>
  repair(input, dialect, options).report.repairs.map(({ note }) => note);

const user = { role: 'user', content: 'go' };

const shells = [
  ['openai-agents', 'callId', 'exitCode'],
  ['openai-responses', 'call_id', 'exit_code'],
] as const;

test.each(shells)('%s: a command that was not run is not told as one that ran out of time', (dialect, id, code) => {
  for (const kind of ['not-started', 'denied'] as const) {
    const shell = { type: 'shell_call', [id]: 's', action: { commands: ['ls'] } };
    const { output } = repair([shell, user], dialect, { evidence: { s: kind } });
    expect((output as object[])[1]).toMatchObject({
      type: 'shell_call_output',
      output: [{ stderr: RESULT_TEXTS[kind], outcome: { type: 'exit', [code]: 126 } }],
    });
  }
});

test('a search that is answered by no tools is not said to have an error result', () => {
  const search = { type: 'tool_search_call', call_id: 's', execution: 'client', arguments: {} };
  const [note] = notes([search, user], 'openai-responses');
  expect(note).toMatch(/^inserted an empty list of tools for call s, whose output has no place for a text/);
});

test('an output in the spelling of the API is named after its call, and after none where there is none', () => {
  const call = { type: 'function_call', callId: 'c1', name: 'read', status: 'completed', arguments: '{}' };
  const output = (call_id: string): object => ({ type: 'function_call_output', call_id, output: 'A' });
  const mended = repair([call, output('c1')], 'openai-agents').output;
  expect(mended[1]).toMatchObject({ type: 'function_call_result', name: 'read', callId: 'c1' });
  expect(notes([user, output('c9'), user], 'openai-agents')).toContain(
    'quoted result c9 as text of the user: no call with that id comes before it',
  );
  expect(notes([user, output(''), user], 'openai-agents')).toContain(
    'quoted a result without an id as text of the user: no call with that id comes before it',
  );
});

test('what has no id is spoken of as that', () => {
  const lost = { role: 'tool', tool_call_id: '', content: 'A' };
  expect(notes([user, lost], 'openai-chat').join()).toContain('quoted a result without an id as text');
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: '', name: 'ls', input: {} }] };
  expect(notes([user, call, user], 'anthropic-messages')[0]).toMatch(/^renamed a call without an id to /);
});

test('numbers that lose digits when arguments are read are a loss', () => {
  const call = (input: string): object => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'c1', name: 'ls', input }],
  });
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'A' }] };
  const lossOf = (input: string): string | undefined =>
    repair([user, call(input), result], 'anthropic-messages').report.repairs[0]?.loss;
  expect(lossOf('{"id":9007199254740993}')).toBe('lossy');
  expect(lossOf('{"id":"9007199254740993","n":12}')).toBe('none');
});

test.each([
  ['{"a":9007199254740993}', false],
  ['{"a":-9007199254740992}', true],
  ['{"a":1e400}', false],
  ['{"a":0.12345678901234567890}', false],
  ['{"a":0.5e3,"b":"\\"9007199254740993"}', true],
])('%s keeps its digits: %s', (json, kept) => {
  expect(keepsDigits(json)).toBe(kept);
});

test('what is written into an error without content is told word for word, as something invented', () => {
  const failed = (content: unknown): unknown[] => [
    { role: 'user', content: [{ text: 'go' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'read', input: {} } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content, status: 'error' } }] },
  ];
  for (const content of [null, [], [{}], [{ text: '' }]]) {
    const { output, report } = repair(failed(content), 'bedrock-converse');
    expect(JSON.stringify(output)).toContain('(no content)');
    expect(report.repairs.map(({ loss, note }) => [loss, note])).toEqual([
      ['synthetic', 'wrote (no content) into result c1, an error that says nothing'],
    ]);
  }
  const shown = [{ image: { format: 'png', source: { bytes: 'AAAA' } } }];
  expect(notes(failed(shown), 'bedrock-converse')[0]).toMatch(/moved media out of result c1/);
});

test('a word in the place of an empty answer is invented', () => {
  const target = { dialect: 'openai-chat', profile: { emptyText: 'refused' } } as const;
  const { repairs } = repair([user, { role: 'assistant', content: '', reasoning_content: 'so' }, user], target).report;
  expect(repairs.map(({ loss }) => loss)).toEqual(['synthetic']);
});
