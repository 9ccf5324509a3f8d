import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { STAND_IN, withSignature } from './remedies/gemini-parts.ts';
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
};
