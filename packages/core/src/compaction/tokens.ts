import { WEIGHTS } from './token-weights.ts';

/** How many tokens a text takes. */
export type TokenCounter = (text: string) => number;

/** What somebody estimated for a request, and what the provider then said it was. */
export type Usage = { readonly estimated: number; readonly actual: number };

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

const RUN = 0;
const RUN_OTHER = 288;
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
const CYRILLIC = 7027;
const LATIN = 10099;
const ALPHABETS = 10611;
const KANA = 12595;
const IDEOGRAPHS = 12851;
const HANGUL = 13507;
const LATIN_MORE = 13907;
const SIGNS = 13971;
const PAIRED = 14355;
const ELSEWHERE = 14419;
const SIZE = 14483;

const KINDS = new Uint8Array(128).fill(MARK);
/** The place of a letter in the alphabet, or of a mark among the marks. */
const RANKS = new Uint8Array(128).fill(32);

/** By the kinds of two neighbours: where their table begins, and what both ranks and the next kind add to that. */
const BEGINS = new Uint16Array(64);
const BEFORE_STEPS = new Uint8Array(64);
const CODE_STEPS = new Uint8Array(64);
const NEXT_STEPS = new Uint8Array(512);
/** The table that goes on with a word, by the kinds of its first letter and of what stands before that. */
const WORDS = new Int16Array(64).fill(AFTER_ELSE);
const SAME_WORD = -1;

const BOTH_LOWER = LOWER * 8 + LOWER;
const BOTH_DIGITS = DIGIT * 8 + DIGIT;

/** What a chance of one is in the table of weights: whole numbers are added faster, and take half the room. */
const ONE = 1 << 13;

let weights: Uint16Array | undefined;

/** Fills the tables at the first count, because most programs that load this never count. */
function readTables(): Uint16Array {
  let mark = 0;
  for (let code = 33; code < 127; code += 1) {
    if (code >= 48 && code <= 57) KINDS[code] = DIGIT;
    else if (code >= 65 && code <= 90) KINDS[code] = UPPER;
    else if (code >= 97 && code <= 122) KINDS[code] = LOWER;
    RANKS[code] = KINDS[code] === UPPER ? code - 65 : KINDS[code] === LOWER ? code - 97 : 32;
    if (KINDS[code] === MARK) RANKS[code] = mark++;
  }
  KINDS[32] = SPACE;
  KINDS[9] = TAB;
  KINDS[10] = LINE;
  KINDS[13] = LINE;
  for (let was = SPACE; was <= OTHER; was += 1) readPairs(was);
  return Uint16Array.from({ length: SIZE }, (_, i) => {
    // The letter `}` stands for a quote and `~` for a backslash, so that the text needs no escapes.
    const letter = WEIGHTS.charCodeAt(i);
    const level = (letter === 125 ? 39 : letter === 126 ? 92 : letter) - 35;
    return Math.round((level / 44.2) ** 2 * ONE);
  });
}

function readPairs(was: number): void {
  const begins = [
    SPACES + was * 8,
    LINES + was * 2,
    TABS + was * 8,
    FIRST_DIGIT + was,
    was === MARK ? MARK_LOWER : was === UPPER ? UPPER_LOWER : FIRST_LETTER + was * 2,
    was === MARK ? MARK_UPPER : was === UPPER ? UPPERS : was === LOWER ? HUMP : FIRST_LETTER + was * 2 + 1,
    was === MARK ? MARKS : FIRST_MARK + was * 2,
  ];
  for (const [kind, begin] of begins.entries()) {
    const pair = was * 8 + kind;
    BEGINS[pair] = begin;
    for (let next = 0; next < 8; next += 1) NEXT_STEPS[pair * 8 + next] = nextStep(pair, next);
  }
  const lower = was * 8 + LOWER;
  const upper = was * 8 + UPPER;
  if (was === UPPER || was === MARK) [BEFORE_STEPS[lower], CODE_STEPS[lower]] = [26, 1];
  if (was === UPPER) [BEFORE_STEPS[upper], CODE_STEPS[upper]] = [26, 1];
  if (was === MARK) BEFORE_STEPS[upper] = 1;
  if (was === MARK) BEFORE_STEPS[was * 8 + MARK] = 1;
  CODE_STEPS[was * 8 + MARK] = was === MARK ? 33 : 16;
  if (was === SPACE) WORDS[lower] = WORDS[upper] = AFTER_SPACE;
  if (was === MARK) [WORDS[lower], WORDS[upper]] = [SECOND, AFTER_MARK];
  if (was === UPPER) WORDS[lower] = WORDS[upper] = SAME_WORD;
}

function nextStep(pair: number, next: number): number {
  const kind = pair & 7;
  if (kind === SPACE || kind === TAB) return next;
  if (kind === LINE) return next === LINE ? 1 : 0;
  return kind === MARK && pair >> 3 !== MARK && next >= DIGIT ? 1 : 0;
}

/** A text longer than this is sampled: pieces at even distances, from its first character to its last. */
const LONGEST = 1 << 12;
const PIECE = 1 << 9;
const MOST_PIECES = 1 << 8;

