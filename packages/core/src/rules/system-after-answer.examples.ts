import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';

export const examples: readonly Example[] = [
  {
    name: 'after the user',
    dialect: 'mistral-chat',
    clean: [
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: 'Hi.' },
    ],
  },
  {
    name: 'after an answer',
    dialect: 'mistral-chat',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'system', content: 'Be brief.' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'user', content: `${TEXTS.system} Be brief.` },
    ],
  },
];
