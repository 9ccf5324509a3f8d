import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['pydantic-ai'], ({ user, say, instruction }) => ({
  'a response after each request': { clean: [user('one'), say('One.'), user('two')] },
  'discard: asked three times before the model answered': {
    options: { policy: 'discard' },
    before: [user(instruction('Be brief.'), 'one'), user('two'), user('three'), say('Three.')],
    after: [user(instruction('Be brief.'), 'three'), say('Three.')],
  },
}));
