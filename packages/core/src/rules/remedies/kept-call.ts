import type { Case } from '../../model/rule.ts';
import { wireOf } from './place.ts';
import { isReference } from './response-items.ts';

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
export function isCallKept(found: Case): boolean {
  const { message } = found.fact;
  const ids = IDS.get(wireOf(found.message(message))['type']);
  if (ids === undefined) return false;
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
