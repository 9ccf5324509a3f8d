import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { resultOf, placeOf, spokenOf } from './remedies/place.ts';

/** What a tool shows while it runs is not what it returned. */
export const outputPreliminary: Rule = {
  id: 'output-preliminary',
  title: 'a preliminary output stands in the place of the result',
  layer: 'message',
  severity: 'degraded',
  loss: 'none',
  evidence: { 'ai-sdk-ui': ['ai-converters'] },
  trigger: 'output-preliminary',
  summary:
    'The tool was stopped while it was still reporting its progress. The framework sends the last report as if it ' +
    'were the result, and the model takes the call for done. The report is kept, as an error that says what it is.',
  explain: (found) => `the output of ${spokenOf('call', resultOf(found, found.fact).callId)} is only preliminary`,
  repair: (found) => {
    const { wire: _wire, ...result } = resultOf(found, found.fact);
    const text = `${TEXTS.preliminary}\n${result.text}`;
    return {
      edits: [replacePart(placeOf(found), { ...result, outcome: 'interrupted', text })],
      action: 'rewrite',
      loss: 'none',
      note: `said that the output of ${spokenOf('call', result.callId)} is only preliminary`,
    };
  },
};
