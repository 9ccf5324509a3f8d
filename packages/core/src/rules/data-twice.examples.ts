import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['gemini'],
  ({ user, say, call, picture, result, signed, text }) => ({
    'a text and a call in one part': {
      before: [
        user('list the files'),
        say(signed({ ...text('Looking.'), functionCall: { name: 'ls', args: {} } })),
        user(result('ls', 'a.txt')),
      ],
      after: [user('list the files'), say('Looking.', signed(call('ls'))), user(result('ls', 'a.txt'))],
    },
    'a text and a picture in one part': {
      before: [user({ ...text('look'), inlineData: { mimeType: 'image/png', data: 'AAAA' } })],
      after: [user('look', picture)],
    },
  }),
);
