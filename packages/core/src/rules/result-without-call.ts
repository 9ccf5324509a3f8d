import type { Case, Rule } from '../model/rule.ts';
import { spokenOf } from './remedies/place.ts';
import { resultOf } from './remedies/batch.ts';
import { failedCallOf, restoreCall } from './remedies/failed-call.ts';
import { setAside } from './remedies/set-aside.ts';
import { RESPONSE_COUNT, RESPONSE_TURN } from './refusals/gemini-words.ts';
import { isCallKept } from './remedies/kept-call.ts';
import { missingCall } from './remedies/response-items.ts';
import { LOST_RESULT } from './refusals/host-words.ts';

/** A provider refuses a result whose call is nowhere before it. */
export const resultWithoutCall: Rule = {
  id: 'result-without-call',
  title: 'a result has no call',
  layer: 'pair',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-output-orphan'],
    'openai-responses': ['or-output-orphan', 'or-reference'],
    gemini: ['ge-fr-after', 'ge-fr-count'],
    'anthropic-messages': ['an-result-orphan', 'an-result-id'],
    'openai-chat': ['oc-tool-orphan', 'oc-tool-id', 'ms-toolid', 'gq-strict'],
    'pydantic-ai': ['py-repair'],
    'bedrock-converse': ['br-excess'],
    'ai-sdk-model': ['ai-converters'],
    'mistral-chat': ['mi-ids-v13', 'mi-transitions'],
    langchain: ['oc-tool-orphan'],
  },
  trigger: 'result-unknown',
  detect: (found) => !isCallKept(found),
  summary:
    'The history was cut at the front, a summary swallowed the call, or an id was changed on one side only. ' +
    'The result is kept as quoted text of the user, so that the model still sees what the tool said.',
  explain: (found) => `${spokenOf('result', resultOf(found, found.fact).callId)} answers no call`,
  providerError: {
    ...LOST_RESULT,
    'mistral-chat': (found) =>
      `Unexpected tool call id ${resultOf(found, found.fact).callId || 'None'} in tool results`,
    'openai-responses': missingCall,
    'openai-agents': missingCall,
    gemini: (found) => (answersSomething(found) ? RESPONSE_COUNT : RESPONSE_TURN),
    'bedrock-converse': ({ fact }) =>
      `The number of toolResult blocks at messages.${String(fact.message)}.content exceeds the number of toolUse ` +
      'blocks of previous turn.',
    'anthropic-messages': (found) => {
      const { message, part = 0 } = found.fact;
      const { callId } = resultOf(found, found.fact);
      if (callId === '') {
        return `messages.${String(message)}.content.${String(part)}.tool_result.tool_use_id: Field required`;
      }
      return (
        `messages.${String(message)}.content.${String(part)}: unexpected \`tool_use_id\` found in ` +
        `\`tool_result\` blocks: ${callId}. ` +
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
      );
    },
    'openai-chat': (found) =>
      answersSomething(found)
        ? `Invalid parameter: 'tool_call_id' of '${resultOf(found, found.fact).callId}' not found in ` +
          `'tool_calls' of previous message.`
        : "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  },
  repair: (found) => {
    const failed = failedCallOf(found);
    return failed === undefined ? setAside(found, 'no call with that id comes before it') : restoreCall(found, failed);
  },
};

function answersSomething(found: Case): boolean {
  for (let i = found.fact.message - 1; i >= 0; i -= 1) {
    const { role, parts } = found.message(i);
    if (role === 'tool') continue;
    return role === 'assistant' && parts.some((part) => part.kind === 'call');
  }
  return false;
}
