import { WEIGHTS } from './token-weights.ts';

const SPACE = 0;
export const LINE = 1;
const TAB = 2;
const DIGIT = 3;
export const LOWER = 4;
export const UPPER = 5;
const MARK = 6;
export const OTHER = 7;
export const KINDS = 8;

/** Letters in a row, by what stands before the first of them: tokens begin with their blank. */
const AFTER_SPACE = 0;
const AFTER_MARK = 676;
const AFTER_ELSE = 1352;
/** The second letter behind a mark has a table of its own, which stands before the others. */
const SECOND = -676;

const DIGITS = 291;
const FIRST_DIGIT = 294;
const SPACES = 302;
const TABS = 366;
const LINES = 430;
const LETTERS = 1122;
const UPPER_LOWER = 3150;
const UPPERS = 3826;
const HUMP = 4502;
const MARK_LOWER = 4503;
const MARK_UPPER = 5361;
const FIRST_LETTER = 5394;
const MARKS = 5410;
const FIRST_MARK = 6499;
const SIZE = 14483;
/** The place of a weight that is nothing. */
const NOTHING = SIZE;

/** All characters that are not ASCII are one to their neighbours. */
export const NOT_ASCII = 128;

/** What a chance of one is in the tables: whole numbers are added faster, and take less room. */
export const ONE: number = 1 << 11;

/**
 * What of the characters so far counts for the next is one of eight states. Behind a letter: the table of its word, and
 * whether the letter stands there twice. Behind a digit: its place among three. Behind a blank or a mark: the kind of
 * what stands before that, or its own kind where its weight is told already.
 */
const STATES = 8;
export const STATE_BITS = 3;
const WORDS = [AFTER_ELSE, AFTER_SPACE, AFTER_MARK, SECOND] as const;
const WORD = 3;
const TWICE = 4;

/** Where the character before stands in an index of `pairs`. */
export const ROW_BITS = 10;
/** In `pairs`: the same blank or mark again, or the third of the same letters. Runs have weights of their own. */
export const AGAIN = 0xffff;

/**
 * Where the weight of a character is found. Everything is looked up and next to nothing is asked, because a wrong guess
 * about a branch costs as much as several characters.
 */
export type TokenTables = {
  /** All of them, for what is not told by its neighbours alone. */
  readonly weights: Uint16Array;
  /** By character, with one more for all that is not ASCII. */
  readonly kinds: Uint8Array;
  readonly ranks: Uint8Array;
  /** What a blank or a mark weighs: by character, state and the kind of what follows. */
  readonly ahead: Uint16Array;
  /** What the second of two same ones weighs: by character and the kind of what follows. */
  readonly second: Uint16Array;
  /** By two neighbours and the state: what is to be added, and in the lowest bits the next state. */
  readonly pairs: Uint16Array;
  /** By character: its row of `pairs` has been written. Until then everything there is AGAIN. */
  readonly written: Uint8Array;
};

/** The tables but for the rows of `pairs`, which are written when a text has their character. */
export function readTables(): TokenTables {
  const size = NOT_ASCII + 1;
  const kinds = new Uint8Array(size);
  for (let code = 0; code < size; code += 1) kinds[code] = kindOf(code);
  const tables = {
    kinds,
    weights: readWeights(),
    ranks: readRanks(kinds),
    ahead: new Uint16Array(size * STATES * KINDS),
    second: new Uint16Array(size * KINDS),
    pairs: new Uint16Array(size << ROW_BITS).fill(AGAIN),
    written: new Uint8Array(size),
  };
  for (let code = 0; code < size; code += 1) {
    if (numberAt(kinds, code) <= TAB || kinds[code] === MARK) writeAhead(tables, code);
  }
  return tables;
}

function readWeights(): Uint16Array {
  const weights = new Uint16Array(SIZE + 1);
  const levels = new Uint16Array(128);
  for (let level = 0; level < 92; level += 1) levels[level + 35] = Math.round((level / 44.2) ** 2 * ONE);
  // The letter `}` stands for a quote and `~` for a backslash, so that the text needs no escapes.
  levels[125] = numberAt(levels, 39);
  levels[126] = numberAt(levels, 92);
  for (let place = 0; place < SIZE; place += 1) weights[place] = numberAt(levels, WEIGHTS.charCodeAt(place));
  return weights;
}

function writeAhead({ kinds, ranks, weights, ahead, second }: TokenTables, code: number): void {
  const [kind, rank] = [numberAt(kinds, code), numberAt(ranks, code)];
  for (let next = 0; next < KINDS; next += 1) {
    for (let was = 0; was < KINDS; was += 1) {
      const place = was === kind && kind !== LINE ? NOTHING : placeAhead(was, kind, rank) + stepAhead(kind, next);
      ahead[((code << STATE_BITS) | was) * KINDS + next] = numberAt(weights, place);
    }
    const place = kind === MARK ? MARKS + rank * 34 : placeAhead(kind, kind, rank) + stepAhead(kind, next);
    second[code * KINDS + next] = numberAt(weights, place);
  }
}

