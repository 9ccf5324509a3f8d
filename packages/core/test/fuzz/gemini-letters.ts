import type { Letter } from './alphabets.ts';

const call = (name: string, id?: string): object => ({
  functionCall: { ...(id === undefined ? {} : { id }), name, args: { path: 'a' } },
});
const result = (name: string, id?: string): object => ({
  functionResponse: { ...(id === undefined ? {} : { id }), name, response: { result: `output ${id ?? name}` } },
});
const signed = (part: object): object => ({ ...part, thoughtSignature: 'c2ln' });

/** Messages of the Gemini API that each stand for a class of them. */
export const geminiLetters: readonly Letter[] = [
  { name: 'user text', message: { role: 'user', parts: [{ text: 'question' }] } },
  { name: 'model text', message: { role: 'model', parts: [{ text: 'answer' }] } },
  { name: 'two-call batch', message: { role: 'model', parts: [signed(call('read', 'A')), call('read', 'B')] } },
  { name: 'result of the first', message: { role: 'user', parts: [result('read', 'A')] } },
  { name: 'result of the second, with text', message: { role: 'user', parts: [result('read', 'B'), { text: 'and' }] } },
  { name: 'both results', message: { role: 'user', parts: [result('read', 'B'), result('read', 'A')] } },
  { name: 'call without an id or a signature', message: { role: 'model', parts: [call('list')] } },
  { name: 'result without an id', message: { role: 'user', parts: [result('list')] } },
  {
    name: 'call re-using the first id',
    message: { role: 'model', parts: [{ text: 'again' }, signed(call('list', 'A'))] },
  },
  { name: 'empty model', message: { role: 'model', parts: [] } },
];
