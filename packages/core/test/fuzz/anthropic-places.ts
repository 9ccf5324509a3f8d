import type { Change, Draft, Fields, Placed, Plant } from './draft.ts';
import { isFields, listOf, onOne, placesOf } from './draft.ts';

/** A part with the list it stands in, so that a defect can take it out or put things beside it. */
export interface Spot extends Placed {
  readonly fields: Fields;
  readonly parts: unknown[];
  readonly at: number;
}

/** The content of a message as a list, a plain string being turned into one text part first. */
export function partsOf(message: Fields): unknown[] {
  const content = message['content'];
  if (typeof content === 'string') message['content'] = [{ type: 'text', text: content }];
  return listOf(message, 'content');
}

/** Every part of one type. */
export function spotsOf(draft: Draft, type: string): Spot[] {
  const spots: Spot[] = [];
  for (const placed of placesOf(draft, (message) => Array.isArray(message['content']))) {
    const parts = listOf(placed.message, 'content');
    for (const [at, part] of parts.entries()) {
      if (isFields(part) && part['type'] === type) spots.push({ ...placed, fields: part, parts, at });
    }
  }
  return spots;
}

export const withRole =
  (role: string) =>
  (message: Fields): boolean =>
    message['role'] === role;

/** Takes a part out, and its message too when nothing is left in it. */
export function takeOut(draft: Draft, spot: Spot): void {
  spot.parts.splice(spot.parts.indexOf(spot.fields), 1);
  if (spot.parts.length === 0) draft.messages.splice(draft.messages.indexOf(spot.message), 1);
}

/** The results that answer the calls of one assistant message. */
export function resultsOf(draft: Draft, spot: Spot): Spot[] {
  const ids = new Set(spot.parts.filter(isFields).map((part) => part['id']));
  return spotsOf(draft, 'tool_result').filter((found) => ids.has(found.fields['tool_use_id']));
}

/** The result of one call. */
export const resultOf = (draft: Draft, id: unknown): Spot | undefined =>
  spotsOf(draft, 'tool_result').find((spot) => spot.fields['tool_use_id'] === id);

/** Puts a part in front of the calls of an assistant message, where any other part is legal. */
export function putBeforeCalls(message: Fields, part: Fields): void {
  const parts = partsOf(message);
  const first = parts.findIndex((found) => isFields(found) && found['type'] === 'tool_use');
  parts.splice(first < 0 ? parts.length : first, 0, part);
}

/** Changes one part of a type. */
export const onPart = (type: string, change: Change<Spot>): Plant => onOne((draft) => spotsOf(draft, type), change);
