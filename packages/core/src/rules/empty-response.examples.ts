import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['pydantic-ai'], ({ user, say }) => ({
  'a response with an empty text is one that says so': { clean: [user('hi'), say('')] },
  'stopped before the first word': {
    before: [user('hi'), say()],
    after: [user('hi')],
  },
}));
