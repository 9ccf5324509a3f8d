import {
  indexOf,
  isLetter,
  isRun,
  LINE,
  NOT_ASCII,
  ONE,
  OTHER,
  readTables,
  STATE_BITS,
  STATES,
  TWICE,
  type TokenTables,
} from './token-tables.ts';

/** How many tokens a text takes. */
export type TokenCounter = (text: string) => number;

/** What somebody estimated for a request, and what the provider then said it was. */
export type Usage = { readonly estimated: number; readonly actual: number };

/** Where the weights of what is not told by its neighbours begin. */
const RUN = 0;
const RUN_OTHER = 288;
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

const TABLES: TokenTables = /* @__PURE__ */ readTables();
const LINE_FEED = 10;

/**
 * Sums up the chances of a stretch of a text: every character adds the chance that a token begins with it, by its
 * neighbours and its place in a word.
 */
function chances(text: string, from: number, to: number): number {
  const { weights, kinds, ahead, pairs, steps } = TABLES;
  // A text begins and ends as a line does; that the line before it ends is none of its own.
  let before = LINE_FEED;
  let was: number = LINE;
  let state = 0;
  let sum = -(ahead[indexOf(indexOf(before, state), kindAt(text, from))] as number);
  let i = from;
  while (i < to) {
    let code = 0;
    // Nearly all characters stay in this loop, and the less there is in it the better an engine makes it.
    for (; i < to; i += 1) {
      code = text.charCodeAt(i);
      if (code >= NOT_ASCII || code === before) break;
      const kind = kinds[code] as number;
      const step = steps[indexOf(indexOf(was, kind), state)] as number;
      const place = (pairs[before * NOT_ASCII + code] as number) + (step >> STATE_BITS);
      sum += (ahead[indexOf(indexOf(before, state), kind)] as number) + (weights[place] as number);
      state = step & (STATES - 1);
      before = code;
      was = kind;
    }
    if (i === to) break;
    const waiting = indexOf(before, state);
    const start = i;
    if (code >= NOT_ASCII) {
      while (i < to && text.charCodeAt(i) >= NOT_ASCII) i += 1;
      const last = start > from ? text.charCodeAt(start - 1) : -1;
      sum += (ahead[indexOf(waiting, OTHER)] as number) + weightOfOthers(text.slice(start, i), last);
      [before, was, state] = [NOT_ASCII, OTHER, 0];
      continue;
    }
    sum += ahead[indexOf(waiting, was)] as number;
    if (isRun(was, state)) {
      while (i < to && text.charCodeAt(i) === code) i += 1;
      sum += weightOfRun(code, i - start, i < to ? kindAt(text, i) : LINE);
      if (!isLetter(was)) state = was;
    } else {
      const step = steps[indexOf(indexOf(was, was), state)] as number;
      sum += weights[(pairs[before * NOT_ASCII + code] as number) + (step >> STATE_BITS)] as number;
      state = (step & (STATES - 1)) | (isLetter(was) ? TWICE : 0);
      i += 1;
    }
  }
  return (sum + (ahead[indexOf(indexOf(before, state), LINE)] as number)) / ONE;
}

function kindAt(text: string, at: number): number {
  return TABLES.kinds[Math.min(text.charCodeAt(at), NOT_ASCII)] as number;
}

/** The second of the same blanks or marks, or the third of the same letters, and those behind it. */
function weightOfRun(code: number, count: number, next: number): number {
  const { kinds, weights, second } = TABLES;
  const kind = kinds[code] as number;
  const more = isLetter(kind) ? count : count - 1;
  let sum = second[indexOf(code, more > 0 ? kind : next)] as number;
  // From the third of them on long runs have tokens of their own.
  const place = RUN + Math.max(0, code - 32) * 3;
  for (let run = 2; run < more + 2 && run <= LONG_RUN; run += 1) sum += weights[place + lengthOf(run)] as number;
  return sum + Math.max(0, more + 1 - LONG_RUN) * (weights[place + lengthOf(LONG_RUN)] as number);
}

/** Characters that are not ASCII, behind the last one that is. */
function weightOfOthers(text: string, before: number): number {
  let sum = 0;
  let last = before;
  let run = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    run = code === last ? run + 1 : 0;
    sum += TABLES.weights[run > 1 ? RUN_OTHER + lengthOf(run) : otherAt(code, last, i)] as number;
    last = code;
  }
  return sum;
}

const LONG_RUN = 16;

/** The third and the fourth of the same symbols, a run, or a long one. */
function lengthOf(run: number): number {
  return run <= 3 ? 0 : run < LONG_RUN ? 1 : 2;
}

/** What is not ASCII, by its script and, where a language or a rank shows in the code, by its place there. */
function otherAt(code: number, before: number, place: number): number {
  if (code < 0x180) return LATIN + (code - 0x80) * 2 + (isLatin(before) ? 1 : 0);
  if (code < 0x1100) {
    if (code >= 0x410 && code < 0x450 && before >= 0x410 && before < 0x450) {
      return CYRILLIC + (place < 3 ? 0 : place < 6 ? 1024 : 2048) + (code & 31) * 32 + (before & 31);
    }
    return ALPHABETS + (place < 4 ? 0 : 992) + ((code - 0x180) >> 2);
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

function isLatin(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** Furthest a figure is believed: a request counted with other things in it says nothing about the texts. */
const FURTHEST = 4;

/** A counter that is right about what the provider counted last; the same counter where its figure says nothing. */
export function calibrate(counter: TokenCounter, { estimated, actual }: Usage): TokenCounter {
  const ratio = actual / estimated;
  if (!(ratio >= 1 / FURTHEST && ratio <= FURTHEST) || ratio === 1) return counter;
  return (text) => Math.round(counter(text) * ratio);
}
