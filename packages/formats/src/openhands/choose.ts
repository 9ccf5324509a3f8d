import type { Choice, Kept } from '../pieces/read-pieces.ts';

/** What has to be known of an event to tell whether it is sent, and where. */
export type Mark = {
  readonly id: string | undefined;
  /** The answer that an action is part of. */
  readonly answer?: string | undefined;
  /** Of a condensation: the events that it forgets, by their ids or by a range of numbers. */
  readonly forgets?: ReadonlySet<string>;
  readonly range?: readonly [number, number];
  /** Of a condensation with a summary: where the summary stands among what is left. */
  readonly insertAt?: number;
};

/** Applies the condensations, one after the other. Their summaries stand where each of them says. */
export function choose(kept: readonly Kept<Mark>[]): Choice {
  const absent = new Map<number, 'compacted'>();
  let order: number[] = [];
  for (const [index, { mark, characters, absent: own }] of kept.entries()) {
    if (mark?.forgets === undefined) {
      if (mark !== undefined && characters > 0 && own === undefined) order.push(index);
      continue;
    }
    for (const each of order) if (isForgotten(kept[each]?.mark, mark)) absent.set(each, 'compacted');
    order = order.filter((each) => !absent.has(each));
    if (mark.insertAt !== undefined) order.splice(mark.insertAt, 0, index);
  }
  return { absent, order };
}

function isForgotten(event: Mark | undefined, { forgets, range }: Mark): boolean {
  if (event?.id === undefined) return false;
  const number = Number(event.id);
  return forgets?.has(event.id) === true || (range !== undefined && number >= range[0] && number <= range[1]);
}
