import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { callOf } from './remedies/batch.ts';
import { STAND_IN, withSignature } from './remedies/gemini-signature.ts';
import { placeOf } from './remedies/place.ts';

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
  examples: () => [
    {
      name: 'only the first of two calls is signed',
      dialect: 'gemini',
      clean: [
        { role: 'user', parts: [{ text: 'read a and b' }] },
        { role: 'model', parts: [{ ...read('a'), thoughtSignature: 'c2ln' }, read('b')] },
        { role: 'user', parts: [response('A'), response('B')] },
      ],
    },
    {
      name: 'the turn is over',
      dialect: 'gemini',
      clean: [
        { role: 'user', parts: [{ text: 'read a' }] },
        { role: 'model', parts: [read('a')] },
        { role: 'user', parts: [response('A')] },
        { role: 'model', parts: [{ text: 'It says A.' }] },
      ],
    },
    {
      name: 'an older model does not ask for signatures',
      dialect: 'gemini',
      model: 'gemini-2.5-flash',
      clean: [
        { role: 'user', parts: [{ text: 'read a' }] },
        { role: 'model', parts: [read('a')] },
        { role: 'user', parts: [response('A')] },
      ],
    },
    {
      name: 'a step of another model',
      dialect: 'gemini',
      model: 'gemini-3-flash-preview',
      before: [
        { role: 'user', parts: [{ text: 'read a and b' }] },
        { role: 'model', parts: [read('a'), read('b')] },
        { role: 'user', parts: [response('A'), response('B')] },
      ],
      after: [
        { role: 'user', parts: [{ text: 'read a and b' }] },
        { role: 'model', parts: [{ ...read('a'), thoughtSignature: STAND_IN }, read('b')] },
        { role: 'user', parts: [response('A'), response('B')] },
      ],
    },
    {
      name: 'in the other spelling',
      dialect: 'gemini',
      before: [
        { role: 'user', parts: [{ text: 'read a' }] },
        { role: 'model', parts: [{ function_call: { name: 'read', args: {} } }] },
        { role: 'user', parts: [{ function_response: { name: 'read', response: { result: 'A' } } }] },
      ],
      after: [
        { role: 'user', parts: [{ text: 'read a' }] },
        { role: 'model', parts: [{ function_call: { name: 'read', args: {} }, thought_signature: STAND_IN }] },
        { role: 'user', parts: [{ function_response: { name: 'read', response: { result: 'A' } } }] },
      ],
    },
    {
      name: 'a signature that was emptied',
      dialect: 'gemini',
      before: [
        { role: 'user', parts: [{ text: 'read a' }] },
        { role: 'model', parts: [{ ...read('a'), thoughtSignature: '' }] },
        { role: 'user', parts: [response('A')] },
      ],
      after: [
        { role: 'user', parts: [{ text: 'read a' }] },
        { role: 'model', parts: [{ ...read('a'), thoughtSignature: STAND_IN }] },
        { role: 'user', parts: [response('A')] },
      ],
    },
  ],
};

function read(path: string): object {
  return { functionCall: { name: 'read', args: { path } } };
}

function response(result: string): object {
  return { functionResponse: { name: 'read', response: { result } } };
}
