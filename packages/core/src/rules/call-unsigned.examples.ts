import type { Example } from '../model/rule.ts';
import { STAND_IN } from './remedies/gemini-parts.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['gemini'], ({ user, say, call, result, signed }) => ({
  'only the first of two calls is signed': {
    clean: [
      user('read a and b'),
      say(signed(call('read', { path: 'a' })), call('read', { path: 'b' })),
      user(result('read', 'A'), result('read', 'B')),
    ],
  },
  'the turn is over': {
    clean: [user('read a'), say(call('read', { path: 'a' })), user(result('read', 'A')), say('It says A.')],
  },
  'an older model does not ask for signatures': {
    model: 'gemini-2.5-flash',
    clean: [user('read a'), say(call('read', { path: 'a' })), user(result('read', 'A'))],
  },
  'a step of another model': {
    model: 'gemini-3-flash-preview',
    before: [
      user('read a and b'),
      say(call('read', { path: 'a' }), call('read', { path: 'b' })),
      user(result('read', 'A'), result('read', 'B')),
    ],
    after: [
      user('read a and b'),
      say(signed(call('read', { path: 'a' }), STAND_IN), call('read', { path: 'b' })),
      user(result('read', 'A'), result('read', 'B')),
    ],
  },
  'in the other spelling': {
    before: [
      user('read a'),
      say({ function_call: { name: 'read', args: {} } }),
      user({ function_response: { name: 'read', response: { result: 'A' } } }),
    ],
    after: [
      user('read a'),
      say({ function_call: { name: 'read', args: {} }, thought_signature: STAND_IN }),
      user({ function_response: { name: 'read', response: { result: 'A' } } }),
    ],
  },
  'a signature that was emptied': {
    before: [user('read a'), say(signed(call('read', { path: 'a' }), '')), user(result('read', 'A'))],
    after: [user('read a'), say(signed(call('read', { path: 'a' }), STAND_IN)), user(result('read', 'A'))],
  },
}));
