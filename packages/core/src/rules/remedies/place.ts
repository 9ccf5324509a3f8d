import { isNameId, strictName } from '../../model/call-id.ts';
import { pairKey, type CallPart, type Part, type ResultPart, type Place } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { isRecord } from '../../model/value.ts';

/** Stands where the name of a tool was lost. */
export const UNNAMED = 'unknown_tool';

const NOTHING: Part = { kind: 'opaque', characters: 0 };

const NO_CALL: CallPart = { kind: 'call', callId: '', tool: '', input: undefined, server: false, characters: 0 };
const NO_RESULT: ResultPart = {
  kind: 'result',
  callId: '',
  outcome: 'unknown',
  text: '',
  server: false,
  characters: 0,
};

/** The call at a place. */
export function callOf(found: Case, at: Place): CallPart {
  const part = partAt(found, at);
  return part?.kind === 'call' ? part : NO_CALL;
}

/** The result at a place. */
export function resultOf(found: Case, at: Place): ResultPart {
  const part = partAt(found, at);
  return part?.kind === 'result' ? part : NO_RESULT;
}

function partAt(found: Case, { message, part = -1 }: Place): Part | undefined {
  return found.message(message).parts[part];
}

/** Where the fact is; the first part of a message where it names none. */
export function placeOf(found: Case): { message: number; part: number } {
  const { message, part = 0 } = found.fact;
  return { message, part };
}

/** The other end of the fact: the call of a result, or the first of two. */
export function otherOf(found: Case): { readonly message: number; readonly part: number } {
  const { other = { message: 0, part: 0 } } = found.fact;
  return other;
}

/** The part the fact is about. */
export function partOf(found: Case): Part {
  return found.part() ?? NOTHING;
}

/** The fields of a part, or of a message, as they came. */
export function wireOf(source: { readonly wire?: unknown } | undefined): Readonly<Record<string, unknown>> {
  const wire = source?.wire;
  return isRecord(wire) ? wire : {};
}

/** Calls stand in a list of their own in some dialects, behind everything else: the position of a call there. */
export function callIndex(found: Case): number {
  const { message, part } = placeOf(found);
  return part - found.message(message).parts.findIndex((each) => each.kind === 'call');
}

/** Places of the results of a call, or beside a result, between a message and the next step, in order. */
export function resultPlaces(
  found: Case,
  message: number,
  pair: CallPart | ResultPart,
): readonly { message: number; part: number }[] {
  const places = found.resultsAfter(message).get(pairKey(pair)) ?? [];
  const [first] = places;
  // As a rule all of them stand behind it: then it is the same list for everybody who asks, by which it is known again.
  return first === undefined || first.message >= message ? places : places.filter((place) => place.message >= message);
}

/** How a call or a result is spoken of: by its id, or as one that has none. */
export function spokenOf(what: 'call' | 'result', callId: string): string {
  return callId === '' || isNameId(callId) ? `a ${what} without an id` : `${what} ${callId}`;
}

/** True for a result that names a tool, where the call names another; one that lost its name may be any. */
export function namesOtherTool(result: ResultPart, call: CallPart): boolean {
  const { tool = '' } = result;
  if (tool === call.tool || isUnnamed(tool) || isUnnamed(call.tool)) return false;
  // The name of a call may have been put into characters that the provider takes, and that of its result not.
  return strictName(tool) !== strictName(call.tool);
}

/** True for a name that is missing, or stands where one was lost. */
export function isUnnamed(tool: string | undefined): boolean {
  return tool === undefined || tool === '' || tool === UNNAMED;
}

/** A name by which two spellings of one tool are the same; an empty one where the name was lost. */
export function toolKey(tool: string | undefined): string {
  return tool === undefined || isUnnamed(tool) ? '' : strictName(tool);
}
