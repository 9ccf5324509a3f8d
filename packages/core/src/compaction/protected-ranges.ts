import { indexAt } from '../model/index-at.ts';
import { cutsInside, firstFrom, lastUpTo } from './cuts.ts';
import { outline, type Outline } from './outline.ts';
import type { StepContext } from './step.ts';
import { turnSpans, turnsOfUser, type TurnSpan } from './turns.ts';

/** Consecutive messages, from the first up to and excluding the last. */
export type Range = { readonly from: number; readonly to: number };

/** A message that stays as it is: its index, or itself. */
export type Pin = number | object;

/** What a list is made of, for those who take pieces out of it. */
export type Layout = {
  readonly outline: Outline;
  readonly spans: readonly TurnSpan[];
  /** Places inside turns at which a compaction may divide. */
  readonly inside: readonly number[];
  /** Cuts before this place are not all known, because not everything was read. */
  readonly known: number;
};

/** Lays out a list of which nothing has to be read, but for summaries, between its beginning and `from`. */
export function layoutOf(list: readonly unknown[], context: StepContext, from = 0): Layout {
  const noted = outline(list, context, from);
  const spans = turnSpans(noted);
  const known = from === 0 ? 0 : (spans.find((span) => span.from >= from)?.from ?? list.length);
  return { outline: noted, spans, inside: cutsInside(noted), known };
}

/** The places of pinned messages; a pin that is not in the list pins nothing. */
export function pinnedPlaces(list: readonly unknown[], pins: readonly Pin[]): ReadonlySet<number> {
  const places = new Set<number>();
  const objects = new Set<unknown>();
  for (const pin of pins) {
    if (typeof pin === 'number') places.add(pin);
    else objects.add(pin);
  }
  if (objects.size > 0) list.forEach((wire, index) => objects.has(wire) && places.add(index));
  return places;
}

/** Where the newest turn of a person begins, or the newest one at all. */
export function newestTurn({ spans }: Layout): number {
  return (turnsOfUser(spans).at(-1) ?? spans.at(-1))?.from ?? 0;
}

/**
 * What stays whatever is cut: the system's own words at the beginning, what the user asked last, open calls, and what
 * the caller has pinned.
 */
export function protectedRanges(layout: Layout, pins: readonly number[]): readonly Range[] {
  const { outline: noted, spans } = layout;
  const asked = turnsOfUser(spans).at(-1)?.from ?? -1;
  const added = Math.max(noted.authors.lastIndexOf('user'), noted.besideResults);
  const edges = edgesOf(layout);
  const ranges = [...pins, ...noted.open, asked, added]
    .filter((index) => index >= 0 && index < noted.length)
    // The smallest range that holds the message and nothing that belongs to anything outside of it.
    .map((index) => ({ from: lastUpTo(edges, index) ?? 0, to: firstFrom(edges, index + 1) ?? noted.length }));
  return merged([{ from: 0, to: noted.leading }, ...ranges]);
}

/**
 * All places between which something may be kept alone, in order, with both ends of the list: turns, steps, and the
 * place between what was asked and the first answer to it.
 */
function edgesOf({ outline: noted, spans, inside }: Layout): readonly number[] {
  const { length, leading, roles, authors, reaches } = noted;
  const edges = new Set([0, leading, length, ...inside, ...spans.map(({ from }) => from)]);
  let reach = -1;
  for (let i = 0; i < length; i += 1) {
    const asked = i > 0 && roles[i - 1] === 'user' && authors[i - 1] !== 'other';
    if (asked && reach < i && roles[i] === 'assistant') edges.add(i);
    reach = Math.max(reach, indexAt(reaches, i));
  }
  return [...edges].toSorted((a, b) => a - b);
}

function merged(ranges: readonly Range[]): readonly Range[] {
  const ordered = ranges.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from);
  const result: Range[] = [];
  for (const each of ordered) {
    const last = result.at(-1);
    if (last !== undefined && each.from <= last.to) {
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, each.to) };
    } else result.push(each);
  }
  return result;
}
