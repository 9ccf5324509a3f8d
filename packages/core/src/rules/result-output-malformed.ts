import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { isRecord, withKeys } from '../model/value.ts';
import { resultOf, placeOf, wireOf, spokenOf } from './remedies/place.ts';

/** A framework that types what a tool returned refuses an output without a type. */
export const resultOutputMalformed: Rule = {
  id: 'result-output-malformed',
  title: 'the output of a result has no known form',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'ai-sdk-model': ['ai-schema'] },
  trigger: 'result-output-malformed',
  summary:
    'The result was stored by an earlier version of the framework, which wrote what the tool returned without saying ' +
    'what it is, or by a program of its own. A text becomes an output of type text, anything else one of type json.',
  explain: (found) =>
    `the output of ${spokenOf('result', resultOf(found, found.fact).callId)} is in no form that can be sent`,
  providerError: { 'ai-sdk-model': () => 'The messages do not match the ModelMessage[] schema.' },
  repair: (found) => {
    const result = resultOf(found, found.fact);
    const { output, result: older } = wireOf(result);
    const moved = (output ?? undefined) === undefined ? { result: undefined } : {};
    const wire = withKeys(wireOf(result), { output: typed(output ?? older), ...moved });
    return {
      edits: [replacePart(placeOf(found), { ...result, wire })],
      action: 'restore',
      loss: 'none',
      note: `gave the output of ${spokenOf('result', result.callId)} the form of this dialect`,
    };
  },
};

/** Whatever a tool returned, with the type that says what it is. */
function typed(output: unknown): Record<string, unknown> {
  const said = isRecord(output) && typeof output['type'] === 'string' ? output['value'] : output;
  if (said === undefined || said === null) return { type: 'text', value: '' };
  return typeof said === 'string' ? { type: 'text', value: said } : { type: 'json', value: said };
}
