import { textPart } from '../model/part.ts';
import type { Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';

/** A request asks for an answer, and to some models the system cannot ask. */
export const endsWithSystem: Rule = {
  id: 'ends-with-system',
  title: 'the request ends with a message of the system',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: { 'mistral-chat': ['mi-last', 'mi-transitions'], langchain: ['an-messages-nonempty'] },
  trigger: 'ends-with-system',
  summary:
    'A reminder was added behind the last message, or the list holds nothing but instructions. A short user message ' +
    'is added.',
  applies: (profile) => profile.systemEnd === false,
  explain: () => 'the last message is from the system',
  providerError: {
    'mistral-chat': () => 'Expected last role User or Tool (or Assistant with prefix True) for serving but got system',
  },
  repair: (found) => ({
    edits: [
      {
        kind: 'insert',
        message: found.count,
        messages: [{ role: 'user', parts: [textPart(TEXTS.proceed, 0)], at: -1 }],
      },
    ],
    action: 'synthesize',
    loss: 'synthetic',
    note: `added a user message at the end: ${TEXTS.proceed}`,
  }),
};
