import type { Rule } from '../model/rule.ts';
import { quoteOrSkip } from './remedies/unreadable.ts';

/** A provider refuses a list that holds something which is not a message. */
export const messageUnreadable: Rule = {
  id: 'message-unreadable',
  title: 'an entry of the list is not a message',
  layer: 'structure',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-part-type'],
    'openai-responses': ['or-part-type'],
    gemini: ['ge-role'],
    'anthropic-messages': ['an-role-enum'],
    'openai-chat': ['oc-role-enum'],
    'pydantic-ai': ['py-history'],
    'bedrock-converse': ['br-passthrough'],
    'ai-sdk-model': ['ai-schema'],
    'mistral-chat': ['mi-transitions'],
    'ai-sdk-ui': ['ai-schema'],
    langchain: ['lg-invalid'],
  },
  trigger: 'message-unreadable',
  summary:
    'A store that keeps notes beside messages, a half-written line or a bug left an entry without a role in ' +
    'the list. What can be read of it is quoted as text of the user; an entry that says nothing goes.',
  explain: () => 'this entry is not a message: it has no role',
  repair: quoteOrSkip,
};
