import type { Rule } from '../model/rule.ts';
import { callOf, spokenOf } from './remedies/place.ts';
import { callWithoutResult } from './call-without-result.ts';

/** Where ids are looked for in the whole list, an open call can hide behind the result of another. */
export const callAnsweredByAnother: Rule = {
  id: 'call-answered-by-another',
  title: 'an open call shares its id with one that is answered',
  layer: 'pair',
  severity: 'degraded',
  loss: 'lossy',
  evidence: {
    'openai-responses': ['or-call-answered', 'or-adjacency'],
    'openai-agents': ['or-call-answered', 'or-adjacency'],
  },
  trigger: 'call-open-again',
  summary:
    'Ids were used again in a later step, as some models number their calls, and a call was interrupted. The ' +
    'provider finds a result under that id and does not notice, but the model reads the result of another call. ' +
    'The open call is closed like any other.',
  explain: (found) => {
    const call = callOf(found, found.fact);
    return `${spokenOf('call', call.callId)} to ${call.tool} has no result of its own`;
  },
  repair: (found) => callWithoutResult.repair?.(found),
};
