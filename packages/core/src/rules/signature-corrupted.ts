import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { STAND_IN, withSignature } from './remedies/gemini-signature.ts';
import { partOf, placeOf } from './remedies/place.ts';

/** A signature is bytes in base64; a provider refuses one that is anything else. */
export const signatureCorrupted: Rule = {
  id: 'signature-corrupted',
  title: 'a signature cannot be read',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { gemini: ['ge-sig-valid'] },
  trigger: 'signature-corrupted',
  summary:
    'A signature was cut, or decoded and stored as text. On a call it is replaced by the documented stand-in where ' +
    'the model asks for one; elsewhere it goes, because no other part needs it.',
  explain: (found) => `the signature of a ${partOf(found).kind} part is not base64`,
  providerError: { gemini: () => 'Corrupted thought signature.' },
  repair: (found) => {
    const part = partOf(found);
    const needed = part.kind === 'call' && found.profile.callSeals === true;
    return {
      edits: [replacePart(placeOf(found), withSignature(part, needed ? STAND_IN : undefined))],
      action: needed ? 'rewrite' : 'drop',
      loss: 'lossy',
      note: needed ? 'put the documented stand-in in the place of a broken signature' : 'removed a broken signature',
    };
  },
  examples: () => [
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
  ],
};

function exchange(signature: object): unknown[] {
  return [
    { role: 'user', parts: [{ text: 'list' }] },
    { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} }, ...signature }] },
    { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
  ];
}
