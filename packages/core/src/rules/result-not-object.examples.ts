import type { Example } from '../model/rule.ts';

function exchange(response: unknown, key = 'functionResponse'): unknown[] {
  return [
    { role: 'user', parts: [{ text: 'list' }] },
    { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
    { role: 'user', parts: [{ [key]: { name: 'ls', response } }] },
  ];
}

export const examples: readonly Example[] = [
  { name: 'an object', dialect: 'gemini', model: 'gemini-2.5-flash', clean: exchange({ files: ['a.txt'] }) },
  {
    name: 'a text',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: exchange('a.txt'),
    after: exchange({ result: 'a.txt' }),
  },
  {
    name: 'a list, in the other spelling',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: exchange(['a.txt'], 'function_response'),
    after: exchange({ result: ['a.txt'] }, 'function_response'),
  },
  {
    name: 'nothing, said and unsaid',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      ...exchange(null),
      { role: 'model', parts: [{ functionCall: { name: 'ls' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls' } }] },
    ],
    after: [
      ...exchange({}),
      { role: 'model', parts: [{ functionCall: { name: 'ls' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: {} } }] },
    ],
  },
];
