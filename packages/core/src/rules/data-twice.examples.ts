import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'a text and a call in one part',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ text: 'list the files' }] },
      {
        role: 'model',
        parts: [{ text: 'Looking.', functionCall: { name: 'ls', args: {} }, thoughtSignature: 'c2ln' }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'list the files' }] },
      {
        role: 'model',
        parts: [{ text: 'Looking.' }, { functionCall: { name: 'ls', args: {} }, thoughtSignature: 'c2ln' }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
  },
  {
    name: 'a text and a picture in one part',
    dialect: 'gemini',
    before: [{ role: 'user', parts: [{ text: 'look', inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }],
    after: [{ role: 'user', parts: [{ text: 'look' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }],
  },
];
