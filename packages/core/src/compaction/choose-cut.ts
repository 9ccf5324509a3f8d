import type { Layout, Range } from './protected-ranges.ts';
import type { MessageTokens } from './step.ts';
import { turnsOfUser } from './turns.ts';

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
