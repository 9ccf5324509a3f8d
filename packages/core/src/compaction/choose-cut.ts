import { indexAt } from '../model/index-at.ts';
import { cutsInside, firstFrom, lastUpTo, turnSpans, turnsOfUser, type TurnSpan } from './cuts.ts';
import { outline, type Outline } from './outline.ts';
import type { MessageTokens, StepContext } from './step.ts';

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
    .map((index) => ({ from: lastUpTo(edges, index, 0), to: firstFrom(edges, index + 1, noted.length) }));
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

/** How much of the end of a list stays as it is: at least this, unless the newest turn alone is too much. */
export type Keep = { readonly minTurns?: number; readonly minMessages?: number };

export type CutWish = {
  readonly list: readonly unknown[];
  readonly layout: Layout;
  readonly tokens: MessageTokens;
  /** What stays before a cut. */
  readonly ranges: readonly Range[];
  readonly budgetTokens: number;
  /** What the summary and the words around it may take, and the least they take. */
  readonly summaryTokens: number;
  readonly leastTokens: number;
  /** What may have to stand between two messages that did not follow one another. */
  readonly fillerTokens: number;
  readonly keep: Keep;
};

/** Where to divide, what stays before that place, and what is left of the budget for the summary. */
export type CutChoice = {
  readonly cut: number;
  readonly inside: boolean;
  readonly ranges: readonly Range[];
  readonly roomTokens: number;
  /** The same without what may have to stand between the pieces. */
  readonly spareTokens: number;
};

/**
 * The cut that leaves the longest tail within the budget. Where even the newest turn is too much, a place inside it is
 * taken, behind a closed pair; the last such place where none is enough. Undefined where there is nothing to divide.
 */
export function chooseCut(wish: CutWish): CutChoice | undefined {
  const { spans, inside, outline } = wish.layout;
  const { minTurns = 1, minMessages = 0 } = wish.keep;
  // What a summary already stands for is not divided again.
  const after = Math.max(outline.leading, (outline.summaries.at(-1) ?? -1) + 1);
  const from = keptFrom(wish.layout, wish.keep);
  const turns = spans.map((span) => span.from).filter((place) => place > after && place <= from);
  const [whole] = choicesAt(turns, false, wish);
  if (whole !== undefined && !(whole.spareTokens < wish.leastTokens)) return longestTail(turns, false, wish);
  const divides = Math.max(1, minTurns) === 1 && minMessages <= 0;
  const places = divides ? inside.filter((place) => place > Math.max(whole?.cut ?? 0, after)) : [];
  return longestTail(places, true, wish) ?? whole;
}

/** Where the end of a list begins that is to stay as it is: the newest turn, and what is to be kept at least. */
export function keptFrom({ spans, outline }: Layout, { minTurns = 1, minMessages = 0 }: Keep): number {
  const spoken = turnsOfUser(spans);
  const first = spoken.at(-Math.min(Math.max(1, Math.ceil(minTurns)), spoken.length))?.from ?? spans.at(-1)?.from ?? 0;
  return Math.min(first, outline.length - Math.max(0, minMessages));
}

/** The choice at the last of some places, or at the earliest before it that leaves room for the whole summary. */
function longestTail(places: readonly number[], inside: boolean, wish: CutWish): CutChoice | undefined {
  let best: CutChoice | undefined;
  for (const choice of choicesAt(places, inside, wish)) {
    if (best !== undefined && choice.spareTokens < wish.summaryTokens) break;
    best = choice;
  }
  return best;
}

/** The choices at some places, from the last to the first; nothing is counted further back than the budget reaches. */
function* choicesAt(places: readonly number[], inside: boolean, wish: CutWish): Generator<CutChoice> {
  const { list, tokens, budgetTokens, fillerTokens } = wish;
  let from = list.length;
  let tail = 0;
  for (const cut of places.toReversed()) {
    while (from > cut && tail <= budgetTokens) {
      from -= 1;
      tail += tokens.of(list[from]);
    }
    const before = wish.ranges.filter((range) => range.from < cut);
    const ranges = before.map((range) => ({ from: range.from, to: Math.min(range.to, cut) }));
    const kept = ranges.reduce((sum, range) => sum + tokens.upTo(list.slice(range.from, range.to), budgetTokens), 0);
    const roomTokens = budgetTokens - kept - (from > cut ? Number.POSITIVE_INFINITY : tail);
    yield { cut, inside, ranges, roomTokens, spareTokens: roomTokens - fillerTokens * (ranges.length + 1) };
  }
}
