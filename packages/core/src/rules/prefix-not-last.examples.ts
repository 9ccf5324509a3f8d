import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';

export const examples: readonly Example[] = [
  {
    name: 'at the end of a request',
    dialect: 'mistral-chat',
    clean: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello, I', prefix: true },
      ],
    },
  },
  {
    name: 'the conversation went on',
    dialect: 'mistral-chat',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello, I', prefix: true },
      { role: 'user', content: 'go on' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello, I', prefix: false },
      { role: 'user', content: 'go on' },
    ],
  },
  {
    name: 'the only message',
    dialect: 'mistral-chat',
    before: {
      messages: [
        { role: 'assistant', content: 'Hello', prefix: true },
        { role: 'user', content: TEXTS.proceed },
      ],
    },
    after: {
      messages: [
        { role: 'assistant', content: 'Hello', prefix: false },
        { role: 'user', content: TEXTS.proceed },
      ],
    },
  },
];
