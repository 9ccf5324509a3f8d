import type { Change, Draft, Fields, Make, Placed, Plant } from './draft.ts';
import { anyOf, freshText, gapsOf, insertingAt, isFields, listOf, onOne, placesOf } from './draft.ts';
import type { Random } from './random.ts';

/** A call with the list and the message it stands in. */
export interface CallSpot extends Placed {
  readonly calls: unknown[];
  readonly fields: Fields;
}

export interface ResultSpot {
  readonly index: number;
  readonly fields: Fields;
}

export const isCalling = (message: Fields): boolean =>
  message['role'] === 'assistant' && listOf(message, 'tool_calls').length > 0;
const isResult = (message: Fields): boolean => message['role'] === 'tool';

const callsIn = (draft: Draft): CallSpot[] =>
  placesOf(draft, isCalling).flatMap((placed) => {
    const calls = listOf(placed.message, 'tool_calls');
    return calls.filter(isFields).map((fields) => ({ ...placed, calls, fields }));
  });

const resultsIn = (draft: Draft): ResultSpot[] =>
  placesOf(draft, isResult).map(({ index, message }) => ({ index, fields: message }));

export const onCall = (change: Change<CallSpot>): Plant => onOne(callsIn, change);
export const onResult = (change: Change<ResultSpot>): Plant => onOne(resultsIn, change);

/** Inserts a message where it is not between a call and its results. */
export const insertingBetweenSteps = (make: Make): Plant =>
  insertingAt((draft) => {
    const results = new Set(resultsIn(draft).map(({ index }) => index));
    return gapsOf(draft).filter((index) => !results.has(index));
  }, make);

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
  const answered = answersOf(draft, [spot.fields])[0];
  spot.fields['id'] = id;
  if (answered) answered['tool_call_id'] = id;
}

export const functionOf = (spot: CallSpot): Fields => {
  const inner = spot.fields['function'] ?? spot.fields['custom'];
  return isFields(inner) ? inner : {};
};
