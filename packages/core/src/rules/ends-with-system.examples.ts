import type { Example } from '../model/rule.ts';
import { chainExamples } from './examples/langchain.ts';
import { TEXTS } from '../model/synthetic.ts';

export const examples: readonly Example[] = [
  {
    name: 'a model that takes it',
    dialect: 'mistral-chat',
    model: 'mistral-small-2603',
    clean: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'Be brief.' },
      ],
    },
  },
  {
    name: 'a reminder behind the question',
    dialect: 'mistral-chat',
    before: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'Be brief.' },
      ],
    },
    after: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: TEXTS.proceed },
      ],
    },
  },
  ...chainExamples('ends-with-system'),
];
