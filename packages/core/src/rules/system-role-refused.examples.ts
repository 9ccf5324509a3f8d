import type { Example } from '../model/rule.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';

export const examples: readonly Example[] = [
  {
    name: 'a model that takes system messages',
    dialect: 'openai-chat',
    model: 'gpt-4o',
    clean: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'hi' },
    ],
  },
  {
    name: 'instructions to a model that takes none',
    dialect: 'openai-chat',
    model: 'o1-mini',
    before: [
      { role: 'system', content: 'Be kind.' },
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: 'hi' },
    ],
    after: [
      { role: 'user', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: 'hi' },
    ],
  },
  ...chatHostExamples('system-role-refused'),
];
