import type { Rule } from '../model/rule.ts';
import { mend } from '../model/value.ts';

/** The body is one JSON text: what cannot be sent in any of its fields refuses all of it. */
export const fieldUnserialisable: Rule = {
  id: 'field-unserialisable',
  title: 'a field of the request cannot be sent as JSON',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    gemini: ['an-json-utf16'],
    'anthropic-messages': ['an-json-utf16'],
    'openai-chat': ['an-json-utf16'],
    'openai-responses': ['an-json-utf16'],
    'bedrock-converse': ['an-json-utf16'],
    'mistral-chat': ['an-json-utf16'],
  },
  trigger: 'field-unserialisable',
  summary:
    'A tool description or an instruction was cut inside an emoji, or an option holds a value that has no JSON ' +
    'form. Halves of characters become U+FFFD, big integers their digits; the rest becomes a remark or null.',
  explain: (found) => `the field ${String(found.fact.detail)} holds something that JSON cannot carry`,
  providerError: { gemini: () => 'no low surrogate in string' },
  repair: ({ fact, body }) => {
    const key = String(fact.detail);
    return {
      edits: [{ kind: 'body', fields: { [key]: mend(body?.[key]) } }],
      action: 'rewrite',
      loss: 'lossy',
      note: `replaced what JSON cannot carry in the field ${key}`,
    };
  },
};
