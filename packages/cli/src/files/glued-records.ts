import { endOfString } from './json-string.ts';
import type { Range } from './pieces.ts';

const marks = /["{}[\]]/g;
const filled = /[^ \t]/g;

/** What no record has outside of its strings: zeros that a power cut left, and the mark at the start of a file. */
const filler = /(?:\0|\u00EF\u00BB\u00BF)+/y;

function filledFrom(text: string, from: number): number {
  filled.lastIndex = from;
  return filled.exec(text)?.index ?? text.length;
}

function filledBefore(text: string, end: number): string {
  let at = end - 1;
  while (text[at] === ' ' || text[at] === '\t') at -= 1;
  return text.charAt(at);
}

/** May an object begin here, within the object or list that was opened last? */
function mayBegin(text: string, at: number, within: string): boolean {
  const before = filledBefore(text, at);
  return before === ':' || before === '[' || (before === ',' && within === '[');
}

/** A string that was never ended takes in the brace of the next record, and ends with the quote of its first key. */
function breaksIn(text: string, { start, end }: Range): boolean {
  return end - start > 2 && text[end - 2] === '{' && !',:}]{\0'.includes(text.charAt(filledFrom(text, end)));
}

/** An object as far as it goes; where it is torn, and nothing shows that, `inner` is what it ends with. */
interface Reach {
  readonly end: number;
  readonly inner?: number;
}

/** Where the object ends that begins at `from`: with its last brace, where another record begins, or with the text. */
function reachOf(text: string, from: number): Reach {
  const open: number[] = [];
  let closed: Range | undefined;
  marks.lastIndex = from;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const { index, 0: mark } = found;
    if (mark === '"') {
      marks.lastIndex = endOfString(text, index);
      const string = { start: index, end: marks.lastIndex };
      if (breaksIn(text, string)) return { end: string.end - 2 };
    } else if (mark === '{' || mark === '[') {
      if (mark === '{' && open.length > 0 && !mayBegin(text, index, text.charAt(open.at(-1) ?? from)))
        return { end: index };
      open.push(index);
    } else {
      closed = { start: open.pop() ?? from, end: index + 1 };
      if (open.length === 0) return { end: closed.end };
    }
  }
  const isLast = closed !== undefined && filledFrom(text, closed.end) === text.length;
  return { end: text.length, ...(isLast && closed !== undefined ? { inner: closed.start } : {}) };
}

function nextStretch(text: string, start: number, isRecord: (text: string) => boolean): Range | undefined {
  filler.lastIndex = start;
  const skipped = filler.exec(text)?.[0].length;
  if (skipped !== undefined) return { start, end: start + skipped };
  if (text[start] !== '{') return undefined;
  const { end, inner } = reachOf(text, start);
  return { start, end: inner !== undefined && isRecord(text.slice(inner)) ? inner : end };
}

/**
 * Divides a line wherever one record ends and the next begins, and where one is torn and the next begins all the same;
 * what stands in a string decides nothing. Gives none for a line that is not made of two stretches or more. Where a
 * torn record may as well go on with what follows, `isRecord` is asked about that.
 */
export function splitRecords(line: Uint8Array, isRecord: (text: string) => boolean): readonly Range[] {
  // One character for each byte: all that is looked for is ASCII, which is no part of any other character in UTF-8.
  const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString('latin1');
  const stretches: Range[] = [];
  for (let at = filledFrom(text, 0); at < text.length;) {
    const stretch = nextStretch(text, at, isRecord);
    if (stretch === undefined) return [];
    stretches.push(stretch);
    at = filledFrom(text, stretch.end);
  }
  return stretches.length > 1 ? stretches : [];
}
