import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { callOf, placeOf } from './remedies/place.ts';
import { STAND_IN, withSignature } from './remedies/gemini-parts.ts';

/** Newer models sign the first call of every step and refuse one of the current turn without their signature. */
export const callUnsigned: Rule = {
  id: 'call-unsigned',
  title: 'the first call of a step has no signature',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: { gemini: ['ge-sig-missing'] },
  trigger: 'call-unsigned',
  summary:
    'The step was made by another model, or a store lost what it did not know. From Gemini 3 on the first call of ' +
    'each step since the user last spoke must carry the signature it came with. The value documented for calls that ' +
    'never had one is put there. Calls of earlier turns are not looked at, so they stay as they are.',
  applies: (profile) => profile.callSeals === true,
  explain: (found) => `the call to ${callOf(found, found.fact).tool} opens a step and has no signature`,
  providerError: {
    gemini: (found) =>
      `Function call \`${callOf(found, found.fact).tool}\` in the \`${String(found.fact.message + 1)}.\` ` +
      'content block is missing a `thought_signature`.',
  },
  repair: (found) => {
    const call = callOf(found, found.fact);
    return {
      edits: [replacePart(placeOf(found), withSignature(call, STAND_IN))],
      action: 'synthesize',
      loss: 'synthetic',
      note: `put the documented stand-in for a signature on the call to ${call.tool}`,
    };
  },
};
