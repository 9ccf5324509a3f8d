import type { Case, Rule } from '../model/rule.ts';
import { RESPONSE_COUNT, RESPONSE_TURN, LOST_RESULT } from './refusals/provider-words.ts';
import { failedCallOf, restoreCall } from './remedies/failed-call.ts';
import { spokenOf, resultOf, wireOf } from './remedies/place.ts';
import { quoteOrRemove } from './remedies/quote.ts';
import { missingCall, isReference } from './remedies/response-items.ts';

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
    return failed === undefined
      ? quoteOrRemove(found, 'no call with that id comes before it')
      : restoreCall(found, failed);
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

const CUSTOM = /^ctc_/;
const COMPUTER = /^cu_/;
const SEARCH = /^tsc_/;
/** How ids of shells and patches begin is not on record, only how they do not. */
const OTHER = /^(?!(?:msg|rs|fc|ctc|tsc|ws|fs|ci|ig|cu|mcp|mcpl|cmp)_)/;

/**
 * By the type of a result: the ids of the calls that it may answer. Clients send such calls as references once the
 * provider has kept them; only those of functions have to be sent whole.
 */
const IDS: ReadonlyMap<unknown, RegExp> = new Map([
  ['custom_tool_call_output', CUSTOM],
  ['computer_call_output', COMPUTER],
  ['tool_search_output', SEARCH],
  ['shell_call_output', OTHER],
  ['local_shell_call_output', OTHER],
  ['apply_patch_call_output', OTHER],
]);

/** True for a result whose call may be one of the references before it: there are as many as results without call. */
function isCallKept(found: Case): boolean {
  const { message } = found.fact;
  const ids = IDS.get(wireOf(found.message(message))['type']);
  // An output has to name its call, wherever that is kept.
  if (ids === undefined || resultOf(found, found.fact).callId === '') return false;
  const step = found.answeredBy(message);
  const called = new Set<unknown>();
  let kept = 0;
  for (let i = step; i >= 0 && found.message(i).role === 'assistant'; i -= 1) {
    const wire = wireOf(found.message(i));
    const { id, call_id: callId } = wire;
    if (isReference(wire) && typeof id === 'string' && ids.test(id)) kept += 1;
    else if (callId !== undefined) called.add(callId);
  }
  if (kept === 0) return false;
  for (let i = step + 1; i <= message && kept >= 0; i += 1) {
    const { type, call_id: callId } = wireOf(found.message(i));
    if (IDS.get(type) === ids && !called.has(callId)) kept -= 1;
  }
  return kept >= 0;
}
