import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';

export const examples: readonly Example[] = [
  {
    name: 'newer models take it',
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    clean: [
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: 'hi' },
    ],
  },
  {
    name: 'the agent greets first',
    dialect: 'anthropic-messages',
    before: [
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: 'hi' },
    ],
    after: [
      { role: 'user', content: [{ type: 'text', text: TEXTS.resumed }] },
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: 'hi' },
    ],
  },
  ...converseExamples('first-message-not-user'),
  ...chatHostExamples('first-message-not-user'),
];
