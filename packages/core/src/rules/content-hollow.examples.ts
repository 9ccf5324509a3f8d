import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['langchain'],
  ({ say, call, anthropicCall, result, thought }) => ({
    'a model that gives its calls there': {
      model: 'claude-sonnet-4-5',
      clean: [say(anthropicCall('c1'), call('c1', 'read', { path: 'a' })), result('c1', 'A')],
    },
    'reasoning of another provider, and tools called without a word': {
      model: 'gpt-5',
      before: [say(thought('A greeting.'), anthropicCall('c1'), call('c1', 'read', { path: 'a' })), result('c1', 'A')],
      after: [
        say(thought('A greeting.'), '', anthropicCall('c1'), call('c1', 'read', { path: 'a' })),
        result('c1', 'A'),
      ],
    },
    'tools called without a word': {
      before: [
        say(anthropicCall('c1'), call('c1', 'read', { path: 'a' })),
        result('c1', 'A'),
        { type: 'ai', content: [], tool_calls: [call('c1', 'read', { path: 'a' })] },
        result('c1', 'A'),
        { type: 'ai', content: null, tool_calls: [call('c1', 'read', { path: 'a' })] },
        result('c1', 'A'),
      ],
      after: [
        say(call('c1', 'read', { path: 'a' })),
        result('c1', 'A'),
        say(call('c1', 'read', { path: 'a' })),
        result('c1', 'A'),
        say(call('c1', 'read', { path: 'a' })),
        result('c1', 'A'),
      ],
    },
  }),
);
