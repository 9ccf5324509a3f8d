import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'as many tools as are allowed',
    dialect: 'openai-chat',
    profile: { maxTools: 2 },
    clean: {
      messages: [{ role: 'user', content: 'hi' }],
      tools: [
        { type: 'function', function: { name: 'ls' } },
        { type: 'function', function: { name: 'read' } },
      ],
    },
  },
  {
    name: 'one tool more than is allowed',
    dialect: 'openai-chat',
    profile: { maxTools: 2 },
    before: {
      messages: [{ role: 'user', content: 'hi' }],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } },
      tools: [
        { type: 'function', function: { name: 'ls' } },
        { type: 'function', function: { name: 'read' } },
        { type: 'function', function: { name: 'write' } },
      ],
    },
    after: {
      messages: [{ role: 'user', content: 'hi' }],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } },
      tools: [
        { type: 'function', function: { name: 'ls' } },
        { type: 'function', function: { name: 'read' } },
      ],
    },
  },
  {
    name: 'the tool that must be called is the last of too many',
    dialect: 'openai-chat',
    profile: { maxTools: 2 },
    before: {
      messages: [{ role: 'user', content: 'hi' }],
      tool_choice: { type: 'custom', custom: { name: 'write' } },
      tools: [
        { type: 'function', function: { name: 'ls' } },
        { type: 'function', function: { name: 'read' } },
        { type: 'custom', custom: { name: 'write' } },
      ],
    },
    after: {
      messages: [{ role: 'user', content: 'hi' }],
      tool_choice: { type: 'custom', custom: { name: 'write' } },
      tools: [
        { type: 'function', function: { name: 'ls' } },
        { type: 'custom', custom: { name: 'write' } },
      ],
    },
  },
];
