import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['anthropic-messages'], ({ user, request }) => ({
  'a limit of ten bytes': {
    profile: { maxBytes: 10 },
    before: request(user('one two three')),
    found: true,
  },
  'a limit of a hundred bytes': {
    profile: { maxBytes: 100 },
    clean: request(user('one two three, four five six')),
  },
}));
