import { followParents } from '../follow-parents.ts';
import type { Choice, Kept } from '../pieces/read-pieces.ts';

/** What has to be known of an event to tell whether it is sent, and where. */
export type Mark = {
  readonly id: string | undefined;
  /** The event before it, since conversations have branches. */
  readonly parent?: string | undefined;
  /** The answer that an action is part of. */
  readonly answer?: string | undefined;
  /** Of a condensation: the events that it forgets, by their ids or by a range of numbers. */
  readonly forgets?: ReadonlySet<string>;
  readonly range?: readonly [number, number];
  /** Of a condensation with a summary: where the summary stands among what is left. */
  readonly insertAt?: number;
};

/**
 * Follows the branch that ends at `leaf`, and applies the condensations on it, one after the other. Their summaries
 * stand where each of them says.
 */
export function choose(kept: readonly Kept<Mark>[], leaf: string | undefined): Choice {
  const absent = new Map<number, 'compacted' | 'branch'>();
  const branch = branchTo(kept, leaf);
  let order: number[] = [];
  for (const [index, { mark, characters, absent: own }] of kept.entries()) {
    if (branch !== undefined && !branch.has(index)) {
      absent.set(index, 'branch');
      continue;
    }
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

/** The numbers of the events of a branch; undefined where there are no branches. Older events follow each other. */
function branchTo(kept: readonly Kept<Mark>[], leaf: string | undefined): ReadonlySet<number> | undefined {
  if (!kept.some(({ mark }) => mark?.parent !== undefined)) return undefined;
  const links = kept.map(({ mark }, index) => ({
    id: mark?.id ?? `#${index}`,
    parent: mark?.parent ?? kept[index - 1]?.mark?.id ?? (index === 0 ? undefined : `#${index - 1}`),
    index,
  }));
  const byId = new Map(links.map((link) => [link.id, link]));
  const last = (leaf === undefined ? undefined : byId.get(leaf)) ?? links.at(-1);
  return new Set(followParents(last, byId).path.map(({ index }) => index));
}
