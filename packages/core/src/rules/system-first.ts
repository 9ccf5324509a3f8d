import type { Rule } from '../model/rule.ts';
import { allowsSystem } from './remedies/fold-system.ts';
import { SYSTEM_ROLE } from './refusals/provider-words.ts';

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
};
