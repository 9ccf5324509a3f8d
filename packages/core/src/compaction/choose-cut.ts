import { lastUpTo } from './cuts.ts';
import { stretchesBefore, type Layout, type Stretch } from './layout.ts';
import type { Scales } from './scales.ts';

/** How much of the end of a list stays as it is: at least this, unless the newest turn alone is too much. */
export type Keep = { readonly minTurns?: number; readonly minMessages?: number };

export type CutWish = {
  readonly list: readonly unknown[];
  readonly layout: Layout;
  readonly scales: Scales;
  readonly stretches: readonly Stretch[];
  readonly budgetTokens: number;
  /** What the summary and the words around it may take, and the least they take. */
  readonly summaryTokens: number;
  readonly leastTokens: number;
  /** What may have to stand between two messages that did not follow one another. */
  readonly jointTokens: number;
  readonly keep: Keep;
};

/** Where to divide, what stays before that place, and what is left of the budget for the summary. */
export type CutChoice = {
  readonly cut: number;
  readonly inside: boolean;
  readonly stretches: readonly Stretch[];
  readonly roomTokens: number;
  /** The same without what may have to stand between the pieces. */
  readonly spareTokens: number;
};

/** The newest turn and the places before it at which a list may be divided. */
type Places = { readonly latest: number; readonly turns: readonly number[]; readonly inside: readonly number[] };

/**
 * The cut that leaves the longest tail within the budget. Where even the newest turn is too much, a place inside it is
 * taken, behind a closed pair; the last such place where none is enough. Undefined where there is nothing to divide.
 */
export function chooseCut(wish: CutWish): CutChoice | undefined {
  const { latest, turns, inside } = findPlaces(wish);
  const tail = new Tail(wish);
  const whole = latest > 0 ? tail.choice(latest, false) : undefined;
  if (whole === undefined || whole.spareTokens < wish.leastTokens) return insideCut(inside, wish) ?? whole;
  let best = whole;
  for (const cut of turns.toReversed()) {
    if (cut >= best.cut) continue;
    const choice = tail.choice(cut, false);
    if (choice.spareTokens < wish.summaryTokens) break;
    best = choice;
  }
  return best;
}

function insideCut(inside: readonly number[], wish: CutWish): CutChoice | undefined {
  const tail = new Tail(wish);
  let last: CutChoice | undefined;
  for (const cut of inside.toReversed()) {
    const choice = tail.choice(cut, true);
    if (last !== undefined && choice.spareTokens < wish.summaryTokens) break;
    last = choice;
  }
  return last;
}

/** Where the end of a list begins that is to stay as it is: the newest turn, and what is to be kept at least. */
export function keptFrom({ spans, outline }: Layout, { minTurns = 1, minMessages = 0 }: Keep): number {
  const spoken = spans.filter(({ kind }) => kind === 'user');
  const first = spoken.at(-Math.min(Math.max(1, Math.ceil(minTurns)), spoken.length))?.from ?? spans.at(-1)?.from ?? 0;
  return Math.min(first, outline.length - Math.max(0, minMessages));
}

function findPlaces({ layout, keep }: CutWish): Places {
  const { spans, inside, outline, leading } = layout;
  // What a summary already stands for is not divided again.
  const after = Math.max(leading, (outline.summaries.at(-1) ?? -1) + 1);
  const turns = spans.map(({ from }) => from).filter((from) => from > after);
  const latest = lastUpTo(turns, keptFrom(layout, keep)) ?? 0;
  const divides = Math.max(1, keep.minTurns ?? 1) === 1 && (keep.minMessages ?? 0) <= 0;
  const from = Math.max(latest, after);
  return {
    latest,
    turns: turns.filter((cut) => cut <= latest),
    inside: divides ? inside.filter((cut) => cut > from) : [],
  };
}

/** Weighs the end of a list from ever earlier places, and no further back than the budget reaches. */
class Tail {
  readonly #wish: CutWish;
  #from: number;
  #tokens = 0;

  constructor(wish: CutWish) {
    this.#wish = wish;
    this.#from = wish.list.length;
  }

  choice(cut: number, inside: boolean): CutChoice {
    const { stretches, budgetTokens, jointTokens, list, scales } = this.#wish;
    const before = stretchesBefore(stretches, cut);
    const kept = before.reduce((sum, { from, to }) => sum + scales.upTo(list.slice(from, to), budgetTokens), 0);
    const roomTokens = budgetTokens - kept - this.#tokensFrom(cut);
    return { cut, inside, stretches: before, roomTokens, spareTokens: roomTokens - jointTokens * (before.length + 1) };
  }

  #tokensFrom(cut: number): number {
    const { list, scales, budgetTokens } = this.#wish;
    while (this.#from > cut && this.#tokens <= budgetTokens) {
      this.#from -= 1;
      this.#tokens += scales.of(list[this.#from]);
    }
    return this.#from > cut ? Number.POSITIVE_INFINITY : this.#tokens;
  }
}
