import type { Rule } from '../model/rule.ts';
import { chainExamples } from './examples/langchain.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { allowsSystem, foldSystem } from './remedies/fold-system.ts';
import { SYSTEM_ROLE } from './refusals/gemini-words.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';
import { LATER_SYSTEM } from './refusals/host-words.ts';

/** Most models take no system message inside the conversation. */
export const systemInConversation: Rule = {
  id: 'system-in-conversation',
  title: 'a system message stands inside the conversation',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: {
    gemini: ['ge-role'],
    'anthropic-messages': ['an-system-model'],
    'bedrock-converse': ['br-passthrough'],
    'ai-sdk-model': ['ai-system'],
    'ai-sdk-ui': ['ai-system'],
    'openai-chat': ['tpl-system'],
    langchain: ['an-system-model'],
  },
  trigger: 'system-later',
  summary:
    'Reminders and instructions were recorded as system messages. Only some newer models accept them after ' +
    'the start; for the others the text is kept as a user message that says where it came from.',
  applies: (profile) => !profile.systemLater,
  detect: (found) => !allowsSystem(found),
  explain: () => 'a system message stands after the start of the conversation',
  providerError: {
    ...LATER_SYSTEM,
    gemini: () => SYSTEM_ROLE,
    'anthropic-messages': () => "role 'system' is not supported on this model",
    'ai-sdk-model': () =>
      'System messages are not allowed in the prompt or messages fields. Use the instructions option instead.',
    'ai-sdk-ui': () =>
      'System messages are not allowed in the prompt or messages fields. Use the instructions option instead.',
  },
  repair: foldSystem,
  examples: () => [
    {
      name: 'a model that takes it',
      dialect: 'anthropic-messages',
      model: 'claude-opus-4-8',
      clean: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'Be brief.' },
        { role: 'assistant', content: 'Hi.' },
      ],
    },
    {
      name: 'a model that does not',
      dialect: 'anthropic-messages',
      model: 'claude-sonnet-5',
      before: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'Be brief.' },
        { role: 'assistant', content: 'Hi.' },
      ],
      after: [
        { role: 'user', content: 'hi' },
        { role: 'user', content: [{ type: 'text', text: `${TEXTS.system} Be brief.` }] },
        { role: 'assistant', content: 'Hi.' },
      ],
    },
    ...converseExamples('system-in-conversation'),
    {
      name: 'a framework that takes instructions elsewhere',
      dialect: 'ai-sdk-model',
      before: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'Be brief.' },
      ],
      after: [
        { role: 'user', content: 'hi' },
        { role: 'user', content: [{ type: 'text', text: `${TEXTS.system} Be brief.` }] },
      ],
    },
    {
      name: 'a reminder in the middle',
      dialect: 'gemini',
      before: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'system', parts: [{ text: 'Be brief.' }] },
        { role: 'model', parts: [{ text: 'Hi.' }] },
      ],
      after: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'user', parts: [{ text: `${TEXTS.system} Be brief.` }] },
        { role: 'model', parts: [{ text: 'Hi.' }] },
      ],
    },
    ...interfaceExamples('system-in-conversation'),
    ...chatHostExamples('system-in-conversation'),
    ...chainExamples('system-in-conversation'),
  ],
};
