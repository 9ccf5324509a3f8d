import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { withKeys } from '../model/value.ts';
import { resultOf } from './remedies/batch.ts';
import { strictName } from './remedies/legal-name.ts';
import { placeOf, spokenOf } from './remedies/place.ts';

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
  examples: () => [
    {
      name: 'a name with a dot, and no name',
      dialect: 'mistral-chat',
      before: exchange({ name: 'fs.read' }, { name: '' }),
      after: exchange({ name: 'fs_read' }, {}),
    },
    {
      name: 'a name of 65 characters',
      dialect: 'mistral-chat',
      before: exchange({ name: 'n'.repeat(65) }, {}),
      after: exchange({ name: strictName('n'.repeat(65)) }, {}),
    },
  ],
};

function exchange(first: object, second: object): unknown[] {
  const call = (id: string): object => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });
  return [
    { role: 'user', content: 'read a' },
    { role: 'assistant', content: '', tool_calls: [call('aB3dE6gH9'), call('bB3dE6gH9')] },
    { role: 'tool', tool_call_id: 'aB3dE6gH9', content: 'A', ...first },
    { role: 'tool', tool_call_id: 'bB3dE6gH9', content: 'B', ...second },
  ];
}
