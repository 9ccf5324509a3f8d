import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['anthropic-messages'],
  ({ user, say, found, search, text }) => ({
    'a search that the provider ran': {
      clean: [
        user('search'),
        say(search('srvtoolu_1'), found('srvtoolu_1', { type: 'web_search_result', url: 'https://example.com' })),
      ],
    },
    'a call to a server of tools whose id was lost': {
      before: [user('search'), say({ type: 'mcp_tool_use', name: 'find', server_name: 'docs', input: { q: 'x' } })],
      after: [user('search'), say(text('[find {"q":"x"}]'))],
    },
    'a search that another provider ran': {
      before: [
        user('search'),
        say(search('ws_1'), found('ws_1', { type: 'web_search_result', url: 'https://example.com' }), 'Found it.'),
      ],
      after: [
        user('search'),
        say(
          '[web_search {"query":"x"}]',
          '[web_search result] {"type":"web_search_result","url":"https://example.com"}',
          'Found it.',
        ),
      ],
    },
  }),
);