/**
 * Estimates how many tokens a text takes, in one pass that allocates nothing. Of a long text a quarter is read and at
 * most 128 kB, always the same pieces, so that no text holds anybody up.
 */
export function countText(text: string): number {
  const { length } = text;
  if (length === 0) return 0;
  if (length <= LONGEST) return Math.max(1, Math.round(chances(text, 0, length)));
  const pieces = Math.min(MOST_PIECES, Math.max(LONGEST / PIECE, length >> 11));
  let sum = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    const from = Math.floor((piece * (length - PIECE)) / (pieces - 1));
    sum += chances(text, from, from + PIECE);
  }
  return Math.round((sum / (pieces * PIECE)) * length);
}

/** Every character adds the chance that a token begins with it, by its neighbours and its place in a word. */
function chances(text: string, from: number, to: number): number {
  const table = (weights ??= readTables());
  let sum = 0;
  let before = -1;
  let rank = 0;
  let was = LINE;
  let word = AFTER_ELSE;
  let run = 0;
  let place = 0;
  let next = text.charCodeAt(from);
  let nextKind = kindOf(next);
  for (let i = from + 1; i <= to; i += 1) {
    const code = next;
    const kind = nextKind;
    const pair = was * 8 + kind;
    next = i < to ? text.charCodeAt(i) : 10;
    nextKind = kindOf(next);
    run = code === before ? run + 1 : 0;
    let at: number;
    if (kind === OTHER) {
      place = was === OTHER ? place + 1 : 1;
      at = run > 1 ? runAt(code, run) : otherAt(code, before, place);
    } else {
      const own = RANKS[code] ?? 0;
      if (run > 1 && kind !== DIGIT && kind !== LINE) at = runAt(code, run);
      else if (pair === BOTH_LOWER) {
        at = LETTERS + word + rank * 26 + own;
        if (word === SECOND) word = AFTER_MARK;
      } else if (pair === BOTH_DIGITS) {
        place += 1;
        at = DIGITS + (place % 3);
      } else {
        place = 1;
        at = (BEGINS[pair] ?? 0) + rank * (BEFORE_STEPS[pair] ?? 0) + own * (CODE_STEPS[pair] ?? 0);
        at += NEXT_STEPS[pair * 8 + nextKind] ?? 0;
        const begun = WORDS[pair] ?? 0;
        if (begun !== SAME_WORD) word = begun;
      }
      rank = own;
    }
    sum += table[at] ?? 0;
    was = kind;
    before = code;
  }
  return sum / ONE;
}

function kindOf(code: number): number {
  return code < 128 ? (KINDS[code] ?? 0) : OTHER;
}

/** The third of the same symbols and those behind it: long runs have tokens of their own. */
function runAt(code: number, run: number): number {
  const length = run <= 3 ? 0 : run <= 15 ? 1 : 2;
  return code < 128 ? RUN + (code < 32 ? 0 : code - 32) * 3 + length : RUN_OTHER + length;
}

/** What is not ASCII, by its script and, where a language or a rank shows in the code, by its place there. */
function otherAt(code: number, before: number, place: number): number {
  if (code < 0x180) return LATIN + (code - 0x80) * 2 + (isLetter(before) ? 1 : 0);
  if (code < 0x1100) {
    if (code >= 0x410 && code < 0x450 && before >= 0x410 && before < 0x450) {
      return CYRILLIC + (place <= 3 ? 0 : place <= 6 ? 1024 : 2048) + (code & 31) * 32 + (before & 31);
    }
    return ALPHABETS + (place <= 4 ? 0 : 992) + ((code - 0x180) >> 2);
  }
  if (code >= 0x4e00 && code < 0xa000) return IDEOGRAPHS + ((code - 0x4e00) >> 5);
  if (code >= 0x3000 && code < 0x3100) return KANA + code - 0x3000;
  // All syllables that begin alike stand together, 28 by 28.
  if (code >= 0xac00 && code < 0xd7a4) return HANGUL + (((code - 0xac00) * 2341) >> 16);
  if (code >= 0x2000 && code < 0x2c00) return SIGNS + ((code - 0x2000) >> 3);
  if (code >= 0x1e00 && code < 0x1f00) return LATIN_MORE + ((code - 0x1e00) >> 2);
  if (code >= 0xdc00 && code < 0xe000) return PAIRED + ((code - 0xdc00) >> 4);
  return ELSEWHERE + (code >> 10);
}

function isLetter(code: number): boolean {
  return code >= 0 && code < 128 && (KINDS[code] === LOWER || KINDS[code] === UPPER);
}

/** Furthest a figure is believed: a request counted with other things in it says nothing about the texts. */
const FURTHEST = 4;

/** A counter that is right about what the provider counted last; the same counter where its figure says nothing. */
export function calibrate(counter: TokenCounter, { estimated, actual }: Usage): TokenCounter {
  const ratio = actual / estimated;
  if (!(ratio >= 1 / FURTHEST && ratio <= FURTHEST) || ratio === 1) return counter;
  return (text) => Math.round(counter(text) * ratio);
}
