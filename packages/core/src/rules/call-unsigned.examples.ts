import type { Example } from '../model/rule.ts';
import { STAND_IN } from './remedies/gemini-signature.ts';

function read(path: string): object {
  return { functionCall: { name: 'read', args: { path } } };
}

function response(result: string): object {
  return { functionResponse: { name: 'read', response: { result } } };
}

export const examples: readonly Example[] = [
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
];
