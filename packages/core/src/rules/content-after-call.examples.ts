import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';

export const examples: readonly Example[] = [
  {
    name: 'text behind a call',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'list the files' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
          { type: 'text', text: 'Let me look.' },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
    ],
    after: [
      { role: 'user', content: 'list the files' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
    ],
  },
  {
    name: 'reasoning behind a call',
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    before: [
      { role: 'user', content: 'list the files' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Look first.', signature: 'c2ln' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
          { type: 'thinking', thinking: 'And say so.', signature: 'c2ln' },
          { type: 'text', text: 'Let me look.' },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
    ],
    after: [
      { role: 'user', content: 'list the files' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Look first.', signature: 'c2ln' },
          { type: 'text', text: TEXTS.separator },
          { type: 'thinking', thinking: 'And say so.', signature: 'c2ln' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
    ],
  },
  ...converseExamples('content-after-call'),
];
