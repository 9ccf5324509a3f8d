import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['anthropic-messages'],
  ({ user, say, call, image, result, text }) => ({
    'as many images as allowed': {
      profile: { maxImages: 2 },
      clean: [user(image, image)],
    },
    'the oldest of three images goes where two are allowed': {
      profile: { maxImages: 2 },
      before: [user(image, image, image)],
      after: [user('[image/png image left out: 4 characters of base64]', image, image)],
    },
    'images that say little about themselves': {
      profile: { maxImages: 0 },
      before: [
        user(
          { type: 'image', source: { type: 'base64', data: 'AAAA' } },
          { type: 'image', source: { type: 'file', file_id: 'file_1' } },
        ),
      ],
      after: [user('[image left out: 4 characters of base64]', '[image left out]')],
    },
    'images in a result': {
      profile: { maxImages: 1 },
      before: [
        user('look'),
        say(call('toolu_1', 'screen')),
        user(
          result('toolu_1', [
            { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
            image,
            text('two windows'),
            image,
          ]),
        ),
      ],
      after: [
        user('look'),
        say(call('toolu_1', 'screen')),
        user(
          result('toolu_1', [
            text('[image left out: https://example.com/a.png]'),
            text('[image/png image left out: 4 characters of base64]'),
            text('two windows'),
            image,
          ]),
        ),
      ],
    },
  }),
);
