import type { Rule } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { allowsSystem } from './remedies/fold-system.ts';
import { SYSTEM_ROLE } from './refusals/gemini-words.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';

/** The system prompt has a field of its own; it may not open the list. */
export const systemFirst: Rule = {
  id: 'system-first',
  title: 'the list opens with a system message',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: {
    gemini: ['ge-role'],
    'anthropic-messages': ['an-system-first'],
    'bedrock-converse': ['br-passthrough'],
    'ai-sdk-model': ['ai-system'],
    'ai-sdk-ui': ['ai-system'],
  },
  trigger: 'system-first',
  summary:
    'The history was kept in the shape of another provider. The text moves into the request’s `system` field; ' +
    'for a bare list it is ' +
    'returned as `lifted`.',
  detect: (found) => !allowsSystem(found),
  explain: () => 'a system message stands before the first message of the conversation',
  providerError: {
    gemini: () => SYSTEM_ROLE,
    'anthropic-messages': (found) =>
      `messages.${String(found.fact.message)}: use the top-level 'system' parameter for the initial system prompt`,
    'ai-sdk-model': () =>
      'System messages are not allowed in the prompt or messages fields. Use the instructions option instead.',
    'ai-sdk-ui': () =>
      'System messages are not allowed in the prompt or messages fields. Use the instructions option instead.',
  },
  repair: (found) => ({
    edits: [{ kind: 'lift', message: found.fact.message }],
    action: 'relocate',
    loss: 'none',
    note: 'moved the system message out of the list, into the field for the system prompt',
  }),
  examples: () => [
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
  ],
};

const sdkOpening = [
  { role: 'system', content: 'Use tools.' },
  { role: 'user', content: 'hi' },
];
