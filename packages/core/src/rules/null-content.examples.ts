import type { Example } from '../model/rule.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';

export const examples: readonly Example[] = [
  {
    name: 'a result that is an empty text, and calls without content',
    dialect: 'openai-chat',
    clean: [
      { role: 'user', content: 'clean up' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'rm', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '' },
    ],
  },
  {
    name: 'a model that takes results without content',
    dialect: 'openai-chat',
    model: 'gpt-5.6',
    clean: [
      { role: 'user', content: 'clean up' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'rm', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: null },
    ],
  },
  {
    name: 'a tool that returned nothing, called beside an empty list',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'clean up' },
      {
        role: 'assistant',
        content: [],
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'rm', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: null, name: 'rm' },
    ],
    after: [
      { role: 'user', content: 'clean up' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'rm', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '', name: 'rm' },
    ],
  },
  {
    name: 'stopped while the model was reasoning',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'why?' },
      { role: 'assistant', content: null, reasoning_content: 'Let me think.' },
    ],
    after: [
      { role: 'user', content: 'why?' },
      { role: 'assistant', content: '', reasoning_content: 'Let me think.' },
    ],
  },
  ...mistralExamples('null-content'),
  ...chatHostExamples('null-content'),
];
