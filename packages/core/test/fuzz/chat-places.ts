import {
  anyOf,
  freshText,
  insertAnywhere,
  isFields,
  listOf,
  placesOf,
  type Defect,
  type Draft,
  type Fields,
} from './draft.ts';
import type { Random } from './random.ts';

/** A call with the list and the message it stands in. */
export interface CallSpot {
  readonly index: number;
  readonly message: Fields;
  readonly calls: unknown[];
  readonly call: Fields;
}

export const isCalling = (message: Fields): boolean =>
  message['role'] === 'assistant' && listOf(message, 'tool_calls').length > 0;
export const isResult = (message: Fields): boolean => message['role'] === 'tool';

/** Runs a change on a random call. */
export const onCall =
  (change: (spot: CallSpot, draft: Draft, random: Random) => boolean | void): Defect['plant'] =>
  (draft, random) => {
    const placed = anyOf(random, placesOf(draft, isCalling));
    const calls = listOf(placed?.message, 'tool_calls');
    const found = anyOf(random, calls.filter(isFields));
    return (
      placed !== undefined && found !== undefined && change({ ...placed, calls, call: found }, draft, random) !== false
    );
  };

/** Runs a change on a random result, given with its place. */
export const onResult =
  (change: (message: Fields, draft: Draft, context: { index: number; random: Random }) => void): Defect['plant'] =>
  (draft, random) => {
    const found = anyOf(random, placesOf(draft, isResult));
    if (found) change(found.message, draft, { index: found.index, random });
    return found !== undefined;
  };

export const inserting =
  (make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    insertAnywhere(draft, random, structuredClone(make(draft, random)));
    return true;
  };

/** Inserts a message where it stands between no call and its results. */
export const insertingBetweenSteps =
  (make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    const free = [...draft.messages.keys(), draft.messages.length].filter((index) => {
      const next = draft.messages[index];
      return !isFields(next) || next['role'] !== 'tool';
    });
    draft.messages.splice(random.pick(free), 0, structuredClone(make(draft, random)));
    return true;
  };

export const answersOf = (draft: Draft, calls: unknown[]): Fields[] => {
  const ids = new Set(calls.filter(isFields).map((asked) => asked['id']));
  return placesOf(draft, isResult)
    .map(({ message }) => message)
    .filter((message) => ids.has(message['tool_call_id']));
};

export const remove = (draft: Draft, message: unknown): void =>
  void draft.messages.splice(draft.messages.indexOf(message), 1);

/** Takes a result out of its run and puts it behind a later message that is no result. */
export function displace(draft: Draft, message: Fields, random: Random): void {
  const from = draft.messages.indexOf(message);
  const later = placesOf(draft, (found) => !isResult(found)).filter(({ index }) => index > from);
  const behind = anyOf(random, later)?.message;
  remove(draft, message);
  if (behind) draft.messages.splice(draft.messages.indexOf(behind) + 1, 0, message);
  else draft.messages.push({ role: 'user', content: freshText(draft, 'go on') }, message);
}

export function rename(draft: Draft, spot: CallSpot, id: unknown): void {
  const answered = answersOf(draft, [spot.call])[0];
  spot.call['id'] = id;
  if (answered) answered['tool_call_id'] = id;
}

export const functionOf = (spot: CallSpot): Fields => {
  const inner = spot.call['function'] ?? spot.call['custom'];
  return isFields(inner) ? inner : {};
};
