import { indexAt } from '../model/index-at.ts';
import { countUpTo, cutsInside } from './cuts.ts';
import type { Keep } from './choose-cut.ts';
import type { Bench } from './gone.ts';
import { outline, outlineEnd, type Outline } from './outline.ts';
import { turnSpans, type TurnSpan } from './turns.ts';

/** Consecutive messages, from the first up to and excluding the last. */
export type Stretch = { readonly from: number; readonly to: number };

/** What a list is made of, for those who take pieces out of it. */
export type Layout = {
  readonly outline: Outline;
  readonly spans: readonly TurnSpan[];
  /** Places inside turns at which a compaction may divide. */
  readonly inside: readonly number[];
  /** Messages of the system at the beginning. */
  readonly leading: number;
  /** The first place from which on all this is known; what stands before it was not walked. */
  readonly known: number;
};

export function layoutOf(list: readonly unknown[], { codec, profile }: Bench): Layout {
  return laidOut(outline(list, codec, profile));
}

/** What of a list has to be known at least. */
export type LayoutWish = { readonly from: number; readonly pins: readonly number[]; readonly keep: Keep };

/**
 * The same of the end of a list that is far too long, where nearly everything is going to be summarised. Undefined
 * where what is to be kept, or belongs to it, may stand further before.
 */
export function layoutOfEnd(list: readonly unknown[], wish: LayoutWish, bench: Bench): Layout | undefined {
  const noted = outlineEnd(list, wish.from, bench);
  const layout = noted === undefined ? undefined : laidOut(noted);
  if (layout === undefined) return undefined;
  const { known, spans } = layout;
  const { minTurns = 1, minMessages = 0 } = wish.keep;
  const spoken = spans.filter(({ kind }) => kind === 'user').length;
  const enough = spoken >= Math.max(1, minTurns) && list.length - minMessages >= known;
  return enough && wish.pins.every((pin) => pin >= known) ? layout : undefined;
}

function laidOut(noted: Outline): Layout {
  const spans = turnSpans(noted);
  const leading = noted.roles.findIndex((role) => role !== 'system');
  return {
    outline: noted,
    spans,
    inside: cutsInside(noted),
    leading: leading < 0 ? noted.length : leading,
    known: noted.torn < 0 ? 0 : (spans[1]?.from ?? noted.length),
  };
}

/**
 * All places between which something may be kept alone, in order, with both ends of the list: turns, steps, and the
 * place between what was asked and the first answer to it.
 */
function edgesOf({ outline: noted, spans, inside, leading }: Layout): readonly number[] {
  const { length, from, roles, voices, reaches } = noted;
  const legal = new Uint8Array(length + 1);
  for (const place of [0, leading, length]) legal[place] = 1;
  for (const place of inside) legal[place] = 1;
  for (const { from } of spans) legal[from] = 1;
  let reach = -1;
  for (let i = from; i < length; i += 1) {
    const asked = i > 0 && roles[i - 1] === 'user' && voices[i - 1] !== 'other';
    if (asked && reach < i && roles[i] === 'assistant') legal[i] = 1;
    reach = Math.max(reach, indexAt(reaches, i));
  }
  const edges: number[] = [];
  for (let i = 0; i <= length; i += 1) if (legal[i] === 1) edges.push(i);
  return edges;
}

/** The smallest stretch that holds a message and nothing that belongs to anything outside of it. */
function stretchAround(edges: readonly number[], index: number): Stretch {
  const next = countUpTo(edges, index);
  return { from: indexAt(edges, next - 1), to: indexAt(edges, next) };
}

/** Where a person last said what to do: the beginning of the newest turn, and what was thrown in since then. */
function activeInstruction({ outline: noted, spans }: Layout): readonly number[] {
  const newest = spans.findLast(({ kind }) => kind === 'user')?.from ?? -1;
  return [newest, Math.max(noted.voices.lastIndexOf('user'), noted.thrownIn)];
}

/**
 * What stays whatever is cut: the system's own words at the beginning, what the user asked last, open calls, and what
 * the caller has pinned.
 */
export function protectedStretches(layout: Layout, pins: readonly number[]): readonly Stretch[] {
  const wanted = [...pins, ...layout.outline.open, ...activeInstruction(layout)];
  const edges = edgesOf(layout);
  const stretches = wanted
    .filter((index) => index >= 0 && index < layout.outline.length)
    .map((index) => stretchAround(edges, index));
  return merged([{ from: 0, to: layout.leading }, ...stretches]);
}

function merged(stretches: readonly Stretch[]): readonly Stretch[] {
  const ordered = stretches.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from);
  const result: Stretch[] = [];
  for (const each of ordered) {
    const last = result.at(-1);
    if (last !== undefined && each.from <= last.to) {
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, each.to) };
    } else result.push(each);
  }
  return result;
}

/** The protected stretches that lie before a cut. */
export function stretchesBefore(stretches: readonly Stretch[], cut: number): readonly Stretch[] {
  return stretches.filter(({ from }) => from < cut).map(({ from, to }) => ({ from, to: Math.min(to, cut) }));
}
