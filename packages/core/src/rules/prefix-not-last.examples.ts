import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['mistral-chat'], ({ user, say, added, request }) => ({
  'at the end of a request': { clean: request(user('hi'), { ...say('Hello, I'), prefix: true }) },
  'the conversation went on': {
    before: [user('hi'), { ...say('Hello, I'), prefix: true }, user('go on')],
    after: [user('hi'), { ...say('Hello, I'), prefix: false }, user('go on')],
  },
  'the only message': {
    before: request({ ...say('Hello'), prefix: true }, added(TEXTS.proceed)),
    after: request({ ...say('Hello'), prefix: false }, added(TEXTS.proceed)),
  },
}));
