import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { withKeys } from '../model/value.ts';
import { resultOf, placeOf, wireOf, spokenOf } from './remedies/place.ts';

/** Some models take no word on how a tool ended. */
export const resultStatusRefused: Rule = {
  id: 'result-status-refused',
  title: 'a result says how it ended to a model that does not take it',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'bedrock-converse': ['br-status'] },
  trigger: 'result-status-refused',
  summary:
    'A session was begun with a model that is told whether a tool succeeded, and goes on with one that refuses the ' +
    'field. The field goes; the content of the result still says what happened.',
  applies: (profile) => profile.resultStatus === false,
  explain: (found) =>
    `${spokenOf('result', resultOf(found, found.fact).callId)} has a status, which this model refuses`,
  repair: (found) => {
    const result = resultOf(found, found.fact);
    const inner = withKeys(wireOf(result)['toolResult'], { status: undefined });
    return {
      edits: [replacePart(placeOf(found), { ...result, wire: withKeys(result.wire, { toolResult: inner }) })],
      action: 'rewrite',
      loss: 'none',
      note: `removed the status of ${spokenOf('result', result.callId)}; its content is as it was`,
    };
  },
};
