import { isLegalId, sentId } from '../model/call-id.ts';
import { replacePart, type Proposal } from '../model/edit.ts';
import type { CallPart, ResultPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { callOf, resultOf, callIndex, placeOf, spokenOf } from './remedies/place.ts';

/** What is said of an id that is a text, by dialect. */
const REFUSALS: NonNullable<Rule['providerError']> = {
  'mistral-chat': (found) => `Tool call id was ${named(found).callId} but must be a-z, A-Z, 0-9, with a length of 9.`,
  'openai-responses': (found) => {
    const { callId } = named(found);
    if (callId === '') return undefined;
    return (
      `Invalid 'input[${String(found.fact.message)}].call_id': string too long. Expected a string with maximum ` +
      `length ${String(found.profile.idMax)}, but got a string with length ${String(callId.length)} instead.`
    );
  },
  'anthropic-messages': (found) => {
    const { message, part } = placeOf(found);
    return (
      `messages.${String(message)}.content.${String(part)}.tool_use.id: String should match pattern ` +
      `'^[a-zA-Z0-9_-]+$'`
    );
  },
  'openai-chat': (found) => {
    const { callId } = callOf(found, found.fact);
    if (callId === '') return undefined;
    return (
      `Invalid 'messages[${String(found.fact.message)}].tool_calls[${String(callIndex(found))}].id': ` +
      `string too long. Expected a string with maximum length ${String(found.profile.idMax)}, ` +
      `but got a string with length ${String(callId.length)}`
    );
  },
};

/** Providers restrict the characters and the length of call ids. */
export const callIdMalformed: Rule = {
  id: 'call-id-malformed',
  title: 'a call id that the provider refuses',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: {
    'openai-agents': ['or-callid'],
    'openai-responses': ['or-callid'],
    'anthropic-messages': ['an-id-regex'],
    'openai-chat': ['oc-id-40'],
    'pydantic-ai': ['py-repair'],
    'bedrock-converse': ['br-id'],
    'ai-sdk-model': ['ai-converters'],
    'mistral-chat': ['mi-id9'],
    'ai-sdk-ui': ['ai-converters'],
    langchain: ['an-id-regex', 'oc-id-40'],
  },
  trigger: 'call-id-malformed',
  summary:
    'Other providers write ids like functions.read:0 or make them longer than this one takes, a store may keep ' +
    'them as numbers, and a stopped stream may leave none. The call gets a legal id made from the old one alone, ' +
    'and so does its result, so that the same id is rewritten the same way.',
  explain: (found) => {
    const { kind, callId } = named(found);
    if (isLegal(found)) return `the id of ${kind} ${callId} is no text, or not where the provider looks for it`;
    return `the provider does not take the call id ${JSON.stringify(callId)}`;
  },
  // Of an id that is no text a provider says something else.
  providerError: Object.fromEntries(
    Object.entries(REFUSALS).map(([dialect, say]) => [
      dialect,
      (found: Case) => (isLegal(found) ? undefined : say(found)),
    ]),
  ),
  repair,
};

/** The call, or the result that has to be renamed with its call. */
function named(found: Case): CallPart | ResultPart {
  return found.part()?.kind === 'result' ? resultOf(found, found.fact) : callOf(found, found.fact);
}

/** An id of another type than a text, or under another key, reads like the text that it becomes. */
function isLegal(found: Case): boolean {
  return isLegalId(named(found).callId, found.profile);
}

function repair(found: Case): Proposal {
  const at = placeOf(found);
  const part = named(found);
  const callId = sentId(part, found.profile);
  const before = part.callId === '' ? spokenOf(part.kind, '') : `${part.kind} ${JSON.stringify(part.callId)}`;
  const same = part.callId === callId;
  const note = same ? `wrote the id of ${part.kind} ${callId} as a text` : `renamed ${before} to ${callId}`;
  return { edits: [replacePart(at, { ...part, callId, edited: true })], action: 'rewrite', loss: 'none', note };
}
