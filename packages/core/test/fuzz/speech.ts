import type { Dialect } from '../../src/index.ts';
import { anyOf, freshText, isFields, type Defect, type Draft, type Fields } from './draft.ts';
import type { Random } from './random.ts';

/** A call where it stands. */
export interface CallSpot {
  /** Index of its message. */
  readonly index: number;
  readonly call: Fields;
  /** Puts another call of the same step behind it. */
  add(other: Fields): void;
}

/** A result where it stands. */
export interface ResultSpot {
  readonly index: number;
  readonly result: Fields;
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

type Planting<Spot> = (spot: Spot, draft: Draft, random: Random) => boolean | void;

export const onCall =
  (speech: Speech, change: Planting<CallSpot>): Defect['plant'] =>
  (draft, random) => {
    const spot = anyOf(random, speech.calls(draft));
    return spot !== undefined && change(spot, draft, random) !== false;
  };

export const onResult =
  (speech: Speech, change: Planting<ResultSpot>): Defect['plant'] =>
  (draft, random) => {
    const spot = anyOf(random, speech.results(draft));
    return spot !== undefined && change(spot, draft, random) !== false;
  };

export const inserting =
  (make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    const at = random.between(Math.min(1, draft.messages.length), draft.messages.length);
    draft.messages.splice(at, 0, structuredClone(make(draft, random)));
    return true;
  };

/** Instructions come first wherever a model asks for that. */
const isSystem = (message: unknown): boolean =>
  isFields(message) && (message['role'] === 'system' || message['type'] === 'system');

/** Inserts a message where it stands between no call and its results. */
export const insertingBetweenSteps =
  (speech: Speech, make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    const within = new Set(speech.calls(draft).map(({ index }) => index + 1));
    const free = [...draft.messages.keys(), draft.messages.length].filter(
      (index) => !speech.isResult(draft.messages[index]) && !within.has(index) && !isSystem(draft.messages[index]),
    );
    const at = anyOf(random, free);
    if (at === undefined) return false;
    draft.messages.splice(at, 0, structuredClone(make(draft, random)));
    return true;
  };

export function rename(speech: Speech, draft: Draft, { spot: { call }, id }: { spot: CallSpot; id: unknown }): void {
  const before = call[speech.callId];
  const answered = speech.results(draft).find(({ result }) => result[speech.resultId] === before);
  call[speech.callId] = id;
  if (answered) answered.result[speech.resultId] = id;
}

/** Takes a result out of its place and puts it behind a later message that is no result. */
export function displace(speech: Speech, draft: Draft, moving: { spot: ResultSpot; random: Random }): void {
  const { spot, random } = moving;
  const id = spot.result[speech.resultId];
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
