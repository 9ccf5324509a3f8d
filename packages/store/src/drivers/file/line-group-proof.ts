import type { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

import { behindZeros } from './checksums.ts';
import {
  closing,
  comma,
  digitsOf,
  emptyFields,
  type Fields,
  lineFeed,
  type Meta,
  readCounts,
  shortestLine,
  sumOf,
} from './line.ts';

/**
 * Bytes of lines proved by one checksum call. CRC-32 detects every change of up to three bits within 11 kB, so this is
 * as safe as checking each line.
 */
const runBytes = 8 * 1024;
const mostLines = 64;

/** The bytes between two line texts: `]`, a line feed, `["`, two checksums, `",`. */
const betweenBytes = 22;

/** A linear map of checksums as four tables, one per byte. */
type Tables = Int32Array;
const tableLength = 1024;
const shiftCount = 14;

const apply = (tables: Tables, at: number, crc: number): number =>
  (tables[at + (crc & 255)] ?? 0) ^
  (tables[at + 256 + ((crc >>> 8) & 255)] ?? 0) ^
  (tables[at + 512 + ((crc >>> 16) & 255)] ?? 0) ^
  (tables[at + 768 + (crc >>> 24)] ?? 0);

/** Builds the tables of a map from its values for the 32 bits. */
function tablesOf(bits: ArrayLike<number>): Tables {
  const tables = new Int32Array(tableLength);
  for (let byte = 0; byte < 4; byte += 1) {
    for (let value = 1; value < 256; value += 1) {
      const rest = value & (value - 1);
      const bit = 31 - Math.clz32(value ^ rest);
      tables[byte * 256 + value] = (tables[byte * 256 + rest] ?? 0) ^ (bits[byte * 8 + bit] ?? 0);
    }
  }
  return tables;
}

const bitsOf = (map: (crc: number) => number): Int32Array => Int32Array.from({ length: 32 }, (_, bit) => map(1 << bit));

/** Maps for 1, 2, 4, … zero bytes, as consecutive tables. */
function createShifts(): Tables {
  const shifts = new Int32Array(shiftCount * tableLength);
  for (let index = 0; index < shiftCount; index += 1) {
    shifts.set(tablesOf(bitsOf((crc) => behindZeros(crc >>> 0, 2 ** index))), index * tableLength);
  }
  return shifts;
}

/** The checksum after that many zero bytes. */
function shifted(shifts: Tables, crc: number, bytes: number): number {
  let result = crc;
  for (let left = bytes; left > 0; left &= left - 1) {
    result = apply(shifts, (31 - Math.clz32(left & -left)) * tableLength, result);
  }
  return result;
}

const textSum = (link: string, crc: string): number => crc32(`]\n["${link}${crc}",`);

/** What each byte of a checksum, as two digits, adds to the sum of the text between lines. */
function digitTables(sumOfDigits: (digits: string) => number): Tables {
  return Int32Array.from({ length: tableLength }, (_, index) => {
    const value = ((index & 255) << ((index >>> 8) * 8)) >>> 0;
    return sumOfDigits(value.toString(16).padStart(8, '0'));
  });
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** `{"mo` and `re":`, as numbers. */
const moreHigh = 0x7b22_6d6f;
const moreLow = 0x7265_223a;

/** The value of four digits from their codes; arbitrary for other characters. */
function valueOf(digits: number): number {
  const nibbles = (digits & 0x0f0f_0f0f) + ((digits >>> 6) & 0x0101_0101) * 9;
  return ((nibbles >>> 12) & 0xf000) | ((nibbles >>> 8) & 0xf00) | ((nibbles >>> 4) & 0xf0) | (nibbles & 0xf);
}

/** Consecutive lines that were read but not proved, in typed arrays to avoid an object per line. */
export class Run {
  from = 0;
  link = 0;
  count = 0;
  #seq = 0;
  /** The end of each line, without its line feed, and the checksum written in it. */
  readonly ends: Int32Array = new Int32Array(mostLines);
  readonly sums: Int32Array = new Int32Array(mostLines);
  readonly #records: Int32Array = new Int32Array(mostLines * 2);
  readonly #fields: Fields = emptyFields();
  /** The current bytes, with a view for reading numbers. */
  #bytes: Buffer | undefined;
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** The `more` of each line, or -1; and that of the line just read. */
  readonly #mores = new Int32Array(mostLines);
  #more = -1;

  /** Reads lines while each has a common form and follows the one before. */
  gather(bytes: Buffer, at: { from: number; filled: number; seq: number; link: number }): void {
    const { from, filled, seq, link } = at;
    const fields = this.#fields;
    const most = Math.min(filled, from + runBytes);
    this.from = from;
    this.link = link;
    this.#seq = seq;
    const view = this.#viewOf(bytes);
    let high = digitsOf(link >>> 16);
    let low = digitsOf(link & 0xffff);
    let count = 0;
    let start = from;
    while (count < mostLines && start + shortestLine <= most) {
      if (view.getUint32(start + 2) !== high || view.getUint32(start + 6) !== low) break;
      if (!readCounts(bytes, fields, start) || fields.seq !== seq + count) break;
      high = view.getUint32(start + 10);
      low = view.getUint32(start + 14);
      const upper = valueOf(high);
      const lower = valueOf(low);
      if (digitsOf(upper) !== high || digitsOf(lower) !== low) break;
      const { recordAt, recordEnd } = fields;
      const to = this.#endBehind(bytes, recordEnd, most);
      if (to < 0) break;
      this.#mores[count] = this.#more;
      this.ends[count] = to;
      this.sums[count] = (upper << 16) | lower;
      this.#records[count * 2] = recordAt;
      this.#records[count * 2 + 1] = recordEnd;
      count += 1;
      start = to + 1;
    }
    this.count = count;
  }

  /** The end of a line whose record ends here, if only a `more` meta follows; -1 otherwise. */
  #endBehind(bytes: Buffer, recordEnd: number, most: number): number {
    let at = recordEnd;
    this.#more = -1;
    if (bytes[at] === comma) {
      if (at + 13 > most || this.#view.getUint32(at + 1) !== moreHigh || this.#view.getUint32(at + 5) !== moreLow)
        return -1;
      let more = 0;
      for (at += 9; isDigit(bytes[at]) && at < recordEnd + 18; at += 1) more = more * 10 + ((bytes[at] ?? 0) - 0x30);
      if (at === recordEnd + 9 || bytes[at] !== 0x7d) return -1;
      this.#more = more;
      at += 1;
    }
    return at + 1 < most && bytes[at] === closing && bytes[at + 1] === lineFeed ? at + 1 : -1;
  }

  #viewOf(bytes: Buffer): DataView {
    if (this.#bytes !== bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    return this.#view;
  }

  /** Fills the fields with a line and returns its meta. */
  show(index: number, into: Fields): Meta | undefined {
    const to = this.ends[index] ?? 0;
    into.from = index === 0 ? this.from : (this.ends[index - 1] ?? 0) + 1;
    into.to = to;
    into.link = index === 0 ? this.link : (this.sums[index - 1] ?? 0) >>> 0;
    into.crc = (this.sums[index] ?? 0) >>> 0;
    into.seq = this.#seq + index;
    into.recordAt = this.#records[index * 2] ?? 0;
    into.recordEnd = this.#records[index * 2 + 1] ?? 0;
    const more = this.#mores[index] ?? -1;
    return more < 0 ? undefined : { more };
  }
}

/**
 * Verifies the checksums of consecutive lines with one checksum over all of them. Its expected value follows from the
 * checksums written in the lines.
 */
export class RunProof {
  readonly #shifts: Tables = createShifts();
  readonly #between: Tables;
  /** What the digits of a checksum contribute to the text between two lines, by byte and position. */
  readonly #linkDigits: Tables;
  readonly #crcDigits: Tables;
  readonly #bare: number;

  constructor() {
    this.#between = tablesOf(bitsOf((crc) => shifted(this.#shifts, crc, betweenBytes)));
    this.#bare = textSum('00000000', '00000000');
    this.#linkDigits = digitTables((digits) => textSum(digits, '00000000') ^ this.#bare);
    this.#crcDigits = digitTables((digits) => textSum('00000000', digits) ^ this.#bare);
  }

  holds(bytes: Buffer, { from, link, count, ends, sums }: Run): boolean {
    let crc = sums[0] ?? 0;
    let end = ends[0] ?? 0;
    // The difference between the overall checksum and the one written in the line.
    let off = 0;
    for (let index = 1; index < count; index += 1) {
      const next = sums[index] ?? 0;
      const to = ends[index] ?? 0;
      const text = this.#bare ^ apply(this.#linkDigits, 0, crc) ^ apply(this.#crcDigits, 0, next);
      off = shifted(this.#shifts, apply(this.#between, 0, off ^ crc) ^ text ^ crc, to - end - betweenBytes);
      crc = next;
      end = to;
    }
    return (sumOf(bytes, { from, to: end, link }) ^ crc) === off;
  }
}

let made: RunProof | undefined;

/** Created for the first long log: the tables take a millisecond. */
export const runProof = (): RunProof => (made ??= new RunProof());
