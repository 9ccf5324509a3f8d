import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';

export const examples: readonly Example[] = [
  {
    name: 'joined by the provider itself',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
    ],
  },
  {
    name: 'a proxy that wants roles to alternate',
    dialect: 'anthropic-messages',
    profile: { alternation: true },
    before: [
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
      { role: 'assistant', content: 'Both.' },
    ],
    after: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
      { role: 'assistant', content: 'Both.' },
    ],
  },
  {
    name: 'discard: asked three times, the first time among results',
    dialect: 'anthropic-messages',
    profile: { alternation: true },
    options: { policy: 'discard' },
    before: [
      { role: 'user', content: 'list' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' },
          { type: 'text', text: 'one' },
        ],
      },
      { role: 'user', content: 'two' },
      { role: 'user', content: 'three' },
    ],
    after: [
      { role: 'user', content: 'list' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' },
          { type: 'text', text: 'one' },
          { type: 'text', text: 'three' },
        ],
      },
    ],
  },
  ...converseExamples('same-role-run'),
  ...chatHostExamples('same-role-run'),
];
