import type { Example } from '../model/rule.ts';
import { RESULT_TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';

export const examples: readonly Example[] = [
  {
    name: 'a call before the reasoning had to be closed',
    dialect: 'anthropic-messages',
    model: 'claude-fable-5-1',
    before: [
      { role: 'user', content: 'list' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'ls will do', signature: 'sig1' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
        ],
      },
      { role: 'user', content: 'well?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'no result came', signature: 'sig2' },
          { type: 'text', text: 'It was interrupted.' },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'list' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'ls will do', signature: 'sig1' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: RESULT_TEXTS.unknown, is_error: true },
          { type: 'text', text: 'well?' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'It was interrupted.' }] },
    ],
  },
  ...converseExamples('reasoning-after-edit'),
];
