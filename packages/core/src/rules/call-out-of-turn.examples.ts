import type { Example } from '../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../model/synthetic.ts';

function signedCall(): object {
  return { functionCall: { name: 'ls', args: {} }, thoughtSignature: 'c2ln' };
}

function response(result: string): object {
  return { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result } } }] };
}

export const examples: readonly Example[] = [
  {
    name: 'what was said and what was called, in one message',
    dialect: 'gemini',
    clean: [
      { role: 'user', parts: [{ text: 'list the files' }] },
      { role: 'model', parts: [{ text: 'Looking.' }, signedCall()] },
      response('a.txt'),
    ],
  },
  {
    name: 'what was said and what was called, in two messages',
    dialect: 'gemini',
    clean: [
      { role: 'user', parts: [{ text: 'list the files' }] },
      { role: 'model', parts: [{ text: 'Looking.' }] },
      { role: 'model', parts: [signedCall()] },
      response('a.txt'),
    ],
  },
  {
    name: 'a history that opens with what was said before the call',
    dialect: 'gemini',
    before: [
      { role: 'model', parts: [{ text: 'Looking.' }] },
      { role: 'model', parts: [signedCall()] },
    ],
    after: [
      { role: 'model', parts: [{ text: 'Looking.' }] },
      { role: 'user', parts: [{ text: TEXTS.proceed }] },
      { role: 'model', parts: [signedCall()] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { error: RESULT_TEXTS.unknown } } }] },
    ],
  },
  {
    name: 'the front of the history cut away',
    dialect: 'gemini',
    before: [{ role: 'model', parts: [signedCall()] }, response('a.txt')],
    after: [
      { role: 'user', parts: [{ text: TEXTS.resumed }] },
      { role: 'model', parts: [signedCall()] },
      response('a.txt'),
    ],
  },
];
