import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
  'a model that takes it': {
    model: 'us.meta.llama4-maverick-17b-instruct-v1:0',
    clean: [
      user('list the files'),
      say(call('tooluse_1', 'ls')),
      user(result('tooluse_1', 'a.txt', { status: 'success' })),
    ],
  },
  'a model that does not': {
    model: 'us.writer.palmyra-x4-v1:0',
    before: [
      user('list the files'),
      say(call('tooluse_1', 'ls')),
      user(result('tooluse_1', 'a.txt', { status: 'success' })),
    ],
    after: [user('list the files'), say(call('tooluse_1', 'ls')), user(result('tooluse_1', 'a.txt'))],
  },
}));
