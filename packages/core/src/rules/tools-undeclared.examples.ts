import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, request, result, tool }) => ({
    'a history sent to be summarised': {
      before: request(
        user('list the files'),
        say(call('toolu_1', 'ls')),
        user(result('toolu_1', 'a.txt'), 'Summarise.'),
      ),
      after: {
        messages: [user('list the files'), say(call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'), 'Summarise.')],
        tools: [tool('ls')],
        tool_choice: { type: 'none' },
      },
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, request, result, tool }) => ({
    'a history sent to be summarised': {
      model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      before: request(user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'), 'Summarise.')),
      after: {
        messages: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'), 'Summarise.')],
        toolConfig: { tools: [tool('read')] },
      },
    },
  })),
];
