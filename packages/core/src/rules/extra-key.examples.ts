import type { Example } from '../model/rule.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';

export const examples: readonly Example[] = [
  {
    name: 'the keys of the dialect',
    dialect: 'anthropic-messages',
    clean: [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] }],
  },
  {
    name: 'keys of the store on a message and on a part',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'hi', timestamp: 1, id: 'm1' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello', index: 0 }] },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
    ],
  },
  {
    name: 'keys of a tool on the pieces of its result',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'read' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              { type: 'text', text: 'a', annotations: { audience: ['user'] } },
              { type: 'text', text: 'b', 'x.y': 1 },
            ],
          },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'read' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
        ],
      },
    ],
  },
  {
    name: 'options that are none',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'user', content: [{ type: 'text', text: 'hi', providerOptions: 'fast' }] },
      { role: 'assistant', content: 'Hello', providerOptions: { anthropic: true } },
    ],
    after: [
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: 'Hello' },
    ],
  },
  {
    name: 'what parts are called in other formats',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { role: 'model', parts: [{ part_kind: 'text', text: 'Hello', index: 0 }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ text: 'Hello', index: 0 }] },
    ],
  },
  ...itemExamples('extra-key'),
  ...agentExamples('extra-key'),
  ...chatHostExamples('extra-key'),
];
