import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'a plain text',
    dialect: 'gemini',
    before: { systemInstruction: 'Be brief.', contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    after: {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    },
  },
  {
    name: 'a list of texts and numbers',
    dialect: 'gemini',
    before: { system_instruction: ['Be brief.', 7], contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    after: {
      system_instruction: { parts: [{ text: 'Be brief.' }, { text: '7' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    },
  },
  {
    name: 'an empty part beside a whole one',
    dialect: 'gemini',
    before: {
      systemInstruction: { role: 'system', parts: [{}, { text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    },
    after: {
      systemInstruction: { role: 'system', parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    },
  },
  {
    name: 'nothing in it',
    dialect: 'gemini',
    before: { systemInstruction: { parts: [null] }, contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    after: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  },
];
