import { dropPart, replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { isPlaceholder } from '../model/synthetic.ts';
import { resultOf, otherOf, placeOf, spokenOf } from './remedies/place.ts';

/** A real result that comes after a placeholder of ours takes its place. */
export const lateResult: Rule = {
  id: 'late-result',
  title: 'a real result came after its placeholder',
  layer: 'pair',
  severity: 'rejected',
  severityIn: { 'openai-responses': 'degraded', 'openai-agents': 'degraded' },
  loss: 'none',
  evidence: {
    'openai-agents': ['or-output-dup'],
    'openai-responses': ['or-output-dup'],
    gemini: ['ge-fr-count', 'ge-fr-after'],
    'anthropic-messages': ['an-result-dup', 'an-result-orphan'],
    'openai-chat': ['oc-id-dup', 'oc-tool-orphan'],
    'pydantic-ai': ['py-repair'],
    'bedrock-converse': ['br-excess'],
    'ai-sdk-model': ['ai-converters'],
    'mistral-chat': ['mi-ids-v13'],
    langchain: ['oc-tool-orphan'],
  },
  trigger: 'result-again',
  summary:
    'A call was closed with a placeholder, the repaired history was stored, and then the tool answered ' +
    'after all. The placeholder is recognised by its exact text and gives way to the real result, in its ' +
    'place.',
  detect: (found) => {
    if (!isPlaceholder(resultOf(found, otherOf(found)).text)) return false;
    return !isPlaceholder(resultOf(found, found.fact).text);
  },
  explain: (found) =>
    `${spokenOf('result', resultOf(found, found.fact).callId)} came after a placeholder had been put in its place`,
  repair: (found) => {
    const other = otherOf(found);
    const result = resultOf(found, found.fact);
    const placeholder = resultOf(found, other);
    return {
      edits: [{ ...replacePart(other, result), elsewhere: placeholder.characters }, dropPart(placeOf(found))],
      action: 'relocate',
      loss: 'none',
      note: `the late result of ${spokenOf('call', result.callId)} replaced its placeholder`,
    };
  },
};
