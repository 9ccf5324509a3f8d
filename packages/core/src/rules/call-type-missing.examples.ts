import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['openai-chat'], ({ user, say, call, custom, result }) => ({
  'calls of both types': {
    clean: [
      user('list the files and write a poem'),
      say(call('call_1', 'ls'), custom('call_2', 'poem', 'about files')),
      result('call_1', 'a.txt'),
      result('call_2', 'Roses.'),
    ],
  },
  'the type was not stored': {
    before: [
      user('list the files and write a poem'),
      say(
        { id: 'call_1', function: { name: 'ls', arguments: '{}' } },
        { id: 'call_2', type: null, custom: { name: 'poem', input: 'about files' } },
      ),
      result('call_1', 'a.txt'),
      result('call_2', 'Roses.'),
    ],
    after: [
      user('list the files and write a poem'),
      say(call('call_1', 'ls'), custom('call_2', 'poem', 'about files')),
      result('call_1', 'a.txt'),
      result('call_2', 'Roses.'),
    ],
  },
}));
