import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';

export const examples: readonly Example[] = [
  {
    name: 'a history sent to be summarised',
    dialect: 'anthropic-messages',
    before: {
      messages: [
        { role: 'user', content: 'list the files' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' },
            { type: 'text', text: 'Summarise.' },
          ],
        },
      ],
    },
    after: {
      messages: [
        { role: 'user', content: 'list the files' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' },
            { type: 'text', text: 'Summarise.' },
          ],
        },
      ],
      tools: [{ name: 'ls', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    },
  },
  ...converseExamples('tools-undeclared'),
];
