import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';

export const examples: readonly Example[] = [
  {
    name: 'signed reasoning, with and without its text',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'A greeting.', signature: 'c2ln' },
          { type: 'thinking', thinking: '', signature: 'c2ln' },
          { type: 'text', text: 'Hello' },
        ],
      },
    ],
  },
  {
    name: 'stopped before the signature',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'A greet', signature: '' }] },
      { role: 'user', content: 'are you there?' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'text', text: `${TEXTS.reasoning}\nA greet` }] },
      { role: 'user', content: 'are you there?' },
    ],
  },
  {
    name: 'redacted reasoning that lost its data',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [{ type: 'redacted_thinking' }, { type: 'text', text: 'Hello' }],
      },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
    ],
  },
  ...converseExamples('reasoning-unsigned'),
];
