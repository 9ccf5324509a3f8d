import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { isRecord, withKeys } from '../model/value.ts';
import { resultOf, placeOf, wireOf, spokenOf } from './remedies/place.ts';

/** Where a result is an object, a provider refuses a text, a list or nothing in its place. */
export const resultNotObject: Rule = {
  id: 'result-not-object',
  title: 'a result is not an object',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { gemini: ['ge-fr-object'] },
  trigger: 'result-not-object',
  summary:
    'A tool returned a text or a list and it was stored as it was, in the form of another provider. It is kept ' +
    'under the name `result`; a tool that returned nothing has an empty result.',
  explain: (found) => `${spokenOf('result', resultOf(found, found.fact).callId)} is not an object`,
  repair: (found) => {
    const result = resultOf(found, found.fact);
    const wire = wireOf(result);
    const key = isRecord(wire['functionResponse']) ? 'functionResponse' : 'function_response';
    const inner = wireOf({ wire: wire[key] });
    const { response } = inner;
    const whole = response === undefined || response === null ? {} : { result: response };
    return {
      edits: [
        replacePart(placeOf(found), {
          ...result,
          wire: withKeys(wire, { [key]: withKeys(inner, { response: whole }) }),
        }),
      ],
      action: 'restore',
      loss: 'none',
      note: `put ${spokenOf('result', result.callId)} into an object`,
    };
  },
};
