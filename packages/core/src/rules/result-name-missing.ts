import { replacePart } from '../model/edit.ts';
import type { ResultPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { resultOf, placeOf, UNNAMED, spokenOf } from './remedies/place.ts';
import { contentPath } from './refusals/provider-words.ts';

/** Where results carry the name of their tool, one without it cannot be read back. */
export const resultNameMissing: Rule = {
  id: 'result-name-missing',
  title: 'a result does not name its tool',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { gemini: ['ge-fr-name'], 'pydantic-ai': ['py-repair'], 'ai-sdk-model': ['ai-schema'] },
  trigger: 'result-name-missing',
  summary:
    'A result was rebuilt from a format in which only the call names the tool. The name is taken from the ' +
    'call it answers; where there is none, a name stands in that says so.',
  explain: (found) => `${spokenOf('result', resultOf(found, found.fact).callId)} does not name its tool`,
  providerError: {
    gemini: (found) => `${contentPath(found)}.function_response.name: Name cannot be empty.`,
    'ai-sdk-model': () => 'The messages do not match the ModelMessage[] schema.',
  },
  repair: (found) => {
    const result = resultOf(found, found.fact);
    const tool = toolNamed(found, result) ?? UNNAMED;
    return {
      edits: [replacePart(placeOf(found), { ...result, tool, edited: true })],
      action: 'restore',
      loss: 'none',
      note: `named the tool of ${spokenOf('result', result.callId)} ${tool}`,
    };
  },
};

/** The tool of the call with its id in the step before it; where ids are shared its place among the results decides. */
function toolNamed(found: Case, { callId }: ResultPart): string | undefined {
  const { tools, toolOf } = found.calledBefore(found.fact.message);
  const tool = tools.get(callId) ?? (found.profile.sharedIds === true ? toolOf(placeOf(found)) : undefined);
  return tool === '' ? undefined : tool;
}
