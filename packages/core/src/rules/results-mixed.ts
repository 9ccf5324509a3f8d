import { textPart, type Message, type Part } from '../model/part.ts';
import type { Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { isClientResult } from './remedies/batch.ts';

/** Most models behind one API want results in a message of their own. */
export const resultsMixed: Rule = {
  id: 'results-mixed',
  title: 'results share a message with other content',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: { 'bedrock-converse': ['br-mixed'] },
  trigger: 'results-mixed',
  summary:
    'The user wrote while a tool was running, and both were sent together, which only some families of models take. ' +
    'The message is divided: the results first, then a short answer of the assistant, because roles must alternate, ' +
    'then what the user said.',
  applies: (profile) => profile.resultsAlone === true,
  explain: () => 'results stand in one message with something else',
  providerError: {
    'bedrock-converse': ({ fact }) =>
      `messages.${String(fact.message)}.content: Conversation blocks and tool result blocks cannot be provided in ` +
      'the same turn.',
  },
  repair: (found) => {
    const { message } = found.fact;
    const source = found.message(message);
    const isOwn = (part: Part): boolean => isClientResult(part);
    const results: Message = { ...source, parts: source.parts.filter(isOwn) };
    const pause: Message = { role: 'assistant', parts: [textPart(TEXTS.separator, 0)], at: -1 };
    const rest: Message = { role: 'user', parts: source.parts.filter((part) => !isOwn(part)), at: source.at };
    return {
      edits: [{ kind: 'message', message, messages: [results, pause, rest] }],
      action: 'relocate',
      loss: 'synthetic',
      note: `divided results from what the user said, with an answer between them: ${TEXTS.separator}`,
    };
  },
};
