import type { Example } from '../model/rule.ts';
import { STAND_IN } from './remedies/gemini-parts.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['gemini'], ({ user, say, call, result, signed, text }) => ({
  'either alphabet, with and without padding': {
    clean: [user('hi'), say(signed(text('Hello'), 'c2lnbg=='), signed(text(''), '-_8'))],
  },
  'on a call': {
    before: [user('list'), say(signed(call('ls'), 'sig nature')), user(result('ls', 'a.txt'))],
    after: [user('list'), say(signed(call('ls'), STAND_IN)), user(result('ls', 'a.txt'))],
  },
  'on a call to a model that does not ask for one': {
    model: 'gemini-2.5-flash',
    before: [user('list'), say(signed(call('ls'), 'sig nature')), user(result('ls', 'a.txt'))],
    after: [user('list'), say(call('ls')), user(result('ls', 'a.txt'))],
  },
  'on a text': {
    before: [user('hi'), say({ ...text('Hello'), thought_signature: 7 })],
    after: [user('hi'), say('Hello')],
  },
}));
