import { indexAt } from '../model/index-at.ts';
import type { Outline } from './outline.ts';
import type { Voice } from './voices.ts';

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

function findStarts(outline: Outline): Start[] {
  const { length, from, torn, voices, roles, reaches } = outline;
  const starts: Start[] = [];
  let reach = -1;
  /** Where what programs have put before the next words begins; -1 where there is nothing of that. */
  let context = -1;
  for (let i = from; i < length; i += 1) {
    const voice = voices[i];
    const whole = reach < i;
    reach = Math.max(reach, indexAt(reaches, i));
    if (voice === 'context') {
      if (whole && context < 0) context = i;
    } else if (voice === 'user' || voice === 'summary') {
      if (whole) starts.push({ at: voice === 'user' && context >= 0 ? context : i, kind: voice });
      context = -1;
    } else if (roles[i] !== 'system') context = -1;
  }
  // Where only the end was walked, what the first turn begins with may belong to something before.
  if (torn >= 0) starts.splice(0, countUntil(starts, torn));
  if (length > 0 && starts[0]?.at !== 0) starts.unshift({ at: 0, kind: kindAtStart(voices, roles) });
  return starts;
}

/** How many turns begin up to a place, and the next one. */
function countUntil(starts: readonly Start[], place: number): number {
  const next = starts.findIndex(({ at }) => at > place);
  return next < 0 ? starts.length : next + 1;
}

/** What a list begins with where neither a person nor a summary does. */
function kindAtStart(voices: readonly Voice[], roles: Outline['roles']): TurnKind {
  const first = roles.findIndex((role) => role !== 'system');
  return voices[first] === 'context' ? 'context' : 'none';
}
