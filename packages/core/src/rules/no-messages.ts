import { textPart } from '../model/part.ts';
import type { Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { isRecord } from '../model/value.ts';

/** A request needs at least one message; a stored history may be empty. */
export const noMessages: Rule = {
  id: 'no-messages',
  title: 'the request has no messages',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: {
    'openai-agents': ['or-nonempty'],
    'openai-responses': ['or-nonempty'],
    gemini: ['ge-nonempty'],
    'anthropic-messages': ['an-messages-nonempty'],
    'openai-chat': ['oc-nonempty'],
    'pydantic-ai': ['py-history'],
    'bedrock-converse': ['br-first-user'],
    'ai-sdk-model': ['ai-nonempty'],
    'mistral-chat': ['mi-nonempty'],
    'ai-sdk-ui': ['ai-nonempty'],
    langchain: ['an-messages-nonempty'],
  },
  trigger: 'no-messages',
  summary: 'Everything was cut or removed before the request was made. A short user message stands in.',
  // A request that goes on from something the provider has kept, or from a prompt there, needs nothing else.
  detect: ({ request, body }) => request?.chained !== true && !isRecord(body?.['prompt']),
  explain: () => 'the list of messages is empty',
  providerError: {
    'mistral-chat': () => 'Conversation must have at least one message',
    'openai-responses': () =>
      "One of 'input' or 'previous_response_id' or 'prompt' or 'conversation_id' must be provided.",
    gemini: () => '* GenerateContentRequest.contents: contents is not specified',
    'anthropic-messages': () => 'messages: at least one message is required',
    'openai-chat': () =>
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    'pydantic-ai': () => 'Processed history cannot be empty.',
    'bedrock-converse': () =>
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    'ai-sdk-model': () => 'messages must not be empty',
    'ai-sdk-ui': () => 'messages must not be empty',
  },
  repair: () => ({
    edits: [{ kind: 'insert', message: 0, messages: [{ role: 'user', parts: [textPart(TEXTS.resumed, 0)], at: -1 }] }],
    action: 'synthesize',
    loss: 'synthetic',
    note: `added a user message: ${TEXTS.resumed}`,
  }),
};
