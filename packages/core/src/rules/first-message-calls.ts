import { textPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { isClientCall } from './remedies/batch.ts';

/** The calls of the very first message are not counted, so that their results are too many. */
export const firstMessageCalls: Rule = {
  id: 'first-message-calls',
  title: 'the very first message makes calls',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: { 'mistral-chat': ['mi-first-quirk', 'mi-count'] },
  trigger: 'first-not-user',
  summary:
    'The front of the history was cut away up to an answer that calls tools. The provider counts calls from the ' +
    'second message on and then finds more results than calls, so a short user message is put in front.',
  detect: (found) => found.fact.message === 0 && isCalling(found),
  explain: () => 'the first message of the list calls tools',
  providerError: { 'mistral-chat': () => 'Not the same number of function calls and responses' },
  repair: () => ({
    edits: [{ kind: 'insert', message: 0, messages: [{ role: 'user', parts: [textPart(TEXTS.resumed, 0)], at: -1 }] }],
    action: 'synthesize',
    loss: 'synthetic',
    note: `put a user message in front: ${TEXTS.resumed}`,
  }),
};

function isCalling(found: Case): boolean {
  return found.message(0).parts.some(isClientCall);
}
