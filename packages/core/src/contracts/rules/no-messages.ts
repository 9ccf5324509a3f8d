import { textPart } from '../../model/part.ts';
import type { Rule } from '../../model/rule.ts';
import { TEXTS } from '../../model/synthetic.ts';

/** A request needs at least one message; a stored history may be empty. */
export const noMessages: Rule = {
  id: 'no-messages',
  title: 'the request has no messages',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: {
    'anthropic-messages': ['an-messages-nonempty'],
    'openai-chat': ['oc-nonempty'],
    'pydantic-ai': ['py-history'],
  },
  trigger: 'no-messages',
  summary: 'Everything was cut or removed before the request was made. A short user message stands in.',
  explain: () => 'the list of messages is empty',
  providerError: {
    'anthropic-messages': () => 'messages: at least one message is required',
    'openai-chat': () =>
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    'pydantic-ai': () => 'Processed history cannot be empty.',
  },
  repair: () => ({
    edits: [{ kind: 'insert', message: 0, messages: [{ role: 'user', parts: [textPart(TEXTS.resumed, 0)], at: -1 }] }],
    action: 'synthesize',
    loss: 'synthetic',
    note: `added a user message: ${TEXTS.resumed}`,
  }),
  examples: () => [
    {
      name: 'an empty request',
      dialect: 'anthropic-messages',
      before: { messages: [] },
      after: { messages: [{ role: 'user', content: [{ type: 'text', text: TEXTS.resumed }] }] },
    },
    {
      name: 'an empty request',
      dialect: 'openai-chat',
      before: { messages: [] },
      after: { messages: [{ role: 'user', content: TEXTS.resumed }] },
    },
    {
      name: 'an empty request',
      dialect: 'pydantic-ai',
      before: { messages: [] },
      after: { messages: [{ kind: 'request', parts: [{ part_kind: 'user-prompt', content: TEXTS.resumed }] }] },
    },
  ],
};
