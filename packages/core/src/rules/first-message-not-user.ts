import { textPart } from '../model/part.ts';
import type { Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { OUT_OF_TURN } from './refusals/provider-words.ts';

/** Older models and many proxies want a user to speak first. */
export const firstMessageNotUser: Rule = {
  id: 'first-message-not-user',
  title: 'the first message is not from the user',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: {
    'anthropic-messages': ['an-first-user'],
    'bedrock-converse': ['br-first-user'],
    'openai-chat': ['tpl-alternate'],
  },
  trigger: 'first-not-user',
  summary:
    'The front of the history was cut away, or the agent greets first. Models before Claude 4 and many ' +
    'compatible proxies refuse it, so a short user message is put in front; newer models take the history ' +
    'as it is.',
  applies: (profile) => profile.firstUser,
  explain: (found) => `the conversation begins with a message of role ${found.message(found.fact.message).role}`,
  providerError: {
    ...OUT_OF_TURN,
    'anthropic-messages': () => 'messages: first message must use the "user" role',
    'bedrock-converse': () =>
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
  },
  repair: (found) => ({
    edits: [
      {
        kind: 'insert',
        message: found.fact.message,
        messages: [{ role: 'user', parts: [textPart(TEXTS.resumed, 0)], at: -1 }],
      },
    ],
    action: 'synthesize',
    loss: 'synthetic',
    note: `put a user message in front: ${TEXTS.resumed}`,
  }),
};
