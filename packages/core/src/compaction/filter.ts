import { indexAt } from '../model/index-at.ts';
import type { Outline } from './outline.ts';

/** Which messages stay when a list begins at its newest summary: what the system says first, and all from there on. */
export type Kept = { readonly leading: number; readonly from: number };

/** The newest summary at which the list may begin; undefined where there is none, or where it begins there. */
export function newestSummary({ length, roles, summaries, reaches }: Outline): Kept | undefined {
  const first = roles.findIndex((role) => role !== 'system');
  const leading = first < 0 ? length : first;
  const whole = wholeAt(summaries, reaches);
  const from = summaries.findLast((_, index) => whole[index] === true);
  return from === undefined || from <= leading ? undefined : { leading, from };
}

/** For each of some ascending places, whether everything that began before it has ended. */
function wholeAt(places: readonly number[], reaches: readonly number[]): boolean[] {
  const whole: boolean[] = [];
  let reach = -1;
  let at = 0;
  for (const place of places) {
    for (; at < place; at += 1) reach = Math.max(reach, indexAt(reaches, at));
    whole.push(reach < place);
  }
  return whole;
}
