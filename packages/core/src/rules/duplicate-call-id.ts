import { repeatedId } from '../model/call-id.ts';
import { replacePart, type Edit, type Proposal } from '../model/edit.ts';
import { pairKey, type CallPart, type Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { withKeys } from '../model/value.ts';
import { SharedId } from '../pairs/shared-id.ts';
import { callOf, resultOf, toolKey, otherOf, resultPlaces } from './remedies/place.ts';
import { isStoredTwice } from './remedies/response-items.ts';

/** A provider refuses two calls with one id in a step. Using an id again in a later step is legal. */
export const duplicateCallId: Rule = {
  id: 'duplicate-call-id',
  title: 'two calls of one step share an id',
  layer: 'pair',
  severity: 'rejected',
  severityIn: { 'openai-responses': 'degraded', 'openai-agents': 'degraded' },
  loss: 'none',
  evidence: {
    'openai-agents': ['or-call-answered'],
    'openai-responses': ['or-call-answered'],
    'anthropic-messages': ['an-id-unique'],
    'openai-chat': ['oc-id-dup', 'ds-dup'],
    'pydantic-ai': ['py-repair'],
    'bedrock-converse': ['br-dup'],
    'ai-sdk-model': ['ai-converters'],
    'mistral-chat': ['mi-ids-v13'],
    'ai-sdk-ui': ['ai-converters'],
    langchain: ['an-id-unique'],
  },
  trigger: 'call-id-again',
  summary:
    'Some models number their calls and begin again at zero, or a stream was recorded twice. The second ' +
    'call gets a new id, and so does the second result: results belong to calls of the same id in order, unless they ' +
    'name their tool and it is that of another of these calls.',
  explain: (found) => `call id ${callOf(found, found.fact).callId} is used twice in one step`,
  providerError: {
    'mistral-chat': (found) => `Duplicate tool call id ${callOf(found, found.fact).callId} in assistant message`,
    'bedrock-converse': (found) => {
      const { callId } = callOf(found, found.fact);
      return `The toolUse blocks at messages.${String(found.fact.message)}.content contain duplicate Ids: ${callId}`;
    },
    'anthropic-messages': (found) =>
      `messages.${String(found.fact.message)}.content.${String(found.fact.part)}: \`tool_use\` ids must be unique`,
    'openai-chat': duplicateValue,
    deepseek: duplicateValue,
  },
  repair,
};

function repair(found: Case): Proposal {
  const { message, part = 0, detail, order = Number(detail) } = found.fact;
  const call = callOf(found, found.fact);
  const callId = repeatedId({ id: call.callId, copy: order + 1 }, found.profile.idMax, found.callsNear(message));
  const twice = isStoredTwice(found);
  const entry = twice ? { ...call, wire: withKeys(call.wire, { id: undefined }) } : call;
  const edits: Edit[] = [replacePart({ message, part }, { ...entry, callId, edited: true })];
  const own = answersOf(found, order);
  for (const at of own) edits.push(replacePart(at, { ...resultOf(found, at), callId, edited: true }));
  const note = `renamed a repeated call ${call.callId} to ${callId}`;
  return {
    edits,
    action: 'rewrite',
    loss: 'none',
    note: twice ? `${note} and removed the id of an earlier entry` : note,
    ...(own.length === 0 ? { renamed: { message, part, from: call.callId, callId } } : {}),
  };
}

function duplicateValue(found: Case): string {
  const { callId } = callOf(found, found.fact);
  return `Duplicate value for 'tool_call_id' of ${callId} in message[${String(found.fact.message)}]`;
}

type Spot = { readonly message: number; readonly part: number };

/** A call that shares its id, by its position among these, and its results. */
type Copy = { readonly order: number; readonly results: Spot[] };

const NONE: readonly Spot[] = [];

/** Where several calls of a step share an id: the results of that id which belong to the one that the fact is about. */
function answersOf(found: Case, order: number): readonly Spot[] {
  const call = callOf(found, found.fact);
  const places = resultPlaces(found, found.fact.message, call);
  if (places.length === 0) return NONE;
  // Many copies are read once.
  const { message, part } = otherOf(found);
  const copies = found.note(`copies ${String(message)}.${String(part)}`, () => share(found, places, call));
  return copies.slice(order, order + 1).flatMap(({ results }) => results);
}

function share(found: Case, places: readonly Spot[], call: CallPart): readonly Copy[] {
  const { message, part } = otherOf(found);
  const shared = new SharedId<Copy>(({ results }) => results.length === 0);
  const end = found.profile.step === 'message' ? message + 1 : found.count;
  const collect = (each: Part): void => {
    if (each.kind !== 'call' || each.server || pairKey(each) !== pairKey(call)) return;
    shared.add({ order: shared.all.list.length, results: [] }, toolKey(each.tool));
  };
  found.message(message).parts.slice(part).forEach(collect);
  for (let i = message + 1; i < end && found.message(i).role === 'assistant'; i += 1) {
    found.message(i).parts.forEach(collect);
  }
  for (const at of places) shared.find(toolKey(resultOf(found, at).tool))?.results.push(at);
  return shared.all.list;
}
