import type { Rule } from '../model/rule.ts';
import { allowsSystem, foldSystem } from './remedies/fold-system.ts';
import { SYSTEM_ROLE, LATER_SYSTEM } from './refusals/provider-words.ts';

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
};
