import { idText } from '../model/call-id.ts';
import { dropPart, replacePart, type Edit, type Proposal } from '../model/edit.ts';
import type { Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { resultOf, partOf, placeOf, spokenOf, wireOf } from './remedies/place.ts';

type Places = readonly { readonly message: number; readonly part: number }[];

/** A retry prompt answers its call in the eyes of a provider, but nothing came of the call. */
export const retryWithoutReturn: Rule = {
  id: 'retry-without-return',
  title: 'a call was answered by a retry prompt',
  layer: 'pair',
  severity: 'wasteful',
  loss: 'lossy',
  evidence: { 'pydantic-ai': ['py-repair'] },
  trigger: 'retry-prompt',
  summary:
    'A tool refused its arguments and the model was asked to try again. Such a history is sound: the retry ' +
    'prompt is an error result of its call. Only the discard policy does not count it as a return: the call ' +
    'and all that carries its id go together. Where a real return stands beside the retry prompt, the retry ' +
    'prompt alone goes. A retry prompt that names no tool is text of the user; under the discard policy it goes as ' +
    'well where its call has no result.',
  detect: (found) => (isAnswer(found) || found.policy.retryPrompt === 'prune') && callsOf(found).length > 0,
  explain: (found) => `${spokenOf('call', idOf(found))} was answered by a retry prompt`,
  repair: (found) => {
    if (found.policy.retryPrompt !== 'prune') return undefined;
    const results = found.resultsAfter(stepBefore(found)).get(idOf(found));
    // One that is a result is among these itself.
    if (results === undefined) return pruneText(found);
    if (!isAnswer(found)) return undefined;
    const real = results.find((place) => !isRetry(resultOf(found, place)));
    return real === undefined ? pruneAll(found, results) : pruneRetry(found, real);
  },
};

/** The last message of the step that the retry prompt answers; -1 where there is none. */
function stepBefore(found: Case): number {
  let index = found.fact.message;
  while (index >= 0 && found.message(index).role !== 'assistant') index -= 1;
  return index;
}

/** False for a retry prompt that names no tool: to a provider it is said by the user. */
function isAnswer(found: Case): boolean {
  return partOf(found).kind === 'result';
}

function idOf(found: Case): string {
  const wire = wireOf(partOf(found));
  const id = wire['tool_call_id'] ?? wire['toolCallId'];
  return idText(id) ?? '';
}

/** The calls of that step which carry the id of the retry prompt. */
function callsOf(found: Case): Places {
  const callId = idOf(found);
  const last = stepBefore(found);
  if (last < 0 || !found.callsNear(last).has(callId)) return [];
  const places: { message: number; part: number }[] = [];
  for (let message = last; message >= 0 && found.message(message).role === 'assistant'; message -= 1) {
    found.message(message).parts.forEach((each, part) => {
      if (each.kind === 'call' && !each.server && each.callId === callId) places.push({ message, part });
    });
  }
  return places;
}

/** True for a result that only asks the model to try again. */
export function isRetry(part: Part): boolean {
  const wire = wireOf(part);
  return (wire['part_kind'] ?? wire['partKind']) === 'retry-prompt';
}

/** Its call is open, and goes by the rule for those. */
function pruneText(found: Case): Proposal {
  const note = `removed the retry prompt of ${spokenOf('call', idOf(found))}, which never had a return`;
  return { edits: [dropPart(placeOf(found))], action: 'drop', loss: 'lossy', note };
}

function pruneAll(found: Case, results: Places): Proposal {
  const callId = idOf(found);
  return {
    edits: [...callsOf(found), ...results].map(dropPart),
    action: 'drop',
    loss: 'lossy',
    note: `removed ${spokenOf('call', callId)} and its retry prompt: it never had a return`,
  };
}

/** The return is put in its own place again, so that no other rule takes it for the copy that has to go. */
function pruneRetry(found: Case, real: Places[number]): Proposal {
  const edits: Edit[] = [dropPart(placeOf(found)), replacePart(real, resultOf(found, real))];
  const note = `removed the retry prompt of ${spokenOf('call', idOf(found))}, which has its return`;
  return { edits, action: 'drop', loss: 'lossy', note };
}
