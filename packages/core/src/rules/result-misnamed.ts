import { dropPart } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isRepeated } from './remedies/batch.ts';
import { callOf, resultOf, namesOtherTool, otherOf, placeOf, spokenOf, UNNAMED } from './remedies/place.ts';
import { quoteOrRemove } from './remedies/quote.ts';
import { isNameId, sentId } from '../model/call-id.ts';
import { failedCallOf, restoreCall } from './remedies/failed-call.ts';
import { missingCall, retyped } from './remedies/response-items.ts';
import { LOST_RESULT } from './refusals/provider-words.ts';

/** A provider refuses results under ids that no call has, even when there is exactly one for every open call. */
export const resultMisnamed: Rule = {
  id: 'result-misnamed',
  title: 'a result carries another id than its call',
  layer: 'pair',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-output-orphan'],
    'openai-responses': ['or-output-orphan'],
    gemini: ['ge-fr-id'],
    'anthropic-messages': ['an-result-orphan'],
    'openai-chat': ['oc-tool-id', 'ms-toolid', 'gq-strict'],
    'pydantic-ai': ['py-repair'],
    'bedrock-converse': ['br-excess'],
    'ai-sdk-model': ['ai-missing-results', 'ai-converters'],
    'mistral-chat': ['mi-ids-v13'],
    langchain: ['lg-invalid'],
  },
  trigger: 'result-misnamed',
  summary:
    'Ids were rewritten on one side, for example by a proxy or a change of provider. Right after a step ' +
    'there are as many strange results as open calls, so they are joined again by position, and the report calls ' +
    'that synthetic. An id anywhere in the history that says otherwise prevents it: the result is then quoted.',
  detect: (found) => found.profile.resultIds === undefined || lacksId(found),
  explain: (found) => {
    const call = callOf(found, otherOf(found));
    const result = spokenOf('result', resultOf(found, found.fact).callId);
    return `${result} stands where ${spokenOf('call', call.callId)} to ${call.tool} is answered`;
  },
  providerError: {
    ...LOST_RESULT,
    'mistral-chat': (found) =>
      `Unexpected tool call id ${resultOf(found, found.fact).callId || 'None'} in tool results`,
    'openai-responses': missingCall,
    'openai-agents': missingCall,
    'bedrock-converse': ({ fact }) =>
      `The number of toolResult blocks at messages.${String(fact.message)}.content exceeds the number of toolUse ` +
      'blocks of previous turn.',
    'anthropic-messages': (found) =>
      `messages.${String(found.fact.message)}.content.${String(found.fact.part)}: unexpected \`tool_use_id\` ` +
      `found in \`tool_result\` blocks: ` +
      `${resultOf(found, found.fact).callId}. Each \`tool_result\` block must have a corresponding \`tool_use\` ` +
      `block in the previous message.`,
    'openai-chat': (found) =>
      `Invalid parameter: 'tool_call_id' of '${resultOf(found, found.fact).callId}' not found in 'tool_calls' ` +
      `of previous message.`,
    'ai-sdk-model': (found) => `Tool result is missing for tool call ${callOf(found, otherOf(found)).callId}.`,
    langchain: () => 'Found AIMessages with tool_calls that do not have a corresponding ToolMessage.',
  },
  repair: (found) => {
    const failed = failedCallOf(found);
    if (failed !== undefined) return restoreCall(found, failed);
    const { anchor = 0, order = 0 } = found.fact;
    const result = resultOf(found, found.fact);
    const call = callOf(found, otherOf(found));
    const taken = found.profile.sharedIds === true && found.callsNear(otherOf(found).message).has(result.callId);
    const exact = result.callId === call.callId;
    if (namesOtherTool(result, call) || taken || found.policy.orphanResult === 'remove') {
      return quoteOrRemove(found, 'no call with that id comes before it');
    }
    // The call under its id may be one to a tool of another kind, whose result it cannot be either.
    const named = !exact && result.callId !== '' && found.callsOfStep(otherOf(found).message).has(result.callId);
    if (named || (!exact && !found.joinsByPosition(otherOf(found).message))) {
      return quoteOrRemove(found, 'an id in the history shows that the order cannot be trusted');
    }
    // Calls that share an id are told apart first.
    if (isRepeated(found, otherOf(found).message, call)) return undefined;
    const callId = sentId(call, found.profile);
    const answer = retyped(result, call);
    if (answer === undefined) return quoteOrRemove(found, 'the call of that id wants another kind of result');
    const tool = result.tool === UNNAMED && call.tool !== '' ? { tool: call.tool } : {};
    const how = exact ? 'in its place' : 'by its position alone';
    const renamed = { ...answer, ...tool, callId, edited: true };
    return {
      edits: [dropPart(placeOf(found)), { kind: 'answer', message: anchor, order, result: renamed }],
      action: 'relink',
      // The content is real, but only the order says whose result it is.
      loss: exact ? 'none' : 'synthetic',
      note: `gave ${spokenOf('result', result.callId)} the id of the open call ${callId} ${how}`,
    };
  },
};

/** Where ids are optional, only a call that has one asks for it again; where they are ignored, none does. */
function lacksId(found: Case): boolean {
  const { message } = otherOf(found);
  const { callId } = callOf(found, otherOf(found));
  return found.profile.resultIds === true && !isNameId(callId) && !found.resultsAfter(message).has(callId);
}
