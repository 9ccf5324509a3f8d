import { WEIGHTS } from './token-weights.ts';

const SPACE = 0;
const LINE = 1;
const TAB = 2;
const DIGIT = 3;
const LOWER = 4;
const UPPER = 5;
const MARK = 6;
const OTHER = 7;

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

/** All characters that are not ASCII are one to their neighbours. */
export const NOT_ASCII = 128;

/** What a chance of one is in the table of weights: whole numbers are added faster, and take half the room. */
export const ONE: number = 1 << 13;

/**
 * What an entry of `pairs` holds, from the lowest bit: the place of a weight, the step, a mask of what the character
 * behind may add to that place, and what the second of the two adds to the place of the first.
 */
export const PLACE: number = (1 << 14) - 1;
export const STEP_BITS = 14;
export const MASK_BITS = 17;
export const AHEAD_BITS = 20;
/** What is not told by its neighbours alone: a symbol that comes again, and what is not ASCII. */
export const ODD: number = 1 << 23;

/** What is remembered of the characters so far: the table of the word, or the place among digits. */
const STATES = 8;
const FIRST_OF_DIGITS = 4;
const WORDS = [AFTER_ELSE, AFTER_SPACE, AFTER_MARK, SECOND] as const;
/** What a character does to that: it begins a word or a number, goes on with it, or leaves everything as it is. */
const STEPS = 8;
const GOES_ON = 5;
const KEEPS = 6;

/** The state in an entry of `steps`, and above it what is added to the place of the weight. */
export const STATE_BITS = 3;
export const STATE = 7;
/** The place of a weight that is nothing. */
export const NOTHING: number = SIZE;

/**
 * Where the weight of a character is found. Everything is looked up and added and next to nothing is asked, because a
 * wrong guess about a branch costs as much as a character.
 */
export type TokenTables = {
  readonly weights: Uint16Array;
  /** By two neighbours, with a row and a column for all that is not ASCII. */
  readonly pairs: Int32Array;
  /** By step and state. */
  readonly steps: Int16Array;
};

/** How many characters are told apart in `pairs`. */
export const ROW: number = NOT_ASCII + 1;

export function readTables(): TokenTables {
  const kinds = Uint8Array.from({ length: ROW }, (_, code) => kindOf(code));
  const ranks = readRanks(kinds);
  const pairs = new Int32Array(ROW * ROW);
  for (let before = 0; before < ROW; before += 1) {
    for (let code = 0; code < ROW; code += 1) {
      const [was, kind] = [numberAt(kinds, before), numberAt(kinds, code)];
      const again = before === code && kind !== DIGIT && kind !== LINE;
      const odd = (again || kind === OTHER ? ODD : 0) + (aheadOf(was, kind) << AHEAD_BITS);
      pairs[before * ROW + code] = odd + pairOf(was, kind, [numberAt(ranks, before), numberAt(ranks, code)]);
    }
  }
  const weights = Uint16Array.from({ length: SIZE + 8 }, (_, place) => (place < SIZE ? weightAt(place) : 0));
  return { weights, pairs, steps: readSteps() };
}

function weightAt(place: number): number {
  // The letter `}` stands for a quote and `~` for a backslash, so that the text needs no escapes.
  const letter = WEIGHTS.charCodeAt(place);
  const level = (letter === 125 ? 39 : letter === 126 ? 92 : letter) - 35;
  return Math.round((level / 44.2) ** 2 * ONE);
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
  const ranks = new Uint8Array(NOT_ASCII).fill(32);
  let mark = 0;
  for (let code = 33; code < 127; code += 1) {
    const kind = kinds[code];
    if (kind === UPPER) ranks[code] = code - 65;
    else if (kind === LOWER) ranks[code] = code - 97;
    else if (kind === MARK) ranks[code] = mark++;
  }
  return ranks;
}

