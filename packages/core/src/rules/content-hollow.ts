import { replacePart, type Proposal } from '../model/edit.ts';
import { textPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';

/** Some converters leave copies of calls out of the content, and the provider refuses a list without a piece. */
export const contentHollow: Rule = {
  id: 'content-hollow',
  title: 'nothing of a content is sent',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { langchain: ['oc-parts-min'] },
  trigger: 'content-hollow',
  summary:
    'A model called tools without a word, and its provider gives calls among the content. For another provider the ' +
    'framework takes the calls from its own list and leaves the copies out, and an empty list remains. The content ' +
    'becomes an empty text; the calls stay on the list, and so does reasoning in the content.',
  explain: () => 'nothing stands in this content but what a converter leaves out',
  providerError: {
    langchain: ({ fact }) =>
      `Invalid 'messages[${String(fact.message)}].content': empty array. Expected an array with minimum length 1, ` +
      'but got an empty array instead.',
  },
  repair,
};

function repair(found: Case): Proposal {
  const { message } = found.fact;
  const { parts } = found.message(message);
  const thoughts = parts.findLastIndex(({ kind }) => kind === 'reasoning');
  const note = 'gave an answer that only calls tools an empty text as its content';
  // Written anew, an answer without a word has an empty text as its content; behind reasoning it has to be a piece.
  const part = Math.max(thoughts, 0);
  const edits = parts
    .slice(part, part + 1)
    .map((each) =>
      thoughts < 0
        ? replacePart({ message, part }, { ...each, edited: true })
        : replacePart({ message, part }, each, textPart('', 0)),
    );
  return { edits, action: 'rewrite', loss: 'none', note };
}
