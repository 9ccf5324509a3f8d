import { indexAt } from '../model/index-at.ts';
import { countUpTo, cutsInside } from './cuts.ts';
import type { Outline } from './outline.ts';
import type { TurnSpan } from './turns.ts';

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
};

export function layoutOf(outline: Outline, spans: readonly TurnSpan[]): Layout {
  const leading = outline.roles.findIndex((role) => role !== 'system');
  return { outline, spans, inside: cutsInside(outline), leading: leading < 0 ? outline.length : leading };
}

/**
 * All places between which something may be kept alone, in order, with both ends of the list: turns, steps, and the
 * place between what was asked and the first answer to it.
 */
function edgesOf({ outline, spans, inside, leading }: Layout): readonly number[] {
  const { length, roles, voices, reaches } = outline;
  const legal = new Uint8Array(length + 1);
  for (const place of [0, leading, length]) legal[place] = 1;
  for (const place of inside) legal[place] = 1;
  for (const { from } of spans) legal[from] = 1;
  let reach = -1;
  for (let i = 0; i < length; i += 1) {
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
function activeInstruction({ outline, spans }: Layout): readonly number[] {
  const newest = spans.findLast(({ kind }) => kind === 'user')?.from ?? -1;
  return [newest, outline.voices.lastIndexOf('user')];
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
