import type { Example } from '../model/rule.ts';

const PIXEL = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };

const STUB = '[image/png image left out: 4 characters of base64]';

export const examples: readonly Example[] = [
  {
    name: 'as many images as allowed',
    dialect: 'anthropic-messages',
    profile: { maxImages: 2 },
    clean: [{ role: 'user', content: [PIXEL, PIXEL] }],
  },
  {
    name: 'the oldest of three images goes where two are allowed',
    dialect: 'anthropic-messages',
    profile: { maxImages: 2 },
    before: [{ role: 'user', content: [PIXEL, PIXEL, PIXEL] }],
    after: [{ role: 'user', content: [{ type: 'text', text: STUB }, PIXEL, PIXEL] }],
  },
  {
    name: 'images that say little about themselves',
    dialect: 'anthropic-messages',
    profile: { maxImages: 0 },
    before: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', data: 'AAAA' } },
          { type: 'image', source: { type: 'file', file_id: 'file_1' } },
        ],
      },
    ],
    after: [
      {
        role: 'user',
        content: [
          { type: 'text', text: '[image left out: 4 characters of base64]' },
          { type: 'text', text: '[image left out]' },
        ],
      },
    ],
  },
  {
    name: 'images in a result',
    dialect: 'anthropic-messages',
    profile: { maxImages: 1 },
    before: [
      { role: 'user', content: 'look' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'screen', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
              PIXEL,
              { type: 'text', text: 'two windows' },
              PIXEL,
            ],
          },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'look' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'screen', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              { type: 'text', text: '[image left out: https://example.com/a.png]' },
              { type: 'text', text: STUB },
              { type: 'text', text: 'two windows' },
              PIXEL,
            ],
          },
        ],
      },
    ],
  },
];
