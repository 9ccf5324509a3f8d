import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chainExamples } from './examples/langchain.ts';

export const examples: readonly Example[] = [
  {
    name: 'a text with white space around it',
    dialect: 'anthropic-messages',
    clean: [{ role: 'user', content: ' hi\n' }],
  },
  {
    name: 'an empty text beside a call',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'list the files' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: '' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
    ],
    after: [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
    ],
  },
  {
    name: 'a message of one line break',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'user', content: '\n' },
    ],
    after: [{ role: 'user', content: 'hi' }],
  },
  {
    name: 'a cache marker on an empty text',
    dialect: 'anthropic-messages',
    before: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'text', text: '', cache_control: { type: 'ephemeral' } },
        ],
      },
    ],
    after: [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] }],
  },
  {
    name: 'a cache marker on an empty text behind another marker',
    dialect: 'anthropic-messages',
    before: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: '', cache_control: { type: 'ephemeral', ttl: '1h' } },
        ],
      },
    ],
    after: [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] }],
  },
  ...converseExamples('blank-text'),
  {
    name: 'a model that takes blank text',
    dialect: 'ai-sdk-model',
    model: 'gpt-5',
    clean: [{ role: 'user', content: ' ' }],
  },
  {
    name: 'a line break beside an answer, and a message of nothing else',
    dialect: 'ai-sdk-model',
    before: [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: '\n\n' },
          { type: 'text', text: 'Hello' },
        ],
      },
      { role: 'user', content: ' ' },
    ],
    after: [{ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }],
  },
  ...interfaceExamples('blank-text'),
  ...chainExamples('blank-text'),
];
