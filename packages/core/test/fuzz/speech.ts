import type { Change, Draft, Fields, Make, Plant } from './draft.ts';
import { anyOf, freshText, gapsOf, insertingAt, isFields, onOne } from './draft.ts';
import type { Dialect } from '../../src/index.ts';
import type { Random } from './random.ts';

/** A call where it stands. */
export interface CallSpot {
  /** Index of its message. */
  readonly index: number;
  readonly fields: Fields;
  /** Puts another call of the same step behind it. */
  add(other: Fields): void;
}

/** A result where it stands. */
export interface ResultSpot {
  readonly index: number;
  readonly fields: Fields;
  /** Takes it out of the list, with its message where that would be empty. */
  remove(): void;
}

/** How a framework puts a conversation down, so that one set of defects can be planted in all of them. */
export interface Speech {
  readonly dialect: Dialect;
  readonly callId: string;
  readonly callName: string;
  readonly resultId: string;
  user(draft: Draft, random: Random): Fields;
  say(draft: Draft, random: Random): Fields;
  /** A call as it stands in its place, and one alone in a message of its own. */
  call(draft: Draft, id?: string): Fields;
  calling(draft: Draft, ...calls: readonly Fields[]): unknown[];
  /** A result in a message of its own. */
  returning(draft: Draft, id: unknown, text?: string): Fields;
  calls(draft: Draft): CallSpot[];
  results(draft: Draft): ResultSpot[];
  isResult(message: unknown): boolean;
  /** The text of a result, to be replaced. */
  setText(result: Fields, text: string): void;
}

export const onCall = (speech: Speech, change: Change<CallSpot>): Plant =>
  onOne((draft) => speech.calls(draft), change);
export const onResult = (speech: Speech, change: Change<ResultSpot>): Plant =>
  onOne((draft) => speech.results(draft), change);

/** Instructions come first wherever a model asks for that. */
const isSystem = (message: unknown): boolean =>
  isFields(message) && (message['role'] === 'system' || message['type'] === 'system');

/** Inserts a message where it is not between a call and its results. */
export const insertingBetweenSteps = (speech: Speech, make: Make): Plant =>
  insertingAt((draft) => {
    const within = new Set(speech.calls(draft).map(({ index }) => index + 1));
    return gapsOf(draft).filter(
      (index) => !speech.isResult(draft.messages[index]) && !within.has(index) && !isSystem(draft.messages[index]),
    );
  }, make);

export function rename(
  speech: Speech,
  draft: Draft,
  { spot: { fields: call }, id }: { spot: CallSpot; id: unknown },
): void {
  const before = call[speech.callId];
  const answered = speech.results(draft).find(({ fields }) => fields[speech.resultId] === before);
  call[speech.callId] = id;
  if (answered) answered.fields[speech.resultId] = id;
}

/** Takes a result out of its place and puts it behind a later message that is no result. */
export function displace(speech: Speech, draft: Draft, moving: { spot: ResultSpot; random: Random }): void {
  const { spot, random } = moving;
  const id = spot.fields[speech.resultId];
  const moved = speech.returning(draft, id, freshText(draft, 'late output'));
  const later = draft.messages.filter((message, index) => index > spot.index && !speech.isResult(message));
  const calling = new Set(speech.calls(draft).map(({ index }) => draft.messages[index]));
  const behind = anyOf(
    random,
    later.filter((message) => !calling.has(message)),
  );
  spot.remove();
  if (behind) draft.messages.splice(draft.messages.indexOf(behind) + 1, 0, moved);
  else draft.messages.push(speech.user(draft, random), moved);
}
