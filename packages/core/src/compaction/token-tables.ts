import { WEIGHTS } from './token-weights.ts';

const SPACE = 0;
export const LINE = 1;
const TAB = 2;
const DIGIT = 3;
const LOWER = 4;
const UPPER = 5;
const MARK = 6;
export const OTHER = 7;

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
/** The place of a weight that is nothing. */
const NOTHING = 14483;

/** All characters that are not ASCII are one to their neighbours. */
export const NOT_ASCII = 128;

/** What a chance of one is in the tables: whole numbers are added faster. */
export const ONE: number = 1 << 11;

/**
 * What of the characters so far counts for the next is one of eight states. Behind a letter: the table of its word, and
 * whether the letter stands there twice. Behind a digit: its place among three. Behind a blank or a mark: the kind of
 * what stands before that, or its own kind where its weight is told already.
 */
export const STATE_BITS = 3;
export const STATES = 8;
const WORDS = [AFTER_ELSE, AFTER_SPACE, AFTER_MARK, SECOND] as const;
const WORD = 3;
export const TWICE = 4;

/**
 * Where the weight of a character is found. Everything is looked up and next to nothing is asked, because a wrong guess
 * about a branch costs as much as several characters.
 */
export type TokenTables = {
  /** By place. */
  readonly weights: Uint16Array;
  /** By character, with one more for all that is not ASCII. */
  readonly kinds: Uint8Array;
  /** What a blank or a mark weighs: by character, state and the kind of what follows. */
  readonly ahead: Uint16Array;
  /** What the second of two same ones weighs: by character and the kind of what follows. */
  readonly second: Uint16Array;
  /** The place of the weight of the second of two neighbours, by both. */
  readonly pairs: Uint16Array;
  /** What the state adds to that place and, in the lowest bits, the next state: by the kinds of both and the state. */
  readonly steps: Int16Array;
};

export function readTables(): TokenTables {
  const size = NOT_ASCII + 1;
  const kinds = Uint8Array.from({ length: size }, (_, code) => kindOf(code));
  const ranks = readRanks(kinds);
  const weights = readWeights();
  const tables = {
    weights,
    kinds,
    ahead: new Uint16Array(size * STATES * STATES),
    second: new Uint16Array(size * STATES),
    pairs: new Uint16Array(size * NOT_ASCII),
    steps: new Int16Array(STATES ** 3),
  };
  for (let code = 0; code < size; code += 1) {
    const [kind, rank] = [kinds[code] as number, ranks[code] as number];
    if (kind <= TAB || kind === MARK) writeAhead(tables, { code, kind, rank });
    for (let next = 0; next < NOT_ASCII; next += 1) {
      const own = ranks[next] as number;
      tables.pairs[code * NOT_ASCII + next] = placeOf(kind, kinds[next] as number, { rank, own });
    }
  }
  for (let index = 0; index < STATES ** 3; index += 1) {
    const [was, kind, state] = [index >> 6, (index >> 3) & 7, index & 7];
    tables.steps[index] = indexOf(placeInWord(was, kind, state), nextState(was, kind, state));
  }
  return tables;
}

type Character = { readonly code: number; readonly kind: number; readonly rank: number };

function writeAhead({ weights, ahead, second }: TokenTables, { code, kind, rank }: Character): void {
  for (let next = 0; next < STATES; next += 1) {
    const place = kind === MARK ? MARKS + rank * 34 : placeAhead(kind, kind, rank) + stepAhead(kind, next);
    second[indexOf(code, next)] = weights[place] as number;
    for (let was = 0; was < STATES; was += 1) {
      const told = was === kind && kind !== LINE;
      const from = told ? NOTHING : placeAhead(was, kind, rank) + stepAhead(kind, next);
      ahead[indexOf(indexOf(code, was), next)] = weights[from] as number;
    }
  }
}

/** The index of a state, or of a kind, behind another index. */
export function indexOf(before: number, state: number): number {
  return (before << STATE_BITS) | state;
}

function readWeights(): Uint16Array {
  const levels = new Uint16Array(128);
  for (let level = 0; level < 92; level += 1) levels[level + 35] = Math.round((level / 44.2) ** 2 * ONE);
  // The letter `}` stands for a quote and `~` for a backslash, so that the text needs no escapes.
  levels[125] = levels[39] as number;
  levels[126] = levels[92] as number;
  const weights = new Uint16Array(NOTHING + 1);
  for (let place = 0; place < NOTHING; place += 1) weights[place] = levels[WEIGHTS.charCodeAt(place)] as number;
  return weights;
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

export function isLetter(kind: number): boolean {
  return kind === LOWER || kind === UPPER;
}

/** The same blank or mark again, or the third of the same letters: runs have weights of their own. */
export function isRun(kind: number, state: number): boolean {
  return isLetter(kind) ? state >= TWICE : kind !== DIGIT && kind !== LINE;
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
