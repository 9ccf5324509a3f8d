import { before, decode, fromTurn, lastTurns, page } from '@rethread/core';

import { Unreadable } from '../unreadable.ts';
import type { OpenedList } from './open-list.ts';

/** Which part of a list is wanted; exactly one of the first four is given. */
export interface Wish {
  readonly last?: number;
  readonly from?: number;
  readonly before?: number;
  /** Where the page begins; true means at the beginning of the list. */
  readonly page?: number | true;
  readonly min?: number;
}

/** A part of a list, and which messages of the whole it holds. */
export interface Taken {
  readonly output: unknown;
  readonly from: number;
  readonly to: number;
  readonly of: number;
  /** Where the next page begins. */
  readonly next?: number;
}

export const wishes = ['last', 'from', 'before', 'page'] as const;

const usualPage = 50;

/** Takes a part of what a file holds, divided at cuts alone. */
export function take({ value, target }: OpenedList, wish: Wish): Taken {
  const count = (part: unknown): number => decode(part, target.dialect)?.messages.length ?? 0;
  if (decode(value, target.dialect) === undefined)
    throw new Unreadable(`holds no list of messages in ${target.dialect}`);
  const of = count(value);
  const toEnd = (output: unknown): Taken => ({ output, from: of - count(output), to: of, of });
  if (wish.last !== undefined) return toEnd(lastTurns(value, wish.last, target));
  if (wish.from !== undefined) return toEnd(fromTurn(value, wish.from, target));
  if (wish.before !== undefined) {
    const output = before(value, wish.before, target);
    return { output, from: 0, to: count(output), of };
  }
  const after = typeof wish.page === 'number' ? wish.page : 0;
  const { messages, next } = page(value, { after, minMessages: wish.min ?? usualPage, target });
  const to = next ?? of;
  return { output: messages, from: to - count(messages), to, of, ...(next === undefined ? {} : { next }) };
}
