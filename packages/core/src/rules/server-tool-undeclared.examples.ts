import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'search was switched off',
    dialect: 'anthropic-messages',
    before: {
      messages: [
        { role: 'user', content: 'search' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
            { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
            { type: 'text', text: 'Nothing.' },
          ],
        },
        { role: 'user', content: 'thanks' },
      ],
    },
    after: {
      messages: [
        { role: 'user', content: 'search' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: '[web_search {"query":"x"}]' },
            { type: 'text', text: '[web_search result] ' },
            { type: 'text', text: 'Nothing.' },
          ],
        },
        { role: 'user', content: 'thanks' },
      ],
    },
  },
];
