import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, result, tool }) => ({
    'reasoning stripped in the middle of a step': {
      model: 'claude-sonnet-4-5',
      before: {
        thinking: { type: 'enabled', budget_tokens: 1024 },
        tools: [tool('ls')],
        messages: [user('list'), say(call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'))],
      },
      after: {
        thinking: { type: 'disabled' },
        tools: [tool('ls')],
        messages: [user('list'), say(call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'))],
      },
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result, tool }) => ({
    'reasoning stripped in the middle of a step': {
      before: {
        additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 }, top_k: 5 },
        toolConfig: { tools: [tool('read')] },
        messages: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'))],
      },
      after: {
        additionalModelRequestFields: { thinking: { type: 'disabled' }, top_k: 5 },
        toolConfig: { tools: [tool('read')] },
        messages: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'))],
      },
    },
  })),
];
