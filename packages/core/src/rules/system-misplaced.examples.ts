import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['anthropic-messages'], ({ user, say, system, added }) => ({
  'before a user message': {
    model: 'claude-opus-4-8',
    before: [user('hi'), system('Be brief.'), user('there?')],
    after: [user('hi'), user('there?'), system('Be brief.')],
  },
  'between two assistant messages': {
    model: 'claude-opus-4-8',
    before: [user('hi'), say('Hi.'), system('Be brief.'), say('Yes?')],
    after: [user('hi'), say('Hi.'), added(`${TEXTS.system} Be brief.`), say('Yes?')],
  },
}));
