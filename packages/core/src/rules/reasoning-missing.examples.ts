import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';

export const examples: readonly Example[] = [
  {
    name: 'reasoning stripped in the middle of a step',
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    before: {
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [{ name: 'ls', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'list' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
      ],
    },
    after: {
      thinking: { type: 'disabled' },
      tools: [{ name: 'ls', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'list' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
      ],
    },
  },
  ...converseExamples('reasoning-missing'),
];
