import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';

function called(): unknown[] {
  return [
    { role: 'user', content: 'list the files' },
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
    name: 'a model that takes it',
    dialect: 'mistral-chat',
    model: 'mistral-small-2603',
    clean: [...called(), { role: 'user', content: 'and then?' }],
  },
  {
    name: 'the user wrote when the tools had answered',
    dialect: 'mistral-chat',
    before: [...called(), { role: 'user', content: 'and then?' }],
    after: [...called(), { role: 'assistant', content: TEXTS.separator }, { role: 'user', content: 'and then?' }],
  },
];
