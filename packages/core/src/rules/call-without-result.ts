import { dropPart, type Proposal } from '../model/edit.ts';
import type { CallPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import {
  isPartialInPlace,
  removeBatchInPlace,
  isRepeated,
  removeBatch,
  quoteStrandedReasoning,
} from './remedies/batch.ts';
import { callOf, spokenOf } from './remedies/place.ts';
import { closeCall, closeRenamed } from './remedies/close-call.ts';
import { isDecided } from './remedies/approval.ts';
import { RESPONSE_COUNT, OPEN_CALL } from './refusals/provider-words.ts';
import { isUnclosable, quoteItem, spokenType } from './remedies/response-items.ts';

/** Findings of a batch longer than this do not repeat the whole batch. */
const LISTED = 64;

/** A provider refuses a history in which a call is never answered. */
export const callWithoutResult: Rule = {
  id: 'call-without-result',
  title: 'a call has no result',
  layer: 'pair',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-call-answered'],
    'openai-responses': ['or-call-answered'],
    gemini: ['ge-fr-count'],
    'anthropic-messages': ['an-tooluse-answered'],
    'openai-chat': ['oc-answered', 'ds-answered', 'qw-answered'],
    'pydantic-ai': ['py-history'],
    'bedrock-converse': ['br-answered'],
    'ai-sdk-model': ['ai-missing-results'],
    'mistral-chat': ['mi-count'],
    'ai-sdk-ui': ['ai-missing-results'],
    langchain: ['lg-invalid'],
  },
  trigger: 'call-open',
  summary:
    'The process died, the user stopped it, or a tool timed out between a call and its result. Every ' +
    'provider refuses the next request. The call is closed with an error result that says what is known: ' +
    'nothing, unless the caller has evidence.',
  // What the history ends with may be the decision that lets the framework itself run the call.
  detect: (found) => !isDecided(found),
  explain: (found) => {
    const call = callOf(found, found.fact);
    return `${spokenOf('call', call.callId)} to ${call.tool || 'no tool'} has no result`;
  },
  providerError: {
    ...OPEN_CALL,
    'mistral-chat': () => 'Not the same number of function calls and responses',
    'openai-responses': missingOutput,
    'openai-agents': missingOutput,
    gemini: () => RESPONSE_COUNT,
    'bedrock-converse': (found) => {
      const next = String(found.fact.message + 1);
      return `Expected toolResult blocks at messages.${next}.content for the following Ids: ${openIds(found)}`;
    },
    'anthropic-messages': (found) =>
      `messages.${String(found.fact.message)}: \`tool_use\` ids were found without \`tool_result\` blocks ` +
      `immediately after: ` +
      `${openIds(found)}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    'openai-chat': (found) =>
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${openIds(found)}`,
    'pydantic-ai': () => 'Cannot provide a new user prompt when the message history contains unprocessed tool calls.',
    'ai-sdk-model': (found) => missingResults(found),
    'ai-sdk-ui': (found) => missingResults(found),
    langchain: () => 'Found AIMessages with tool_calls that do not have a corresponding ToolMessage.',
  },
  repair: (found) => {
    const call = callOf(found, found.fact);
    const { openCall, partialBatch } = found.policy;
    const inPlace = found.profile.carrier === 'call' && partialBatch !== 'close';
    const partial = inPlace ? isPartialInPlace(found) : found.fact.partial;
    const choice = partial ? partialBatch : openCall;
    // A call that shares its id is renamed first, or its result would count as a second one of the other call.
    const apart = found.profile.carrier !== 'call';
    if (choice === 'close' && apart && isRepeated(found, found.fact.message, call)) return closeRenamed(found, call);
    if (choice === 'close' && isUnclosable(call)) return quoteItem(found, 'quoted a call that no text can answer');
    if (choice === 'close') return closeCall(found, call);
    if (choice !== 'remove-batch') return remove(found, call);
    return inPlace ? removeBatchInPlace(found) : removeBatch(found);
  },
};

function missingOutput(found: Case): string {
  const call = callOf(found, found.fact);
  return `No tool output found for ${spokenType(call)} ${call.callId}.`;
}

/** What the AI SDK says of the calls in this message that nothing answers. */
function missingResults(found: Case): string {
  const ids = openIds(found).split(', ');
  const [verb, noun] = ids.length > 1 ? ['s are', 's'] : [' is', ''];
  return `Tool result${verb} missing for tool call${noun} ${ids.join(', ')}.`;
}

/** Ids of the calls in this message that nothing answers, as a provider lists them; of a huge batch only this one. */
function openIds(found: Case): string {
  const ids = found.fact.detail as readonly string[];
  return ids.length > LISTED ? callOf(found, found.fact).callId : [...new Set(ids)].join(', ');
}

function remove(found: Case, call: CallPart): Proposal {
  const { message, part = 0 } = found.fact;
  const thoughts = quoteStrandedReasoning(found, message, message + 1);
  const without = thoughts.length === 0 ? '' : ', and set aside the reasoning that led to it';
  return {
    edits: [dropPart({ message, part }), ...thoughts],
    action: 'drop',
    loss: 'lossy',
    note: `removed ${spokenOf('call', call.callId)} to ${call.tool || 'no tool'}, which has no result${without}`,
  };
}
