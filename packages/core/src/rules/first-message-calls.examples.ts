import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';

function called(): unknown[] {
  return [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'aB3dE6gH9', type: 'function', function: { name: 'ls', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'aB3dE6gH9', content: 'a.txt' },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'the agent greets first',
    dialect: 'mistral-chat',
    clean: [
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: 'hi' },
    ],
  },
  {
    name: 'front of the history cut away',
    dialect: 'mistral-chat',
    before: called(),
    after: [{ role: 'user', content: TEXTS.resumed }, ...called()],
  },
];
