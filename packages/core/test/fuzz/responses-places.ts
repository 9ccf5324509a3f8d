import type { Change, Draft, Fields, Make, Placed, Plant } from './draft.ts';
import { gapsOf, insertingAt, isFields, onOne, placesOf } from './draft.ts';
import { outputType } from './responses-drafts.ts';
import type { Random } from './random.ts';

export const isCall = ({ type, call_id: id }: Fields): boolean =>
  typeof type === 'string' && type.endsWith('_call') && typeof id === 'string';

export const isFunctionCall = (item: Fields): boolean => item['type'] === 'function_call' && isCall(item);

const isOutput = ({ type }: Fields): boolean => type === 'function_call_output';

/** The outputs of a call. */
export const outputsOf = (draft: Draft, asked: Fields): Placed[] =>
  placesOf(draft, (item) => item['type'] === outputType(asked) && item['call_id'] === asked['call_id']);

export type Spot = Placed & { readonly fields: Fields };

const spotsOf = (draft: Draft, test: (item: Fields) => boolean): Spot[] =>
  placesOf(draft, test).map((placed) => ({ ...placed, fields: placed.message }));

/** Changes an entry that passes a test. */
export const onItem = (test: (item: Fields) => boolean, change: Change<Spot>): Plant =>
  onOne((draft) => spotsOf(draft, test), change);

/** Changes a call that is answered. */
export const onCall = (change: Change<Spot>, test = isFunctionCall): Plant =>
  onOne((draft) => spotsOf(draft, (item) => test(item) && outputsOf(draft, item).length > 0), change);

/** Changes an output of a function whose call comes before it. */
export const onOutput = (change: Change<Spot>): Plant =>
  onOne((draft) => {
    const callOf = (message: Fields): number =>
      draft.messages.findIndex(
        (item) => isFields(item) && isFunctionCall(item) && item['call_id'] === message['call_id'],
      );
    const isAnswer = ({ index, message }: Spot): boolean => callOf(message) >= 0 && callOf(message) < index;
    return spotsOf(draft, isOutput).filter(isAnswer);
  }, change);

/** Inserts an entry where it parts no reasoning from what came of it. */
export const inserting = (make: Make): Plant =>
  insertingAt((draft) => gapsOf(draft).filter((index) => !isReasoning(draft.messages[index - 1])), make);

export const isReasoning = (item: unknown): boolean => isFields(item) && item['type'] === 'reasoning';

/** Gives a call and its outputs another id. */
export function rename(draft: Draft, { message }: Placed, id: unknown): void {
  for (const { message: found } of outputsOf(draft, message)) found['call_id'] = id;
  message['call_id'] = id;
}

/** Moves an entry to a random later place. */
export function displace(draft: Draft, { index, message }: Placed, random: Random): void {
  draft.messages.splice(index, 1);
  const later = gapsOf(draft).filter((at) => at >= index && !isReasoning(draft.messages[at - 1]));
  draft.messages.splice(later.length === 0 ? index : random.pick(later), 0, message);
}
