import { anyOf, isFields, listOf, placesOf, type Draft, type Fields, type Placed } from './draft.ts';
import type { Random } from './random.ts';

/** A part with the list it stands in, so that a defect can take it out or put things beside it. */
export interface Spot extends Placed {
  readonly part: Fields;
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
      if (isFields(part) && part['type'] === type) spots.push({ ...placed, part, parts, at });
    }
  }
  return spots;
}

export const anySpot = (draft: Draft, random: Random, type: string): Spot | undefined =>
  anyOf(random, spotsOf(draft, type));

export const withRole =
  (role: string) =>
  (message: Fields): boolean =>
    message['role'] === role;

/** Takes a part out, and its message too when nothing is left in it. */
export function takeOut(draft: Draft, spot: Spot): void {
  spot.parts.splice(spot.parts.indexOf(spot.part), 1);
  if (spot.parts.length === 0) draft.messages.splice(draft.messages.indexOf(spot.message), 1);
}

/** The results that answer the calls of one assistant message. */
export function resultsOf(draft: Draft, spot: Spot): Spot[] {
  const ids = new Set(spot.parts.filter(isFields).map((part) => part['id']));
  return spotsOf(draft, 'tool_result').filter((found) => ids.has(found.part['tool_use_id']));
}

/** The result of one call. */
export const resultOf = (draft: Draft, id: unknown): Spot | undefined =>
  spotsOf(draft, 'tool_result').find((spot) => spot.part['tool_use_id'] === id);

/** Puts a part in front of the calls of an assistant message, where any other part is legal. */
export function putBeforeCalls(message: Fields, part: Fields): void {
  const parts = partsOf(message);
  const first = parts.findIndex((found) => isFields(found) && found['type'] === 'tool_use');
  parts.splice(first < 0 ? parts.length : first, 0, part);
}
