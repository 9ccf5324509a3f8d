import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';

export const examples: readonly Example[] = [
  {
    name: 'a stored history may end so',
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    clean: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello, \n' },
    ],
  },
  {
    name: 'stopped after a line break',
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    before: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello, \n' },
      ],
    },
    after: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello,' },
      ],
    },
  },
  {
    name: 'stopped after a space, on a model that always continues',
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    profile: { prefill: 'allowed' },
    before: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello ' }] },
      ],
    },
    after: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
      ],
    },
  },
  ...converseExamples('trailing-whitespace'),
];
