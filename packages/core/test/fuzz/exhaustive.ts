import type { Dialect } from '../../src/index.ts';
import { alphabetOf } from './alphabets.ts';
import { record, startTally, type Tally } from './campaign.ts';
import { hold } from './properties.ts';

/** A share of all histories up to a length: those that begin with certain letters. */
export interface Share {
  readonly dialect: Dialect;
  readonly depth: number;
  /** This share takes the first letters whose number leaves `part` when divided by `of`. */
  readonly part: number;
  readonly of: number;
}

/** How many histories of 1 to `depth` messages there are over an alphabet. */
export function countOf(letters: number, depth: number): number {
  let total = 0;
  for (let length = 1; length <= depth; length += 1) total += letters ** length;
  return total;
}

/** Streams every history of a share, shortest first; each is a new frozen list of shared frozen messages. */
export function* historiesOf(share: Share): Generator<readonly unknown[]> {
  const letters = alphabetOf(share.dialect);
  for (let length = 1; length <= share.depth; length += 1) {
    const digits = new Array<number>(length).fill(0);
    for (;;) {
      if ((digits[0] ?? 0) % share.of === share.part) yield Object.freeze(digits.map((digit) => letters[digit]));
      let place = length - 1;
      while (place >= 0 && digits[place] === letters.length - 1) digits[place--] = 0;
      if (place < 0) break;
      digits[place] = (digits[place] ?? 0) + 1;
    }
  }
}

/** Holds every history of a share to the promises. */
export function runShare(share: Share, onProgress: (done: number) => void = () => {}): Tally {
  const tally = startTally();
  const subject = {
    dialect: share.dialect,
    target: { dialect: share.dialect },
    options: {},
    depth: 'core',
    twice: false,
  } as const;
  for (const input of historiesOf(share)) {
    tally.histories += 1;
    const breaches = hold(input, subject);
    if (breaches.length > 0)
      record(tally, { ...subject, seed: tally.histories, input, planted: [], contents: true }, breaches);
    if (tally.histories % 5000 === 0) onProgress(5000);
  }
  return tally;
}
