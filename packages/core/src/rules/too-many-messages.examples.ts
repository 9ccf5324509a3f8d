import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['anthropic-messages'], ({ user, request }) => ({
  'a limit of one': {
    profile: { maxMessages: 1 },
    before: request(user('one two three'), user('four')),
    found: true,
  },
}));
