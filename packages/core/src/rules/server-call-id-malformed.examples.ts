import type { Example } from '../model/rule.ts';

function searched(id: string): unknown[] {
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query: 'x' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: id,
      content: [{ type: 'web_search_result', url: 'https://example.com' }],
    },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'a search that the provider ran',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'search' },
      { role: 'assistant', content: searched('srvtoolu_1') },
    ],
  },
  {
    name: 'a call to a server of tools whose id was lost',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'search' },
      {
        role: 'assistant',
        content: [{ type: 'mcp_tool_use', name: 'find', server_name: 'docs', input: { q: 'x' } }],
      },
    ],
    after: [
      { role: 'user', content: 'search' },
      { role: 'assistant', content: [{ type: 'text', text: '[find {"q":"x"}]' }] },
    ],
  },
  {
    name: 'a search that another provider ran',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'search' },
      { role: 'assistant', content: [...searched('ws_1'), { type: 'text', text: 'Found it.' }] },
    ],
    after: [
      { role: 'user', content: 'search' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: '[web_search {"query":"x"}]' },
          { type: 'text', text: '[web_search result] {"type":"web_search_result","url":"https://example.com"}' },
          { type: 'text', text: 'Found it.' },
        ],
      },
    ],
  },
];
