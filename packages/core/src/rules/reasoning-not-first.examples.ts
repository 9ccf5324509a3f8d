import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';

export const examples: readonly Example[] = [
  {
    name: 'reasoning between parts, on a model that takes it',
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    clean: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'thinking', thinking: 'A greeting.', signature: 'c2ln' },
          { type: 'text', text: 'Hello' },
        ],
      },
    ],
  },
  {
    name: 'reasoning after a text',
    dialect: 'anthropic-messages',
    model: 'claude-3-7-sonnet-20250219',
    before: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'thinking', thinking: 'A greeting.', signature: 'c2ln' },
          { type: 'text', text: 'Hello' },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'A greeting.', signature: 'c2ln' },
          { type: 'text', text: 'Let me see.' },
          { type: 'text', text: 'Hello' },
        ],
      },
    ],
  },
  ...converseExamples('reasoning-not-first'),
];
