import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, found, text }) => ({
    'a cut between call and result': {
      before: [user('search'), say(found('srvtoolu_1'), 'Nothing found.')],
      after: [user('search'), say(text('Nothing found.'))],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ say }) => ({
    'a cut between call and result': {
      before: [
        say(
          { part_kind: 'builtin-tool-return', tool_name: 'web_search', content: [], tool_call_id: 'b1' },
          'Nothing found.',
        ),
      ],
      after: [say('Nothing found.')],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ say, returned }) => ({
    'a cut between call and result': {
      before: [say(returned('s1', { type: 'json', value: [] }, 'web_search'), 'Nothing found.')],
      after: [say('Nothing found.')],
    },
  })),
];
