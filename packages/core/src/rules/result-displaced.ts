import { dropPart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { callOf, resultOf, otherOf, placeOf, spokenOf } from './remedies/place.ts';
import { RESPONSE_TURN, OPEN_CALL } from './refusals/provider-words.ts';

/** A provider refuses a result that does not stand directly after its call. */
export const resultDisplaced: Rule = {
  id: 'result-displaced',
  title: 'a result is not where its call is answered',
  layer: 'pair',
  severity: 'rejected',
  loss: 'none',
  evidence: {
    gemini: ['ge-fr-after', 'ge-fr-count', 'ge-merge'],
    'anthropic-messages': ['an-result-first', 'an-tooluse-answered', 'an-result-orphan'],
    'openai-chat': ['oc-answered', 'oc-tool-orphan', 'oc-tool-id'],
    'pydantic-ai': ['py-repair'],
    'bedrock-converse': ['br-answered', 'br-passthrough'],
    'ai-sdk-model': ['ai-missing-results'],
    'mistral-chat': ['mi-count', 'mi-transitions'],
    langchain: ['lg-invalid'],
  },
  trigger: 'result-displaced',
  summary:
    'A tool finished late, or something was written between a call and its result. The result is moved back ' +
    'to its call; nothing is lost. If an earlier repair had put a placeholder there, the real result now ' +
    'stands in its place.',
  explain: (found) => `${spokenOf('result', resultOf(found, found.fact).callId)} is separated from its call`,
  providerError: {
    ...OPEN_CALL,
    'mistral-chat': () => 'Not the same number of function calls and responses',
    gemini: () => RESPONSE_TURN,
    'anthropic-messages': (found) => {
      const { other } = found.fact;
      return (
        `messages.${String(other?.message)}: \`tool_use\` ids were found without \`tool_result\` blocks ` +
        `immediately after: ` +
        `${resultOf(found, found.fact).callId}. Each \`tool_use\` block must have a corresponding ` +
        `\`tool_result\` block in the next message.`
      );
    },
    'openai-chat': (found) =>
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${resultOf(found, found.fact).callId}`,
    'pydantic-ai': () => 'Cannot provide a new user prompt when the message history contains unprocessed tool calls.',
    'ai-sdk-model': (found) => `Tool result is missing for tool call ${resultOf(found, found.fact).callId}.`,
    langchain: () => 'Found AIMessages with tool_calls that do not have a corresponding ToolMessage.',
  },
  repair: (found) => {
    const { anchor = 0, order = 0 } = found.fact;
    const result = resultOf(found, found.fact);
    const call = callOf(found, otherOf(found));
    return {
      edits: [dropPart(placeOf(found)), { kind: 'answer', message: anchor, order, result }],
      action: 'relocate',
      loss: 'none',
      note: `moved ${spokenOf('result', result.callId)} back to its call to ${call.tool}, for any placeholder`,
    };
  },
};
