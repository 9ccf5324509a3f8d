import { dropPart, type Proposal } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { resultOf, placeOf, spokenOf } from './remedies/place.ts';
import { quoteOrRemove } from './remedies/quote.ts';

/** Where results are looked for in the whole list, one may stand before a call of its id. */
export const resultBeforeCall: Rule = {
  id: 'result-before-call',
  title: 'a result stands before the call of its id',
  layer: 'pair',
  severity: 'degraded',
  loss: 'lossy',
  evidence: { 'openai-responses': ['or-adjacency'], 'openai-agents': ['or-adjacency'] },
  trigger: 'result-early',
  summary:
    'A result was written down before its call, or its call was cut away and the id used again later. The ' +
    'provider takes it for the result of the later call. In the same turn it is moved behind that call; else ' +
    'it is quoted as text, because it cannot be the result of something asked for later.',
  explain: (found) => `${spokenOf('result', resultOf(found, found.fact).callId)} stands before the call of that id`,
  repair,
};

function repair(found: Case): Proposal {
  if (!sameTurn(found)) return quoteOrRemove(found, 'the call of that id comes later');
  const { anchor = 0, order = 0 } = found.fact;
  const result = resultOf(found, found.fact);
  return {
    edits: [dropPart(placeOf(found)), { kind: 'answer', message: anchor, order, result }],
    action: 'relocate',
    loss: 'none',
    note: `moved ${spokenOf('result', result.callId)} behind its call`,
  };
}

/** An open call of that id follows before the user speaks again. */
function sameTurn(found: Case): boolean {
  const { message, other } = found.fact;
  return other !== undefined && !found.userSpeaks(message + 1, other.message);
}
