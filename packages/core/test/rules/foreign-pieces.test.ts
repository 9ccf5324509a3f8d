import { describe, expect, test } from 'vitest';
import { dialects } from '../fuzz/histories.ts';
import { hold, type Breach } from '../fuzz/properties.ts';

/** What formats call their texts, thoughts, calls, results and marks, and names that nobody knows. */
const names =
  'text input_text output_text user-prompt system-prompt refusal thinking redacted_thinking reasoning tool_use ' +
  'tool-call tool_call function_call tool_result tool-result tool-return function_call_output function_call_result ' +
  'retry-prompt dynamic-tool tool-read step-start image future';
const fields = [
  {},
  { text: ' ' },
  { text: 7 },
  { content: '' },
  { x: 'said' },
  { data: 'c2VhbGVk' },
  { toolCallId: 'a', state: 'input-available' },
];
const unions = ['toolUse', 'toolResult', 'reasoningContent', 'functionCall', 'functionResponse'];
const pieces: readonly object[] = [
  ...names.split(' ').flatMap((name) =>
    fields.flatMap((rest) => [
      { type: name, ...rest },
      { part_kind: name, ...rest },
    ]),
  ),
  ...unions.map((key) => ({ [key]: {} })),
  { toolUse: {}, toolResult: {} },
  { type: 7, toolUse: {} },
  { type: 7 },
];
const around: readonly ((piece: object) => unknown)[] = [
  (piece) => [piece],
  (piece) => [{}, piece],
  (piece) => [piece, { type: 'text', text: 'hi' }],
];
const roles = ['user', 'assistant', 'model', 'bot', 'tool', 'function'];

describe('a piece in the form of any format', () => {
  test.each(dialects)(
    'is read alike by the rules and the judge of %s, and repaired with every loss told',
    (dialect) => {
      const broken: [unknown, readonly Breach[]][] = [];
      for (const piece of pieces)
        for (const role of roles)
          for (const put of around)
            for (const key of ['content', 'parts']) {
              const given = [{ role, [key]: put(piece) }];
              const breaches = hold(given, { dialect, target: { dialect }, contents: false, twice: false });
              if (breaches.length > 0) broken.push([given, breaches]);
            }
      expect(broken.slice(0, 3)).toEqual([]);
    },
  );

  test('is read alike in the result of a sound pair of langchain too', () => {
    const broken = pieces.flatMap((piece) => {
      const given = [
        { type: 'human', content: 'go' },
        { type: 'ai', content: '', tool_calls: [{ name: 'ls', args: {}, id: 'c1' }] },
        { type: 'tool', content: [piece], tool_call_id: 'c1' },
      ];
      const dialect = 'langchain';
      return hold(given, { dialect, target: { dialect }, contents: false, twice: false });
    });
    expect(broken.slice(0, 3)).toEqual([]);
  });
});
