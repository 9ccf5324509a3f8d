import { anyOf, isFields, placesOf, type Draft, type Fields, type Placed } from './draft.ts';
import { outputType } from './responses-drafts.ts';
import type { Random } from './random.ts';

type Plant = (draft: Draft, random: Random) => boolean;

export const isCall = ({ type, call_id: id }: Fields): boolean =>
  typeof type === 'string' && type.endsWith('_call') && typeof id === 'string';

export const isFunctionCall = (item: Fields): boolean => item['type'] === 'function_call' && isCall(item);

const isOutput = ({ type }: Fields): boolean => type === 'function_call_output';

/** The outputs of a call. */
export const outputsOf = (draft: Draft, asked: Fields): Placed[] =>
  placesOf(draft, (item) => item['type'] === outputType(asked) && item['call_id'] === asked['call_id']);

/** Does something to a random call that is answered. */
export const onCall =
  (change: (spot: Placed, draft: Draft, random: Random) => boolean | void, test = isFunctionCall): Plant =>
  (draft, random) => {
    const spot = anyOf(
      random,
      placesOf(draft, (item) => test(item) && outputsOf(draft, item).length > 0),
    );
    return spot !== undefined && change(spot, draft, random) !== false;
  };

/** Does something to a random output of a function whose call comes before it. */
export const onOutput =
  (change: (spot: Placed, draft: Draft, random: Random) => boolean | void): Plant =>
  (draft, random) => {
    const spot = anyOf(
      random,
      placesOf(draft, isOutput).filter(({ index, message }) =>
        draft.messages.some(
          (item, at) => at < index && isFields(item) && isFunctionCall(item) && item['call_id'] === message['call_id'],
        ),
      ),
    );
    return spot !== undefined && change(spot, draft, random) !== false;
  };

/** Does something to a random entry that passes a test. */
export const onItem =
  (test: (item: Fields) => boolean, change: (spot: Placed, draft: Draft, random: Random) => boolean | void): Plant =>
  (draft, random) => {
    const spot = anyOf(random, placesOf(draft, test));
    return spot !== undefined && change(spot, draft, random) !== false;
  };

/** Inserts an entry where it parts no reasoning from what came of it. */
export const inserting =
  (make: (draft: Draft, random: Random) => unknown): Plant =>
  (draft, random) => {
    const free = [...draft.messages.keys(), draft.messages.length].filter((index) => {
      const before = draft.messages[index - 1];
      return !(isFields(before) && before['type'] === 'reasoning');
    });
    draft.messages.splice(random.pick(free), 0, make(draft, random));
    return true;
  };

/** Gives a call and its outputs another id. */
export function rename(draft: Draft, { message }: Placed, id: unknown): void {
  for (const { message: found } of outputsOf(draft, message)) found['call_id'] = id;
  message['call_id'] = id;
}

/** Moves an entry to a random later place. */
export function displace(draft: Draft, { index, message }: Placed, random: Random): void {
  draft.messages.splice(index, 1);
  const later = [...draft.messages.keys(), draft.messages.length].filter((at) => {
    const before = draft.messages[at - 1];
    return at >= index && !(isFields(before) && before['type'] === 'reasoning');
  });
  draft.messages.splice(later.length === 0 ? index : random.pick(later), 0, message);
}
