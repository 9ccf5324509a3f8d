import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['gemini'], ({ user, say, call, result }) => ({
  'an object': {
    model: 'gemini-2.5-flash',
    clean: [user('list'), say(call('ls')), user({ functionResponse: { name: 'ls', response: { files: ['a.txt'] } } })],
  },
  'a text': {
    model: 'gemini-2.5-flash',
    before: [user('list'), say(call('ls')), user({ functionResponse: { name: 'ls', response: 'a.txt' } })],
    after: [user('list'), say(call('ls')), user(result('ls', 'a.txt'))],
  },
  'a list, in the other spelling': {
    model: 'gemini-2.5-flash',
    before: [user('list'), say(call('ls')), user({ function_response: { name: 'ls', response: ['a.txt'] } })],
    after: [
      user('list'),
      say(call('ls')),
      user({ function_response: { name: 'ls', response: { result: ['a.txt'] } } }),
    ],
  },
  'nothing, said and unsaid': {
    model: 'gemini-2.5-flash',
    before: [
      user('list'),
      say(call('ls')),
      user({ functionResponse: { name: 'ls', response: null } }),
      say({ functionCall: { name: 'ls' } }),
      user({ functionResponse: { name: 'ls' } }),
    ],
    after: [
      user('list'),
      say(call('ls')),
      user({ functionResponse: { name: 'ls', response: {} } }),
      say({ functionCall: { name: 'ls' } }),
      user({ functionResponse: { name: 'ls', response: {} } }),
    ],
  },
}));
