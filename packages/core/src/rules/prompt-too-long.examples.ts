import type { Example } from '../model/rule.ts';

const DATA = 'iVBORw0KGgo'.repeat(40);

export const examples: readonly Example[] = [
  {
    name: 'a window of one token',
    dialect: 'anthropic-messages',
    profile: { windowTokens: 1 },
    before: { messages: [{ role: 'user', content: 'one two three four five six seven eight nine ten' }] },
    found: true,
  },
  {
    name: 'an image takes less room than the letters of its data',
    dialect: 'anthropic-messages',
    profile: { windowTokens: 2 },
    clean: {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } }],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [
                { type: 'text', text: 'a cat' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } },
              ],
            },
          ],
        },
      ],
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
    },
  },
];
