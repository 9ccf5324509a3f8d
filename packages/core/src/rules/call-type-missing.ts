import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { isRecord, withKeys } from '../model/value.ts';
import { callOf, callIndex, partOf, placeOf, wireOf, spokenOf } from './remedies/place.ts';
import { typeMissing } from './refusals/provider-words.ts';

/** A provider refuses a call that does not say of which type it is. */
export const callTypeMissing: Rule = {
  id: 'call-type-missing',
  title: 'a call has no type',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'openai-chat': ['oc-call-type', 'gq-strict'] },
  trigger: 'call-type-missing',
  summary:
    'The type of a call arrives only with the first piece of a stream, and some clients do not store it. It is ' +
    'set again: ' +
    '`custom` where the call holds a custom tool, else `function`.',
  explain: (found) => `${spokenOf('call', callOf(found, found.fact).callId)} is of no known type`,
  providerError: { groq: (found) => typeMissing(found, callIndex(found)) },
  repair: (found) => {
    const part = partOf(found);
    const wire = wireOf(part);
    const type = isRecord(wire['custom']) && !isRecord(wire['function']) ? 'custom' : 'function';
    return {
      edits: [replacePart(placeOf(found), { ...part, wire: withKeys(wire, { type }) })],
      action: 'restore',
      loss: 'none',
      note: `set the type of ${spokenOf('call', callOf(found, found.fact).callId)} to ${type}`,
    };
  },
};
