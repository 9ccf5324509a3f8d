import type { Rule } from '../model/rule.ts';

/** What has no JSON form cannot be sent at all. */
export const valueUnserialisable: Rule = {
  id: 'value-unserialisable',
  title: 'a value cannot be sent as JSON',
  layer: 'structure',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-args'],
    'openai-responses': ['or-args'],
    gemini: ['an-json-utf16'],
    'anthropic-messages': ['an-json-utf16'],
    'openai-chat': ['oc-args-string'],
    'pydantic-ai': ['py-history'],
    'bedrock-converse': ['an-json-utf16'],
    'ai-sdk-model': ['ai-converters'],
    'mistral-chat': ['an-json-utf16'],
    'ai-sdk-ui': ['ai-converters'],
    langchain: ['an-json-utf16'],
  },
  trigger: 'value-unserialisable',
  summary:
    'A history held in memory contains a cycle, a big integer, a function, a getter that throws, or nesting ' +
    'too deep for any serialiser. The message is copied: big integers become text, the rest a short remark ' +
    'or nothing.',
  explain: () => 'this message holds a value that JSON cannot carry',
  repair: ({ fact: { message } }) => ({
    edits: [{ kind: 'mend', at: { message } }],
    action: 'rewrite',
    loss: 'lossy',
    note: 'replaced what JSON cannot carry: big integers by their digits, the rest by a remark or null',
  }),
};
