import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chainExamples } from './examples/langchain.ts';

export const examples: readonly Example[] = [
  {
    name: 'an answer after the reasoning',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'A greeting.', signature: 'c2ln' },
          { type: 'text', text: 'Hello' },
        ],
      },
    ],
  },
  {
    name: 'reasoning in a message of its own',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'A greeting.', signature: 'c2ln' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
    ],
    after: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'A greeting.', signature: 'c2ln' },
          { type: 'text', text: 'Hello' },
        ],
      },
    ],
  },
  {
    name: 'stopped after the reasoning',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'A greeting.', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'ZGF0YQ' },
        ],
      },
      { role: 'user', content: 'are you there?' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'text', text: `${TEXTS.reasoning}\nA greeting.` }] },
      { role: 'user', content: 'are you there?' },
    ],
  },
  {
    name: 'redacted reasoning after an answer',
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    before: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Hello' },
          { type: 'redacted_thinking', data: 'ZGF0YQ' },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
    ],
  },
  {
    name: 'nothing but redacted reasoning',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'ZGF0YQ' }] },
    ],
    after: [{ role: 'user', content: 'hi' }],
  },
  ...converseExamples('reasoning-last'),
  {
    name: 'stopped between the reasoning and the answer',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [{ type: 'reasoning', text: 'A greeting.', providerOptions: { anthropic: { signature: 'c2ln' } } }],
      },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'text', text: `${TEXTS.reasoning}\nA greeting.` }] },
    ],
  },
  ...interfaceExamples('reasoning-last'),
  ...chainExamples('reasoning-last'),
];
