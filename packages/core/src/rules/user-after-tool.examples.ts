import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['mistral-chat'], ({ user, say, call, result }) => ({
  'a model that takes it': {
    model: 'mistral-small-2603',
    clean: [user('list the files'), say(call('aB3dE6gH9', 'ls')), result('aB3dE6gH9', 'a.txt'), user('and then?')],
  },
  'the user wrote when the tools had answered': {
    before: [user('list the files'), say(call('aB3dE6gH9', 'ls')), result('aB3dE6gH9', 'a.txt'), user('and then?')],
    after: [
      user('list the files'),
      say(call('aB3dE6gH9', 'ls')),
      result('aB3dE6gH9', 'a.txt'),
      say(TEXTS.separator),
      user('and then?'),
    ],
  },
}));
