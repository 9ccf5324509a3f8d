import { createHash, randomBytes } from 'node:crypto';

const INSTANCE_DIGITS = 10;
const DIGITS = 6;

/** Makes the ids of one simulator; another one, also the same after a restart, makes others. */
export class Ids {
  readonly #instance: string;

  /** With words, the ids follow from them alone, so that a run can be repeated to the letter. */
  constructor(words?: string) {
    const bytes = words === undefined ? randomBytes(INSTANCE_DIGITS) : createHash('sha256').update(words).digest();
    this.#instance = bytes.toString('hex').slice(0, INSTANCE_DIGITS);
  }

  /** The id of one part of the answer to one request. */
  id(prefix: string, n: number, index = 0): string {
    return prefix + this.#instance + numbered(n) + numbered(index);
  }
}

const numbered = (number: number): string => number.toString(36).padStart(DIGITS, '0');
