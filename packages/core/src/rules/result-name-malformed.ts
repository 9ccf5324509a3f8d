import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { withKeys } from '../model/value.ts';
import { resultOf, placeOf, spokenOf } from './remedies/place.ts';
import { strictName } from '../model/call-id.ts';

/** A result that names its tool names one that can be. */
export const resultNameMalformed: Rule = {
  id: 'result-name-malformed',
  title: 'a result names a tool that cannot be',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'mistral-chat': ['mi-name'] },
  trigger: 'result-name-malformed',
  summary:
    'The tool belongs to a provider with other rules for names. The name in the result is written as the name in its ' +
    'call is; a name of nothing goes.',
  explain: ({ fact }) => `the provider does not take the tool name ${String(fact.detail)}`,
  providerError: {
    'mistral-chat': ({ fact }) =>
      `Function name was ${String(fact.detail)} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a ` +
      'maximum length of 64.',
  },
  repair: (found) => {
    const result = resultOf(found, found.fact);
    const name = strictName(String(found.fact.detail));
    const wire = withKeys(result.wire, { name: name === '' ? undefined : name });
    return {
      edits: [replacePart(placeOf(found), { ...result, wire })],
      action: 'rewrite',
      loss: 'none',
      note: `named the tool of ${spokenOf('result', result.callId)} ${name}`,
    };
  },
};
