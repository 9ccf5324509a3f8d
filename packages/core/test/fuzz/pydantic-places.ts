import { prompt, request, response, say } from './pydantic-drafts.ts';
import {
  anyOf,
  insertAnywhere,
  isFields,
  listOf,
  placesOf,
  type Defect,
  type Draft,
  type Fields,
  type Placed,
} from './draft.ts';
import type { Random } from './random.ts';

/** A part with the list and the message it stands in. */
export interface Spot extends Placed {
  readonly part: Fields;
  readonly parts: unknown[];
}

export const returns = ['tool-return', 'retry-prompt'];

export function spotsOf(draft: Draft, kinds: readonly string[]): Spot[] {
  return placesOf(draft, () => true).flatMap((placed) => {
    const parts = listOf(placed.message, 'parts');
    return parts
      .filter(isFields)
      .filter((part) => kinds.includes(String(part['part_kind'])))
      .map((part) => ({ ...placed, part, parts }));
  });
}

export const onPart =
  (kinds: readonly string[], change: (spot: Spot, draft: Draft, random: Random) => boolean | void): Defect['plant'] =>
  (draft, random) => {
    const spot = anyOf(random, spotsOf(draft, kinds));
    return spot !== undefined && change(spot, draft, random) !== false;
  };

export const onCall = onPart.bind(undefined, ['tool-call']);
export const onReturn = onPart.bind(undefined, returns);

export const inserting =
  (make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    insertAnywhere(draft, random, structuredClone(make(draft, random)));
    return true;
  };

/** Inserts a message where it stands between no call and its returns. */
export const insertingBetweenSteps =
  (make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    const free = [...draft.messages.keys()].filter((index) => {
      const next = draft.messages[index];
      return (
        isFields(next) &&
        !listOf(next, 'parts').some((part) => isFields(part) && returns.includes(String(part['part_kind'])))
      );
    });
    const at = anyOf(random, free);
    if (at !== undefined) draft.messages.splice(at, 0, structuredClone(make(draft, random)));
    return at !== undefined;
  };

export function takeOut(draft: Draft, spot: Spot): void {
  spot.parts.splice(spot.parts.indexOf(spot.part), 1);
  if (spot.parts.length === 0) draft.messages.splice(draft.messages.indexOf(spot.message), 1);
}

export const answersOf = (draft: Draft, ids: readonly unknown[]): Spot[] =>
  spotsOf(draft, returns).filter(({ part }) => ids.includes(part['tool_call_id']));

export const batchOf = (spot: Spot): unknown[] =>
  spot.parts
    .filter(isFields)
    .filter((part) => part['part_kind'] === 'tool-call')
    .map((part) => part['tool_call_id']);

/** Moves a part into a request that a later response separates from where it stood. */
export function displace(draft: Draft, spot: Spot, random: Random): void {
  spot.parts.splice(spot.parts.indexOf(spot.part), 1);
  if (spot.parts.length === 0) spot.parts.push(prompt(draft, random));
  const later = placesOf(draft, (message) => message['kind'] === 'response').filter(({ index }) => index > spot.index);
  const behind = anyOf(random, later);
  if (behind) draft.messages.splice(behind.index + 1, 0, request([spot.part]));
  else draft.messages.push(response([say(draft)]), request([spot.part]));
}

export function rename(draft: Draft, spot: Spot, id: unknown): void {
  const answered = answersOf(draft, [spot.part['tool_call_id']])[0];
  spot.part['tool_call_id'] = id;
  if (answered) answered.part['tool_call_id'] = id;
}
