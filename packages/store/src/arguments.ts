import type { Range } from './driver.ts';
import { StoreError } from './store-error.ts';

/** A value for an error sentence. An object is never read, because its getters may throw. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  if (value === null || value === undefined || typeof value === 'number') return String(value);
  return `a ${typeof value}`;
}

function refused(what: string, expected: string, value: unknown): StoreError {
  return new StoreError('unsupported', `${what} must be ${expected}, not ${shown(value)}`);
}

export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) throw refused('options', 'an object', options);
}

export function checkText(what: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'string') throw refused(what, 'a string', value);
}

/** Accepts `undefined`, which selects the default. */
export function checkWord(what: string, value: unknown, words: readonly unknown[]): void {
  if (value === undefined || words.includes(value)) return;
  throw refused(what, `one of ${words.map((word) => JSON.stringify(word)).join(', ')}`, value);
}

/** Accepts 0, the place before the first record. */
export function checkSeq(what: string, value: unknown): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && Number(value) >= 0)) {
    throw refused(what, 'a record number', value);
  }
}

/** Accepts `Infinity` for no limit. */
export function checkLimit(what: string, value: unknown): void {
  if (value === undefined || value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 0)) return;
  throw refused(what, 'a whole number from 0', value);
}

export function checkTime(what: string, value: Date): void {
  if (Number.isNaN(value.getTime())) throw refused(what, 'a valid Date', 'Invalid Date');
}

export function checkSignal(value: unknown): void {
  if (!(value instanceof AbortSignal)) throw refused('signal', 'an AbortSignal', value);
}

/** Bounds outside the log are valid; bounds that are not numbers are refused. */
export function checkRange(range: Range): void {
  checkOptions(range);
  const { after, before, backward, limit } = range;
  if (after !== undefined && !Number.isSafeInteger(after)) throw refused('after', 'a record number', after);
  if (before !== undefined && before !== Infinity && !Number.isSafeInteger(before)) {
    throw refused('before', 'a record number', before);
  }
  checkWord('backward', backward, [true, false]);
  checkLimit('limit', limit);
}
