import {
  AHEAD_BITS,
  MASK_BITS,
  NOTHING,
  NOT_ASCII,
  ODD,
  ONE,
  PLACE,
  ROW,
  STATE,
  STATE_BITS,
  STEP_BITS,
  readTables,
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
  const chances = (made ??= makeChances());
  if (length <= LONGEST) return Math.max(1, Math.round(chances(text, 0, length)));
  const pieces = Math.min(MOST_PIECES, Math.max(LONGEST / PIECE, length >> 11));
  let sum = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    const from = Math.floor((piece * (length - PIECE)) / (pieces - 1));
    sum += chances(text, from, from + PIECE);
  }
  return Math.round((sum / (pieces * PIECE)) * length);
}

/** Sums up the chances of a stretch of a text. */
type Chances = (text: string, from: number, to: number) => number;

/** Made at the first count, because most programs that load this never count. */
let made: Chances | undefined;

/**
 * Every character adds the chance that a token begins with it, by its neighbours and its place in a word. All that the
 * loop needs is of this function and not of the module: where a package is bundled, constants of a module are variables
 * that are read again for every character. No index is outside of its table, so none is asked for.
 */
function makeChances(): Chances {
  const { weights, pairs, steps } = readTables();
  const [row, ascii, odd, line] = [ROW, NOT_ASCII, ODD, LINE_FEED];
  const [aheadBits, maskBits, stepBits, stateBits] = [AHEAD_BITS, MASK_BITS, STEP_BITS, STATE_BITS];
  const [places, states, stepMask] = [PLACE, STATE, STATE << STATE_BITS];
  return (text, from, to) => {
    let sum = 0;
    // A text begins and ends as a line does.
    let before: number = line;
    let state = 0;
    let place = 0;
    /** Where the newest symbol stands that is the one before it again, and how many those are by now. */
    let repeated = -1;
    let run = 0;
    /** Where the weight of the character before stands, and what of that the character behind it may change. */
    let waiting: number = NOTHING;
    let mask = 0;
    let i = from;
    while (i < to) {
      let pair = 0;
      let code = 0;
      // Nearly all characters stay in this loop, and the less there is in it the better an engine makes it.
      for (; i < to; i += 1) {
        code = text.charCodeAt(i);
        pair = pairs[before * row + (code < ascii ? code : ascii)] as number;
        sum += weights[waiting + ((pair >> aheadBits) & mask)] as number;
        if (pair >= odd) break;
        const step = steps[((pair >> (stepBits - stateBits)) & stepMask) | state] as number;
        state = step & states;
        waiting = (pair & places) + (step >> stateBits);
        mask = (pair >> maskBits) & states;
        before = code;
      }
      if (i === to) break;
      const last = i > from ? text.charCodeAt(i - 1) : -1;
      run = code !== last ? 0 : repeated === i - 1 ? run + 1 : 1;
      repeated = i;
      i += 1;
      if (run > 1 || code >= ascii) {
        place = before === ascii ? place + 1 : 1;
        waiting = run > 1 ? runAt(code, run) : otherAt(code, last, place);
        mask = 0;
        before = code < ascii ? code : ascii;
      } else {
        const step = steps[((pair >> (stepBits - stateBits)) & stepMask) | state] as number;
        state = step & states;
        waiting = (pair & places) + (step >> stateBits);
        mask = (pair >> maskBits) & states;
      }
    }
    const end = pairs[before * row + line] as number;
    return (sum + (weights[waiting + ((end >> aheadBits) & mask)] as number)) / ONE;
  };
}

const LINE_FEED = 10;

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
