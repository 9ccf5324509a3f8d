import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'calls of both types',
    dialect: 'openai-chat',
    clean: [
      { role: 'user', content: 'list the files and write a poem' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } },
          { id: 'call_2', type: 'custom', custom: { name: 'poem', input: 'about files' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
      { role: 'tool', tool_call_id: 'call_2', content: 'Roses.' },
    ],
  },
  {
    name: 'the type was not stored',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'list the files and write a poem' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', function: { name: 'ls', arguments: '{}' } },
          { id: 'call_2', type: null, custom: { name: 'poem', input: 'about files' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
      { role: 'tool', tool_call_id: 'call_2', content: 'Roses.' },
    ],
    after: [
      { role: 'user', content: 'list the files and write a poem' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } },
          { id: 'call_2', type: 'custom', custom: { name: 'poem', input: 'about files' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
      { role: 'tool', tool_call_id: 'call_2', content: 'Roses.' },
    ],
  },
];
