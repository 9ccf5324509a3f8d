import type { Change, Draft, Fields, Make, Placed, Plant } from './draft.ts';
import { anyOf, insertingAt, isFields, listOf, onOne, placesOf } from './draft.ts';
import { prompt, request, response, say } from './pydantic-drafts.ts';
import type { Random } from './random.ts';

/** A part with the list and the message it stands in. */
export interface Spot extends Placed {
  readonly fields: Fields;
  readonly parts: unknown[];
}

export const returns = ['tool-return', 'retry-prompt'];

export function spotsOf(draft: Draft, kinds: readonly string[]): Spot[] {
  return placesOf(draft, () => true).flatMap((placed) => {
    const parts = listOf(placed.message, 'parts');
    return parts
      .filter(isFields)
      .filter((part) => kinds.includes(String(part['part_kind'])))
      .map((fields) => ({ ...placed, fields, parts }));
  });
}

export const onPart = (kinds: readonly string[], change: Change<Spot>): Plant =>
  onOne((draft) => spotsOf(draft, kinds), change);

export const onCall = onPart.bind(undefined, ['tool-call']);
export const onReturn = onPart.bind(undefined, returns);

/** Inserts a message where it stands between no call and its returns. */
export const insertingBetweenSteps = (make: Make): Plant =>
  insertingAt((draft) => {
    const isReturn = (part: unknown): boolean => isFields(part) && returns.includes(String(part['part_kind']));
    return placesOf(draft, (message) => !listOf(message, 'parts').some(isReturn)).map(({ index }) => index);
  }, make);

export function takeOut(draft: Draft, spot: Spot): void {
  spot.parts.splice(spot.parts.indexOf(spot.fields), 1);
  if (spot.parts.length === 0) draft.messages.splice(draft.messages.indexOf(spot.message), 1);
}

export const answersOf = (draft: Draft, ids: readonly unknown[]): Spot[] =>
  spotsOf(draft, returns).filter(({ fields: part }) => ids.includes(part['tool_call_id']));

export const batchOf = (spot: Spot): unknown[] =>
  spot.parts
    .filter(isFields)
    .filter((part) => part['part_kind'] === 'tool-call')
    .map((part) => part['tool_call_id']);

/** Moves a part into a request that a later response separates from where it stood. */
export function displace(draft: Draft, spot: Spot, random: Random): void {
  spot.parts.splice(spot.parts.indexOf(spot.fields), 1);
  if (spot.parts.length === 0) spot.parts.push(prompt(draft, random));
  const later = placesOf(draft, (message) => message['kind'] === 'response').filter(({ index }) => index > spot.index);
  const behind = anyOf(random, later);
  if (behind) draft.messages.splice(behind.index + 1, 0, request([spot.fields]));
  else draft.messages.push(response([say(draft)]), request([spot.fields]));
}

export function rename(draft: Draft, spot: Spot, id: unknown): void {
  const answered = answersOf(draft, [spot.fields['tool_call_id']])[0];
  spot.fields['tool_call_id'] = id;
  if (answered) answered.fields['tool_call_id'] = id;
}
