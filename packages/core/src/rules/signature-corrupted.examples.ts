import type { Example } from '../model/rule.ts';
import { STAND_IN } from './remedies/gemini-signature.ts';

function exchange(signature: object): unknown[] {
  return [
    { role: 'user', parts: [{ text: 'list' }] },
    { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} }, ...signature }] },
    { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'either alphabet, with and without padding',
    dialect: 'gemini',
    clean: [
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: [
          { text: 'Hello', thoughtSignature: 'c2lnbg==' },
          { text: '', thoughtSignature: '-_8' },
        ],
      },
    ],
  },
  {
    name: 'on a call',
    dialect: 'gemini',
    before: exchange({ thoughtSignature: 'sig nature' }),
    after: exchange({ thoughtSignature: STAND_IN }),
  },
  {
    name: 'on a call to a model that does not ask for one',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: exchange({ thoughtSignature: 'sig nature' }),
    after: exchange({}),
  },
  {
    name: 'on a text',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ text: 'Hello', thought_signature: 7 }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ text: 'Hello' }] },
    ],
  },
];
