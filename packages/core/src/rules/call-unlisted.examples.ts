import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['langchain'], ({ say, call, anthropicCall, result, text }) => ({
  'a model that gives its calls there': {
    model: 'claude-sonnet-4-5',
    clean: [say(anthropicCall('c1')), result('c1', 'A')],
  },
  'in both places': { clean: [say('So.', anthropicCall('c1'), call('c1', 'read', { path: 'a' })), result('c1', 'A')] },
  'a store that kept the content': {
    before: [{ type: 'ai', content: [text('Looking.'), anthropicCall('c1')] }, result('c1', 'A')],
    after: [say(text('Looking.'), call('c1', 'read', { path: 'a' })), result('c1', 'A')],
  },
}));
