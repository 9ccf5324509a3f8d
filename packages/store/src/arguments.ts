import type { Range } from './driver.ts';
import { StoreError } from './store-error.ts';

/** A value as a sentence tells it; an object is not asked, because it may be made to throw. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  if (value === null || value === undefined || typeof value === 'number') return String(value);
  return `a ${typeof value}`;
}

function refused(what: string, expected: string, value: unknown): StoreError {
  return new StoreError('unsupported', `${what} is ${expected}, not ${shown(value)}`);
}

/** Refuses anything but an object that options can be read from. */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) throw refused('what is asked for', 'an object', options);
}

export function checkText(what: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'string') throw refused(what, 'a text', value);
}

/** One of a few words; without it, what is usual is done. */
export function checkWord(what: string, value: unknown, words: readonly unknown[]): void {
  if (value === undefined || words.includes(value)) return;
  throw refused(what, `one of ${words.map((word) => JSON.stringify(word)).join(', ')}`, value);
}

/** The number of a record, or of the place before the first one. */
export function checkSeq(what: string, value: unknown): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && Number(value) >= 0)) {
    throw refused(what, 'the number of a record', value);
  }
}

/** How many, or `Infinity` for all. */
export function checkLimit(what: string, value: unknown): void {
  if (value === undefined || value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 0)) return;
  throw refused(what, 'a whole number from 0 up', value);
}

export function checkTime(what: string, value: Date): void {
  if (Number.isNaN(value.getTime())) throw refused(what, 'a time', 'Invalid Date');
}

export function checkSignal(value: unknown): void {
  if (!(value instanceof AbortSignal)) throw refused('signal', 'an AbortSignal', value);
}

/** A range may begin or end outside of the log, but where it does must be a number. */
export function checkRange(range: Range): void {
  checkOptions(range);
  const { after, before, backward, limit } = range;
  if (after !== undefined && !Number.isSafeInteger(after)) throw refused('after', 'the number of a record', after);
  if (before !== undefined && before !== Infinity && !Number.isSafeInteger(before)) {
    throw refused('before', 'the number of a record', before);
  }
  checkWord('backward', backward, [true, false]);
  checkLimit('limit', limit);
}
