import { replacePart, type Proposal } from '../model/edit.ts';
import type { TextPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isBlank } from '../model/value.ts';
import { prefillRefusal } from './remedies/prefill.ts';

/** A start that the model is to continue may not end in white space. */
export const trailingWhitespace: Rule = {
  id: 'trailing-whitespace',
  title: 'the start of an answer ends in white space',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'anthropic-messages': ['an-prefill-ws'], 'bedrock-converse': ['br-last'] },
  trigger: 'ends-with-assistant',
  summary:
    'A stream stopped after a space or a line break, and the model is asked to go on from there. The white ' +
    'space at the very end is removed; every other text stays as it is.',
  applies: (profile) => profile.prefill !== 'refused',
  detect: (found) => prefillRefusal(found) === undefined && ending(found) !== undefined,
  explain: () => 'the last text of the request ends in white space',
  providerError: {
    'bedrock-converse': () => 'messages: final assistant content cannot end with trailing whitespace',
    'anthropic-messages': () => 'messages: final assistant content cannot end with trailing whitespace',
  },
  repair: (found) => {
    const last = ending(found);
    return last && trim(found, last);
  },
};

function trim(found: Case, last: TextPart): Proposal {
  const { message } = found.fact;
  const part = found.message(message).parts.length - 1;
  return {
    edits: [replacePart({ message, part }, { ...last, text: last.text.trimEnd(), edited: true })],
    action: 'rewrite',
    loss: 'lossy',
    note: 'removed white space at the very end',
  };
}

/** The last part, if it is a text that ends in white space; a blank one is a breach of its own. */
function ending(found: Case): TextPart | undefined {
  const last = found.message(found.fact.message).parts.at(-1);
  if (last?.kind !== 'text' || isBlank(last.text)) return undefined;
  return last.text === last.text.trimEnd() ? undefined : last;
}
