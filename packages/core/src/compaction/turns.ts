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