function readSteps(): Int16Array {
  const steps = new Int16Array(STEPS * STATES);
  for (let state = 0; state < STATES; state += 1) {
    for (let step = 0; step < STEPS; step += 1) steps[step * STATES + state] = step < GOES_ON ? step : state;
    steps[GOES_ON * STATES + state] = goOn(state);
  }
  return steps;
}

function goOn(state: number): number {
  const word = WORDS[state];
  // Tokens hold up to three digits.
  const digits = (state - FIRST_OF_DIGITS + 1) % 3;
  if (word === undefined) return (((digits + 1) % 3) << STATE_BITS) + FIRST_OF_DIGITS + digits;
  // The second letter behind a mark is told apart, the third one is not.
  return word * (1 << STATE_BITS) + (word === SECOND ? WORDS.indexOf(AFTER_MARK) : state);
}

/** What is looked up for two neighbours, by their kinds and their ranks. */
function pairOf(was: number, kind: number, [rank, own]: readonly [number, number]): number {
  const goesOn = GOES_ON << STEP_BITS;
  if (kind === OTHER) return 0;
  if (was === LOWER && kind === LOWER) return goesOn + LETTERS + rank * 26 + own;
  if (was === DIGIT && kind === DIGIT) return goesOn + DIGITS;
  const place = beginOf(was, kind) + rankStep(was, kind, rank) + ownStep(was, kind, own);
  const mask = kind <= TAB || (kind === MARK && was !== MARK) ? 7 : 0;
  return place + (stepOf(was, kind) << STEP_BITS) + (mask << MASK_BITS);
}

/** What a character adds to the place of the one before it: blanks and marks weigh by what follows them. */
function aheadOf(was: number, kind: number): number {
  if (was === SPACE || was === TAB) return kind;
  if (was === LINE) return kind === LINE ? 1 : 0;
  return was === MARK && kind >= DIGIT ? 1 : 0;
}

function numberAt(table: Uint8Array, index: number): number {
  return table[index] ?? 0;
}

/** Where the table of two kinds of neighbours begins. */
function beginOf(was: number, kind: number): number {
  if (kind === SPACE) return SPACES + was * 8;
  if (kind === LINE) return LINES + was * 2;
  if (kind === TAB) return TABS + was * 8;
  if (kind === DIGIT) return FIRST_DIGIT + was;
  if (kind === LOWER) return was === MARK ? MARK_LOWER : was === UPPER ? UPPER_LOWER : FIRST_LETTER + was * 2;
  if (kind === MARK) return was === MARK ? MARKS : FIRST_MARK + was * 2;
  return was === MARK ? MARK_UPPER : was === UPPER ? UPPERS : was === LOWER ? HUMP : FIRST_LETTER + was * 2 + 1;
}

/** What the rank of the first of them adds to that. */
function rankStep(was: number, kind: number, rank: number): number {
  if (was === UPPER) return kind === LOWER || kind === UPPER ? rank * 26 : 0;
  if (was !== MARK) return 0;
  return kind === LOWER ? rank * 26 : kind === UPPER || kind === MARK ? rank : 0;
}

/** What the rank of the second one adds. */
function ownStep(was: number, kind: number, own: number): number {
  if (kind === MARK) return own * (was === MARK ? 33 : 16);
  return (kind === LOWER && (was === UPPER || was === MARK)) || (kind === UPPER && was === UPPER) ? own : 0;
}

/** What the first letter of a word, by what stands before it, or the first digit makes the state. */
function stepOf(was: number, kind: number): number {
  if (kind === DIGIT) return FIRST_OF_DIGITS;
  if (kind !== LOWER && kind !== UPPER) return WORDS.indexOf(AFTER_ELSE);
  if (was === UPPER) return KEEPS;
  if (was === MARK) return WORDS.indexOf(kind === LOWER ? SECOND : AFTER_MARK);
  return WORDS.indexOf(was === SPACE ? AFTER_SPACE : AFTER_ELSE);
}
