import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'a cut between call and result',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'search' },
      {
        role: 'assistant',
        content: [
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
          { type: 'text', text: 'Nothing found.' },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'search' },
      { role: 'assistant', content: [{ type: 'text', text: 'Nothing found.' }] },
    ],
  },
  {
    name: 'a cut between call and result',
    dialect: 'pydantic-ai',
    before: [
      {
        kind: 'response',
        parts: [
          { part_kind: 'builtin-tool-return', tool_name: 'web_search', content: [], tool_call_id: 'b1' },
          { part_kind: 'text', content: 'Nothing found.' },
        ],
      },
    ],
    after: [{ kind: 'response', parts: [{ part_kind: 'text', content: 'Nothing found.' }] }],
  },
  {
    name: 'a cut between call and result',
    dialect: 'ai-sdk-model',
    before: [
      {
        role: 'assistant',
        content: [
          { type: 'tool-result', toolCallId: 's1', toolName: 'web_search', output: { type: 'json', value: [] } },
          { type: 'text', text: 'Nothing found.' },
        ],
      },
    ],
    after: [{ role: 'assistant', content: [{ type: 'text', text: 'Nothing found.' }] }],
  },
];
