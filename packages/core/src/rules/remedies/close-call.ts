import { replacePart, type Edit, type Proposal } from '../../model/edit.ts';
import type { CallPart, ResultPart } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { resultText } from '../../model/synthetic.ts';
import { fateOf } from './approval.ts';
import { sentId } from '../../model/call-id.ts';
import { placeOf, spokenOf, wireOf } from './place.ts';
import { inventedOutput, isUnclosable } from './response-items.ts';

/** Calls that share their id with none are answered before those that shared it until this round. */
const BEHIND = 2 ** 20;

/** Closes a call that has its id for itself once this round is over. */
export function closeRenamed(found: Case, call: CallPart): Proposal | undefined {
  const callId = found.newId();
  if (callId === undefined || isUnclosable(call) || !isOrderly(found)) return undefined;
  return closeCall(found, { ...call, callId }, BEHIND);
}

/** Steps of more calls than this are not looked through for each open one. */
const FEW = 64;

/** True where nothing else about the step is in doubt: its results belong to its calls and stand in their place. */
function isOrderly(found: Case): boolean {
  const { message, anchor = message } = found.fact;
  const calls = found.callsNear(message);
  const results = found.resultsAfter(message);
  if (calls.size > FEW || results.size > FEW || results.has('')) return false;
  for (const [key, places] of results) {
    if (!calls.has(key) || places.slice(-1).some((at) => at.message > anchor)) return false;
  }
  return true;
}

/** Closes an open call with a result that says what is known of it. */
export function closeCall(found: Case, call: CallPart, behind = 0): Proposal {
  const fate = fateOf(found, call);
  const text = resultText(
    call.callId,
    fate === undefined ? found.evidence : { [call.callId]: fate, ...found.evidence },
  );
  const callId = sentId(call, found.profile);
  const result: ResultPart = {
    kind: 'result',
    callId,
    tool: call.tool,
    outcome: 'interrupted',
    text,
    server: false,
    characters: 0,
    ...withToolset(call, callId, text),
    ...withoutStatus(found, callId, text),
    ...inventedOutput(call, callId, text),
  };
  const { anchor = found.fact.message, order = 0 } = found.fact;
  const edit: Edit =
    found.profile.carrier === 'call'
      ? replacePart(placeOf(found), call, result)
      : { kind: 'answer', message: anchor, order: order + behind, result };
  return {
    edits: [edit],
    action: 'synthesize',
    loss: 'synthetic',
    note: noteOf(spokenOf('call', call.callId), result),
  };
}

/** A search is answered by tools alone, so what is known about it cannot be said in its output. */
function noteOf(call: string, result: ResultPart): string {
  if (wireOf(result)['type'] !== 'tool_search_output') return `inserted an error result for ${call}: ${result.text}`;
  return `inserted an empty list of tools for ${call}, whose output has no place for a text: ${result.text}`;
}

/** A model that takes no word on how a tool ended is told in the text alone. */
function withoutStatus({ profile }: Case, callId: string, text: string): { wire?: unknown } {
  if (profile.resultStatus !== false) return {};
  return { wire: { toolResult: { toolUseId: callId, content: [{ text }] } } };
}

/** A result of a toolset's tool repeats the name of the toolset. */
function withToolset(call: CallPart, callId: string, text: string): { wire?: unknown } {
  const toolset = wireOf(call)['toolset_name'];
  if (typeof toolset !== 'string') return {};
  return {
    wire: { type: 'tool_result', tool_use_id: callId, content: text, is_error: true, toolset_name: toolset },
  };
}