/** Writes what follows a character. */
export function writeRow(tables: TokenTables, before: number): void {
  const { kinds, ranks, weights, ahead, pairs, written } = tables;
  const [was, rank] = [numberAt(kinds, before), numberAt(ranks, before)];
  written[before] = 1;
  for (let code = 0; code < NOT_ASCII; code += 1) {
    const kind = numberAt(kinds, code);
    const same = before === code && kind !== DIGIT && kind !== LINE;
    if (same && !isLetter(kind)) continue;
    const place = placeOf(was, kind, { rank, own: numberAt(ranks, code) });
    const entry = (before << ROW_BITS) | (code << STATE_BITS);
    for (let state = 0; state < (same ? TWICE : STATES); state += 1) {
      const waiting = numberAt(ahead, ((before << STATE_BITS) | state) * KINDS + kind);
      const weight = waiting + numberAt(weights, place + placeInWord(was, kind, state));
      pairs[entry | state] = (weight << STATE_BITS) | nextState(was, kind, state) | (same ? TWICE : 0);
    }
  }
}

/** No index is outside of its table, so none is asked for. */
function numberAt(table: Uint8Array | Uint16Array, index: number): number {
  return table[index] as number;
}

function kindOf(code: number): number {
  if (code === 32) return SPACE;
  if (code === 10 || code === 13) return LINE;
  if (code === 9) return TAB;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code < NOT_ASCII ? MARK : OTHER;
}

function isLetter(kind: number): boolean {
  return kind === LOWER || kind === UPPER;
}

/** The place of a letter in the alphabet, or of a mark among the marks. */
function readRanks(kinds: Uint8Array): Uint8Array {
  const ranks = new Uint8Array(NOT_ASCII + 1).fill(32);
  let mark = 0;
  for (let code = 33; code < 127; code += 1) {
    const kind = kinds[code];
    if (kind === UPPER) ranks[code] = code - 65;
    else if (kind === LOWER) ranks[code] = code - 97;
    else if (kind === MARK) ranks[code] = mark++;
  }
  return ranks;
}

/** Where the weights of a blank or a mark begin, by what stands before it. */
function placeAhead(was: number, kind: number, rank: number): number {
  if (kind === SPACE) return SPACES + was * 8;
  if (kind === LINE) return LINES + was * 2;
  return kind === TAB ? TABS + was * 8 : FIRST_MARK + was * 2 + rank * 16;
}

/** What the kind behind it adds to that. */
function stepAhead(kind: number, next: number): number {
  if (kind === SPACE || kind === TAB) return next;
  if (kind === LINE) return next === LINE ? 1 : 0;
  return next >= DIGIT ? 1 : 0;
}

/** The place of the weight of the second of two neighbours, where that needs not wait for what follows. */
function placeOf(was: number, kind: number, { rank, own }: { readonly rank: number; readonly own: number }): number {
  if (kind === DIGIT) return was === DIGIT ? DIGITS : FIRST_DIGIT + was;
  if (kind === MARK) return was === MARK ? MARKS + rank + own * 33 : NOTHING;
  if (kind === LOWER) {
    if (was === LOWER) return LETTERS + rank * 26 + own;
    if (was === MARK) return MARK_LOWER + rank * 26 + own;
    return was === UPPER ? UPPER_LOWER + rank * 26 + own : FIRST_LETTER + was * 2;
  }
  if (kind !== UPPER) return NOTHING;
  if (was === MARK) return MARK_UPPER + rank;
  if (was === LOWER) return HUMP;
  return was === UPPER ? UPPERS + rank * 26 + own : FIRST_LETTER + was * 2 + 1;
}

/** What the state adds to that. */
function placeInWord(was: number, kind: number, state: number): number {
  if (was === LOWER && kind === LOWER) return WORDS[state & WORD] as number;
  // Tokens hold up to three digits.
  return was === DIGIT && kind === DIGIT ? (state + 2) % 3 : 0;
}

function nextState(was: number, kind: number, state: number): number {
  if (kind === DIGIT) return was === DIGIT ? (state + 1) % 3 : 0;
  if (!isLetter(kind)) return was;
  const word = state & WORD;
  if (was === UPPER) return word;
  // The second letter behind a mark is told apart, the third one is not.
  if (was === LOWER && kind === LOWER) return WORDS[word] === SECOND ? WORDS.indexOf(AFTER_MARK) : word;
  if (was === MARK) return WORDS.indexOf(kind === LOWER ? SECOND : AFTER_MARK);
  return WORDS.indexOf(was === SPACE ? AFTER_SPACE : AFTER_ELSE);
}
