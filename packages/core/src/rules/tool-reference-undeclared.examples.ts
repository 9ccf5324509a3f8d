import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['anthropic-messages'], ({ user, say, call, result, tool }) => ({
  'the tool server is gone': {
    before: {
      tools: [tool('search_tools')],
      messages: [
        user('find a tool'),
        say(call('toolu_1', 'search_tools')),
        user(result('toolu_1', [{ type: 'tool_reference', tool_name: 'gone' }])),
      ],
    },
    after: {
      tools: [tool('search_tools')],
      messages: [user('find a tool'), say(call('toolu_1', 'search_tools')), user(result('toolu_1'))],
    },
  },
}));
