import type { Rule } from '../model/rule.ts';
import { SYSTEM_ROLE } from './refusals/provider-words.ts';

/** A system message without content says nothing and is refused. */
export const systemEmpty: Rule = {
  id: 'system-empty',
  title: 'a system message is empty',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: {
    gemini: ['ge-role'],
    'anthropic-messages': ['an-system-empty'],
    'bedrock-converse': ['br-passthrough'],
    'ai-sdk-ui': ['ai-system'],
  },
  trigger: 'system-empty',
  summary: 'A system message holds no text and sets no option. It is removed; nothing is lost.',
  explain: () => 'a system message has no content',
  providerError: {
    gemini: () => SYSTEM_ROLE,
    'anthropic-messages': (found) =>
      `messages.${String(found.fact.message)}: system content must contain at least one block`,
  },
  repair: (found) => ({
    edits: [{ kind: 'message', message: found.fact.message, messages: [] }],
    action: 'drop',
    loss: 'none',
    note: 'removed an empty system message',
  }),
};
