import type { Found } from './worker.ts';

/** Differences that are meant. An entry that matches nothing in a whole run is an error: take it out. */
export type Listed = {
  readonly name: string;
  readonly reason: string;
  /** Sees the difference in full: the input, and both answers as they are shown. */
  readonly matches: (difference: Found) => boolean;
};

/** After the reference is moved to a commit that has them, these are to be emptied. */
export const LISTED: readonly Listed[] = [];
