import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo'.repeat(40) } };

export const examples: readonly Example[] = inDialects(
  ['anthropic-messages'],
  ({ user, say, call, request, result, text, tool }) => ({
    'a window of one token': {
      profile: { windowTokens: 1 },
      before: request(user('one two three four five six seven eight nine ten')),
      found: true,
    },
    'an image takes less room than the letters of its data': {
      profile: { windowTokens: 2 },
      clean: {
        messages: [user(image), say(call('toolu_1', 'look')), user(result('toolu_1', [text('a cat'), image]))],
        tools: [tool('look')],
      },
    },
  }),
);
