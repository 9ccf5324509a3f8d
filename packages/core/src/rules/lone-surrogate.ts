import type { Rule } from '../model/rule.ts';

const refusal = (): string => 'no low surrogate in string';

/** Half a character has no UTF-8 form, so a strict parser refuses the whole body. */
export const loneSurrogate: Rule = {
  id: 'lone-surrogate',
  title: 'a text holds half a character',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['an-json-utf16'],
    'openai-responses': ['an-json-utf16'],
    gemini: ['an-json-utf16'],
    'anthropic-messages': ['an-json-utf16'],
    'openai-chat': ['an-json-utf16'],
    'pydantic-ai': ['an-json-utf16'],
    'bedrock-converse': ['an-json-utf16'],
    'ai-sdk-model': ['an-json-utf16'],
    'mistral-chat': ['an-json-utf16'],
    'ai-sdk-ui': ['an-json-utf16'],
    langchain: ['an-json-utf16'],
  },
  trigger: 'lone-surrogate',
  summary:
    'A tool cut its output inside an emoji, or a stream was split there. The half that is left is replaced ' +
    'by the replacement character U+FFFD; the other half is nowhere in the history.',
  explain: () => 'a text or key of this message holds one half of a surrogate pair',
  providerError: {
    'openai-responses': refusal,
    'openai-agents': refusal,
    gemini: refusal,
    'anthropic-messages': refusal,
    'openai-chat': refusal,
    'pydantic-ai': refusal,
    'ai-sdk-model': refusal,
    'ai-sdk-ui': refusal,
    langchain: refusal,
  },
  repair: ({ fact: { message, part } }) => ({
    edits: [{ kind: 'mend', at: part === undefined ? { message } : { message, part } }],
    action: 'rewrite',
    loss: 'lossy',
    note: 'replaced each lone half of a character by U+FFFD',
  }),
};
