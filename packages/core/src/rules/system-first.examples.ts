import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';

const sdkOpening = [
  { role: 'system', content: 'Use tools.' },
  { role: 'user', content: 'hi' },
];

export const examples: readonly Example[] = [
  {
    name: 'inside a request',
    dialect: 'anthropic-messages',
    before: {
      system: 'Be brief.',
      messages: [
        { role: 'system', content: 'Use tools.' },
        { role: 'user', content: 'hi' },
      ],
    },
    after: {
      system: [
        { type: 'text', text: 'Be brief.' },
        { type: 'text', text: 'Use tools.' },
      ],
      messages: [{ role: 'user', content: 'hi' }],
    },
  },
  {
    name: 'in a bare list',
    dialect: 'anthropic-messages',
    before: [
      { role: 'system', content: 'Use tools.' },
      { role: 'user', content: 'hi' },
    ],
    after: [{ role: 'user', content: 'hi' }],
    lifted: [{ role: 'system', content: 'Use tools.' }],
  },
  ...converseExamples('system-first'),
  {
    name: 'a request that allows it',
    dialect: 'ai-sdk-model',
    clean: { allowSystemInMessages: true, messages: sdkOpening },
  },
  {
    name: 'inside a request of a framework',
    dialect: 'ai-sdk-model',
    before: { instructions: 'Be brief.', messages: sdkOpening },
    after: {
      instructions: [
        { role: 'system', content: 'Be brief.' },
        { role: 'system', content: 'Use tools.' },
      ],
      messages: sdkOpening.slice(1),
    },
  },
  {
    name: 'in a bare list of a framework',
    dialect: 'ai-sdk-model',
    before: sdkOpening,
    after: sdkOpening.slice(1),
    lifted: sdkOpening.slice(0, 1),
  },
  {
    name: 'inside a request',
    dialect: 'gemini',
    before: {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'system', parts: [{ text: 'Use tools.' }] },
        { role: 'user', parts: [{ text: 'hi' }] },
      ],
    },
    after: {
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Use tools.' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    },
  },
  {
    name: 'in a bare list',
    dialect: 'gemini',
    before: [
      { role: 'system', parts: [{ text: 'Use tools.' }] },
      { role: 'user', parts: [{ text: 'hi' }] },
    ],
    after: [{ role: 'user', parts: [{ text: 'hi' }] }],
    lifted: [{ role: 'system', parts: [{ text: 'Use tools.' }] }],
  },
  ...interfaceExamples('system-first'),
];
