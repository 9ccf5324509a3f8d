import { indexAt } from '../model/index-at.ts';
import type { Outline } from './outline.ts';

/** Who began a turn: a person, a summary, a program, or nobody known. */
export type TurnKind = 'user' | 'summary' | 'context' | 'none';

/** A stretch of a list, from the words that began it up to the next such words. */
export type TurnSpan = {
  /** Its place among the turns, from 0. */
  readonly index: number;
  readonly from: number;
  /** The first message that is not in it any more. */
  readonly to: number;
  readonly kind: TurnKind;
};

type Start = { readonly at: number; readonly kind: TurnKind };

/**
 * Divides a list into turns, with nothing left over. A turn starts where a person speaks and nothing is half done;
 * what programs have put directly before these words goes with them. A summary starts a stretch of its own.
 */
export function turnSpans(outline: Outline): TurnSpan[] {
  const starts = findStarts(outline);
  return starts.map(({ at, kind }, index) => ({
    index,
    from: at,
    to: starts[index + 1]?.at ?? outline.length,
    kind,
  }));
}

function findStarts({ length, authors, roles, leading, reaches }: Outline): Start[] {
  const starts: Start[] = [];
  let reach = -1;
  /** Where what programs have put before the next words begins; -1 where there is nothing of that. */
  let context = -1;
  for (let i = 0; i < length; i += 1) {
    const author = authors[i];
    const whole = reach < i;
    reach = Math.max(reach, indexAt(reaches, i));
    if (author === 'context') {
      if (whole && context < 0) context = i;
    } else if (author === 'user' || author === 'summary') {
      if (whole) starts.push({ at: author === 'user' && context >= 0 ? context : i, kind: author });
      context = -1;
    } else if (roles[i] !== 'system') context = -1;
  }
  const kind = authors[leading] === 'context' ? 'context' : 'none';
  if (length > 0 && starts[0]?.at !== 0) starts.unshift({ at: 0, kind });
  return starts;
}

/** The turns that a person began. */
export function turnsOfUser(spans: readonly TurnSpan[]): readonly TurnSpan[] {
  return spans.filter(({ kind }) => kind === 'user');
}

/**
 * Every index at which a list may be divided, in order: the starts of its turns, and its two ends where nothing hangs
 * over them. Both sides of such a cut can be sent where the whole could.
 */
export function cutsBetween(
  outline: Outline,
  turns: readonly TurnSpan[],
  { firstUser }: { firstUser: boolean },
): number[] {
  const cuts: number[] = [];
  if (mayBegin(outline, firstUser)) cuts.push(0);
  for (const { from } of turns) if (from > 0) cuts.push(from);
  if (outline.length > 0 && outline.open.length === 0) cuts.push(outline.length);
  return cuts;
}

/** False where the list already begins with something that belongs to what is gone. */
function mayBegin({ length, roles, leading, answers }: Outline, firstUser: boolean): boolean {
  if (length === 0) return true;
  if (answers[0] === true || roles[0] === 'tool') return false;
  return !firstUser || roles[leading] !== 'assistant';
}

/**
 * Indexes inside turns, behind closed pairs, where the model goes on with its next step. Only a compaction may divide
 * there, because what follows needs something in front of it that a user has said.
 */
export function cutsInside({ length, roles, reaches, answers }: Outline): number[] {
  const cuts: number[] = [];
  let reach = indexAt(reaches, 0);
  for (let i = 1; i < length; i += 1) {
    if (reach < i && roles[i] === 'assistant' && answers[i - 1] === true && roles[i - 1] !== 'assistant') cuts.push(i);
    reach = Math.max(reach, indexAt(reaches, i));
  }
  return cuts;
}

/** How many of some ascending places are not behind another. */
function countUpTo(places: readonly number[], most: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (indexAt(places, middle) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last of some ascending places that is not behind another; `none` where all of them are. */
export function lastUpTo(places: readonly number[], most: number, none: number): number {
  return places[countUpTo(places, most) - 1] ?? none;
}

/** The first of some ascending places that is not before another; `none` where all of them are. */
export function firstFrom(places: readonly number[], least: number, none: number): number {
  return places[countUpTo(places, least - 1)] ?? none;
}
