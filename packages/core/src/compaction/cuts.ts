import { indexAt } from '../model/index-at.ts';
import type { Outline } from './outline.ts';
import type { TurnSpan } from './turns.ts';

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

/** The last of some ascending places that is not behind another; undefined where all of them are. */
export function lastUpTo(places: readonly number[], most: number): number | undefined {
  return places[countUpTo(places, most) - 1];
}

/** The first of some ascending places that is not before another; undefined where all of them are. */
export function firstFrom(places: readonly number[], least: number): number | undefined {
  return places[countUpTo(places, least - 1)];
}
