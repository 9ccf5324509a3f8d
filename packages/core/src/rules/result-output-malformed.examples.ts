import type { Example } from '../model/rule.ts';

function exchange(fields: object): unknown[] {
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', ...fields }] },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'an output that says what it is',
    dialect: 'ai-sdk-model',
    clean: exchange({ output: { type: 'content', value: [{ type: 'text', text: 'A' }] } }),
  },
  {
    name: 'a result of an earlier version',
    dialect: 'ai-sdk-model',
    before: exchange({ result: { lines: 3 } }),
    after: exchange({ output: { type: 'json', value: { lines: 3 } } }),
  },
  {
    name: 'a bare text, and nothing at all',
    dialect: 'ai-sdk-model',
    before: [...exchange({ output: 'A' }), ...exchange({})],
    after: [
      ...exchange({ output: { type: 'text', value: 'A' } }),
      ...exchange({ output: { type: 'text', value: '' } }),
    ],
  },
  {
    name: 'a text that is none',
    dialect: 'ai-sdk-model',
    before: exchange({ output: { type: 'text', value: 7 } }),
    after: exchange({ output: { type: 'json', value: 7 } }),
  },
  {
    name: 'an empty object',
    dialect: 'ai-sdk-model',
    before: exchange({ output: { type: 'text' } }),
    after: exchange({ output: { type: 'text', value: '' } }),
  },
];
