import type { Change, Draft, Fields, Placed, Plant } from './draft.ts';
import { isFields, listOf, onOne, placesOf } from './draft.ts';
import { innerOf } from './gemini-drafts.ts';

/** A part with the list it stands in, so that a defect can take it out or put things beside it. */
export interface Spot extends Placed {
  readonly part: Fields;
  readonly fields: Fields;
  readonly parts: unknown[];
  readonly at: number;
}

export type Kind = 'call' | 'result' | 'text' | 'signed';

const isCall = (part: Fields): boolean => isFields(part['functionCall'] ?? part['function_call']);
const isResult = (part: Fields): boolean => isFields(part['functionResponse'] ?? part['function_response']);
const isSigned = (part: Fields): boolean => 'thoughtSignature' in part || 'thought_signature' in part;

const tests: Readonly<Record<Kind, (part: Fields) => boolean>> = {
  call: isCall,
  result: isResult,
  text: (part) => typeof part['text'] === 'string',
  signed: isSigned,
};

export const hasCalls = (message: Fields): boolean => listOf(message, 'parts').filter(isFields).some(isCall);
export const hasResults = (message: Fields): boolean => listOf(message, 'parts').filter(isFields).some(isResult);
export const isModel = (message: Fields): boolean => message['role'] === 'model';
export const isUser = (message: Fields): boolean => message['role'] === 'user';

/** Every part of one kind. */
export function spotsOf(draft: Draft, kind: Kind): Spot[] {
  const spots: Spot[] = [];
  for (const placed of placesOf(draft, (message) => Array.isArray(message['parts']))) {
    const parts = listOf(placed.message, 'parts');
    for (const [at, part] of parts.entries()) {
      if (isFields(part) && tests[kind](part)) spots.push({ ...placed, part, fields: innerOf(part), parts, at });
    }
  }
  return spots;
}

/** Changes one part of a kind. */
export const onPart = (kind: Kind, change: Change<Spot>): Plant => onOne((draft) => spotsOf(draft, kind), change);

/** Takes a part out, and its content too when nothing is left in it. */
export function takeOut(draft: Draft, { parts, part, message }: Spot): void {
  parts.splice(parts.indexOf(part), 1);
  if (parts.length === 0) draft.messages.splice(draft.messages.indexOf(message), 1);
}

/** The calls of the step that holds a call, and the results that answer it, as they stand. */
export function stepOf(draft: Draft, { index }: Placed): { calls: Spot[]; results: Spot[]; end: number } {
  const at = (place: number): Fields => {
    const message = draft.messages[place];
    return isFields(message) ? message : {};
  };
  let first = index;
  while (first > 0 && isModel(at(first - 1)) && hasCalls(at(first - 1))) first -= 1;
  let end = index + 1;
  while (isModel(at(end)) && hasCalls(at(end))) end += 1;
  const answered = end;
  while (hasResults(at(end))) end += 1;
  const calls = spotsOf(draft, 'call').filter((spot) => spot.index >= first && spot.index < answered);
  const results = spotsOf(draft, 'result').filter((spot) => spot.index >= answered && spot.index < end);
  return { calls, results, end };
}

/** Sets the key of a part that holds its signature, in the spelling it has; undefined takes it away. */
export function setSignature(part: Fields, signature: unknown): void {
  const key = 'thought_signature' in part || 'function_call' in part ? 'thought_signature' : 'thoughtSignature';
  if (signature === undefined) delete part[key];
  else part[key] = signature;
}
