import { Unreadable } from '../unreadable.ts';
import { maxTextBytes, megabytes } from './source.ts';

/** One line of a file: its text, and where its bytes lie. `next` is where the following line starts. */
export interface Line {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

export const byteOrderMark: Uint8Array = Uint8Array.of(0xef, 0xbb, 0xbf);

const startsWithMark = (bytes: Uint8Array): boolean => byteOrderMark.every((byte, index) => bytes[index] === byte);

interface RawLine {
  readonly number: number;
  readonly start: number;
  readonly bytes: Uint8Array;
  readonly ended: boolean;
}

function lineOf({ number, start, bytes, ended }: RawLine): Line {
  const skip = start === 0 && startsWithMark(bytes) ? byteOrderMark.length : 0;
  const returned = ended && bytes.at(-1) === carriageReturn ? 1 : 0;
  return {
    number,
    bytes: bytes.subarray(skip, bytes.length - returned),
    start: start + skip,
    end: start + bytes.length - returned,
    next: start + bytes.length + (ended ? 1 : 0),
  };
}

/** Gives the lines one after the other, holding no more than the one at hand. */
export function* splitLines(chunks: Iterable<Uint8Array>): Generator<Line> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let number = 1;
  let start = 0;
  for (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      pending.push(chunk.subarray(from, at));
      const bytes = pending.length === 1 ? chunk.subarray(from, at) : Buffer.concat(pending);
      yield lineOf({ number, start, bytes, ended: true });
      number += 1;
      start += bytes.length + 1;
      from = at + 1;
      pending = [];
      pendingBytes = 0;
    }
    pending.push(chunk.subarray(from));
    pendingBytes += chunk.length - from;
    if (pendingBytes > maxTextBytes) {
      throw new Unreadable(
        `has a line ${number} of more than ${megabytes(maxTextBytes)}, which is the limit for one JSON text`,
      );
    }
  }
  const bytes = Buffer.concat(pending);
  if (bytes.length > 0) yield lineOf({ number, start, bytes, ended: false });
}
