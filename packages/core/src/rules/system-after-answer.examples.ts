import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['mistral-chat'], ({ user, say, system, added }) => ({
  'after the user': { clean: [user('hi'), system('Be brief.'), say('Hi.')] },
  'after an answer': {
    before: [user('hi'), say('Hi.'), system('Be brief.')],
    after: [user('hi'), say('Hi.'), added(`${TEXTS.system} Be brief.`)],
  },
}));
