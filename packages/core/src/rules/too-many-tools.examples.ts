import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['openai-chat'], ({ user, tool }) => ({
  'as many tools as are allowed': {
    profile: { maxTools: 2 },
    clean: { messages: [user('hi')], tools: [tool('ls'), tool('read')] },
  },
  'one tool more than is allowed': {
    profile: { maxTools: 2 },
    before: {
      messages: [user('hi')],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } },
      tools: [tool('ls'), tool('read'), tool('write')],
    },
    after: {
      messages: [user('hi')],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } },
      tools: [tool('ls'), tool('read')],
    },
  },
  'the tool that must be called is the last of too many': {
    profile: { maxTools: 2 },
    before: {
      messages: [user('hi')],
      tool_choice: { type: 'custom', custom: { name: 'write' } },
      tools: [tool('ls'), tool('read'), { type: 'custom', custom: { name: 'write' } }],
    },
    after: {
      messages: [user('hi')],
      tool_choice: { type: 'custom', custom: { name: 'write' } },
      tools: [tool('ls'), { type: 'custom', custom: { name: 'write' } }],
    },
  },
}));
