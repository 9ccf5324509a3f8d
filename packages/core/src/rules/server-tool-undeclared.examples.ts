import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['anthropic-messages'],
  ({ user, say, found, request, search }) => ({
    'search was switched off': {
      before: request(user('search'), say(search('srvtoolu_1'), found('srvtoolu_1'), 'Nothing.'), user('thanks')),
      after: request(
        user('search'),
        say('[web_search {"query":"x"}]', '[web_search result] ', 'Nothing.'),
        user('thanks'),
      ),
    },
  }),
);
