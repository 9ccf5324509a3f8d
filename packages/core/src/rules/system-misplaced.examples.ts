import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';

export const examples: readonly Example[] = [
  {
    name: 'before a user message',
    dialect: 'anthropic-messages',
    model: 'claude-opus-4-8',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'there?' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'user', content: 'there?' },
      { role: 'system', content: 'Be brief.' },
    ],
  },
  {
    name: 'between two assistant messages',
    dialect: 'anthropic-messages',
    model: 'claude-opus-4-8',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: 'Yes?' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'user', content: [{ type: 'text', text: `${TEXTS.system} Be brief.` }] },
      { role: 'assistant', content: 'Yes?' },
    ],
  },
];
