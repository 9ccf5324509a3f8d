import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { mistralExamples } from './examples/mistral-chat.ts';

export const examples: readonly Example[] = [
  {
    name: 'calls that are absent or null',
    dialect: 'openai-chat',
    clean: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello.', tool_calls: null },
      { role: 'assistant', content: 'How are you?' },
    ],
  },
  {
    name: 'an answer with an empty list of calls',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello.', tool_calls: [], name: 'bot' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello.', name: 'bot' },
    ],
  },
  {
    name: 'a call that was stored without the list around it',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello.', tool_calls: { name: 'ls' } },
    ],
    after: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Hello.' },
          { type: 'text', text: `${TEXTS.unreadable} {"name":"ls"}` },
        ],
      },
    ],
  },
  ...mistralExamples('calls-empty'),
];
