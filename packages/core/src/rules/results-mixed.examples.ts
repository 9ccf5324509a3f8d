import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['bedrock-converse'],
  ({ user, say, cachePoint, call, result }) => ({
    'a family that takes them together': {
      model: 'us.amazon.nova-pro-v1:0',
      clean: [
        user('list the files'),
        say(call('tooluse_1', 'ls')),
        user(result('tooluse_1', 'a.txt', { status: 'success' }), 'and then?'),
      ],
    },
    'a result beside a place to cache': {
      clean: [
        user('list the files'),
        say(call('tooluse_1', 'ls')),
        user(result('tooluse_1', 'a.txt', { status: 'success' }), cachePoint),
      ],
    },
    'the user wrote while the tool was running': {
      before: [
        user('list the files'),
        say(call('tooluse_1', 'ls')),
        user(result('tooluse_1', 'a.txt', { status: 'success' }), 'and then?'),
      ],
      after: [
        user('list the files'),
        say(call('tooluse_1', 'ls')),
        user(result('tooluse_1', 'a.txt', { status: 'success' })),
        say(TEXTS.separator),
        user('and then?'),
      ],
    },
  }),
);
