import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'the tool server is gone',
    dialect: 'anthropic-messages',
    before: {
      tools: [{ name: 'search_tools', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'find a tool' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_tools', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'tool_reference', tool_name: 'gone' }] },
          ],
        },
      ],
    },
    after: {
      tools: [{ name: 'search_tools', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'find a tool' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_tools', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
      ],
    },
  },
];
