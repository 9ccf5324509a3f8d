import { dropPart, replacePart, type Proposal } from '../model/edit.ts';
import type { ResultPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isPlaceholder } from '../model/synthetic.ts';
import { resultOf, otherOf, placeOf, resultPlaces, spokenOf } from './remedies/place.ts';
import { dropInvented, quoteInPlace, quoteResult, quoteOrRemove } from './remedies/quote.ts';
import { RESPONSE_COUNT, RESPONSE_TURN } from './refusals/provider-words.ts';

/** A provider refuses a second result for one call. */
export const duplicateResult: Rule = {
  id: 'duplicate-result',
  title: 'a call is answered twice',
  layer: 'pair',
  severity: 'rejected',
  severityIn: { 'openai-responses': 'degraded', 'openai-agents': 'degraded' },
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-output-dup'],
    'openai-responses': ['or-output-dup'],
    gemini: ['ge-fr-count', 'ge-fr-after'],
    'anthropic-messages': ['an-result-dup', 'an-result-orphan'],
    'openai-chat': ['oc-id-dup', 'oc-tool-orphan', 'ds-dup'],
    'pydantic-ai': ['py-repair'],
    'bedrock-converse': ['br-excess'],
    'ai-sdk-model': ['ai-converters'],
    'mistral-chat': ['mi-ids-v13'],
    langchain: ['oc-tool-orphan'],
  },
  trigger: 'result-again',
  summary:
    'A result was stored twice, for example by a retry. Equal results: one goes. Different ones: the newer ' +
    'answers the call and the older is quoted as text, as long as nothing but the older one lies between ' +
    'them; a copy that turns up later is quoted where it stands, so that what was already sent keeps its ' +
    'bytes.',
  explain: (found) => `${spokenOf('result', resultOf(found, found.fact).callId)} answers a call that has its result`,
  providerError: {
    'mistral-chat': (found) =>
      sameRun(found)
        ? `Duplicate tool call id ${resultOf(found, found.fact).callId} in tool results`
        : `Unexpected tool call id ${resultOf(found, found.fact).callId} in tool results`,
    gemini: (found) => (sameTurn(found) ? RESPONSE_COUNT : RESPONSE_TURN),
    'bedrock-converse': ({ fact }) =>
      `The number of toolResult blocks at messages.${String(fact.message)}.content exceeds the number of toolUse ` +
      'blocks of previous turn.',
    'anthropic-messages': (found) => {
      const { message, part } = found.fact;
      const { callId } = resultOf(found, found.fact);
      if (sameTurn(found)) {
        return (
          `messages.${String(message)}.content.${String(part)}: each tool_use must have a single result. ` +
          `Found multiple \`tool_result\` blocks with id: ${callId}`
        );
      }
      return (
        `messages.${String(message)}.content.${String(part)}: unexpected \`tool_use_id\` found in ` +
        `\`tool_result\` blocks: ${callId}. ` +
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
      );
    },
    deepseek: (found) => (sameRun(found) ? duplicateValue(found) : undefined),
    'openai-chat': (found) =>
      sameRun(found)
        ? duplicateValue(found)
        : "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  },
  repair: (found) => {
    const first = resultOf(found, otherOf(found));
    const again = resultOf(found, found.fact);
    if (sameContent(first, again)) return dropCopy(found, first);
    const note = `removed a second result for ${spokenOf('call', again.callId)}`;
    if (isPlaceholder(again.text)) return dropInvented(placeOf(found), again, note);
    if (found.policy.duplicateResult === 'keep-first') {
      return { edits: [dropPart(placeOf(found))], action: 'drop', loss: 'lossy', note };
    }
    if (farApart(found)) return quoteOrRemove(found, 'its call was answered before');
    if (newerFollows(found)) return quoteOrRemove(found, 'a newer result of its call follows');
    return keepLast(found, first, again);
  },
};

function duplicateValue(found: Case): string {
  const { callId } = resultOf(found, found.fact);
  return `Duplicate value for 'tool_call_id' of ${callId} in message[${String(found.fact.message)}]`;
}

/** Another result of the same call stands later in the same message. */
function newerFollows(found: Case): boolean {
  const { message, part } = placeOf(found);
  const places = resultPlaces(found, otherOf(found).message, resultOf(found, found.fact));
  const last = places.findLastIndex((place) => place.message <= message);
  return places.slice(last).some((place) => place.message === message && place.part > part);
}

/** In the input, not in what earlier passes have made of it: only then does the choice hold when messages are added. */
function farApart(found: Case): boolean {
  return found.message(found.fact.message).at - found.message(otherOf(found).message).at > 1;
}

/** Nothing but results lies between the two. */
function sameRun(found: Case): boolean {
  const { message } = found.fact;
  for (let i = otherOf(found).message; i <= message; i += 1) if (found.message(i).role !== 'tool') return false;
  return true;
}

/** No assistant message lies between the two results. */
function sameTurn(found: Case): boolean {
  const { message } = found.fact;
  for (let i = otherOf(found).message + 1; i <= message; i += 1) {
    if (found.message(i).role === 'assistant') return false;
  }
  return true;
}

function sameContent(a: ResultPart, b: ResultPart): boolean {
  return a.text === b.text && a.outcome === b.outcome && a.characters === b.characters;
}

/** The content is still there once, so nothing of it is lost. */
function dropCopy(found: Case, first: ResultPart): Proposal {
  return {
    edits: [{ ...dropPart(placeOf(found)), elsewhere: first.characters }],
    action: 'drop',
    loss: 'none',
    note: `removed a second, equal result for ${spokenOf('call', first.callId)}`,
  };
}

function keepLast(found: Case, first: ResultPart, again: ResultPart): Proposal {
  const { message, part } = placeOf(found);
  const other = otherOf(found);
  const note = `kept the newer of two results for ${spokenOf('call', first.callId)} and quoted the older`;
  const quote = quoteResult(first);
  return {
    edits: [replacePart(other, again), quoteInPlace(found, { message, part, from: other.message }, quote)],
    action: 'demote',
    loss: 'none',
    note,
  };
}
