import type { Rule } from '../model/rule.ts';
import { withKeys } from '../model/value.ts';

/** An answer marked as the start of the next one has to be the last message. */
export const prefixNotLast: Rule = {
  id: 'prefix-not-last',
  title: 'an answer to be continued is not the last message',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'mistral-chat': ['mi-prefix'] },
  trigger: 'prefix-set',
  summary:
    'The model was asked to continue an answer, and the mark stayed on it when the conversation went on. The mark ' +
    'goes; the words stay.',
  detect: (found) => !found.isLast(found.fact.message),
  explain: () => 'this answer is marked as one to be continued, and other messages follow it',
  providerError: { 'mistral-chat': () => 'Assistant message with prefix True must be last message' },
  repair: (found) => {
    const { message } = found.fact;
    const source = found.message(message);
    const plain = { ...source, wire: withKeys(source.wire, { prefix: false }) };
    return {
      edits: [{ kind: 'message', message, messages: [plain] }],
      action: 'rewrite',
      loss: 'none',
      note: 'removed the mark that the answer is to be continued',
    };
  },
};
