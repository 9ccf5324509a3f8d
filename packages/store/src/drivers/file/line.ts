import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

import type { InfoChange } from '../../driver.ts';
import { Checksums } from './checksums.ts';

/** A part of a record that is stored in a file of its own: where it belongs, its length, the SHA-256 of its bytes. */
export type BlobPlace = readonly [at: number, bytes: number, hash: string];

/** What a line says beside its record. Keys that are not known are carried. */
export type Meta = {
  /** How many lines of the same batch follow; a log never ends, for a reader, inside a batch. */
  readonly more?: number;
  readonly op?: string;
  /** What the batch changes in the answer of `list`. */
  readonly info?: Partial<InfoChange>;
  /** So many bytes before this line are what a crash left behind; they are in quarantine. */
  readonly torn?: number;
  /** The records between the last one and this one were lost, and the loss was accepted. */
  readonly gap?: true;
  readonly blobs?: readonly BlobPlace[];
  readonly [key: string]: unknown;
};

/** A line that is sound by itself; `link` says which line it must follow. */
export type Line = {
  readonly link: number;
  readonly crc: number;
  readonly seq: number;
  readonly record: Buffer;
  readonly meta: Meta | undefined;
};

/** What the next line of a log must continue from. */
export type Tip = { readonly offset: number; readonly seq: number; readonly crc: number };

const headLength = 20;
/** As much as a line without a meta adds to its record, and some more. */
export const lineRoom = 64;
const quote = 0x22;
export const comma = 0x2c;
export const closing = 0x5d;
export const lineFeed = 0x0a;

/** The two digits of each byte, as one number of their codes. */
const digitPairs = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, '0')).readUInt16BE(),
);

/** The four digits of two bytes, as one number of their codes. */
export const digitsOf = (value: number): number =>
  (((digitPairs[value >>> 8] ?? 0) << 16) | (digitPairs[value & 255] ?? 0)) >>> 0;

function writeHex(bytes: Buffer, at: number, value: number): void {
  bytes.writeUInt32BE(digitsOf(value >>> 16), at);
  bytes.writeUInt32BE(digitsOf(value & 0xffff), at + 4);
}

/** What the first line of a file is linked to: a line of another session's log does not fit here. */
export function seedOf(name: string): number {
  return crc32(JSON.stringify(name));
}

/** Bytes that lines are added to, one behind the other. */
export type Sheet = { bytes: Buffer; end: number };

type LineContent = { readonly seq: number; readonly record: Uint8Array; readonly meta?: Meta | undefined };

/** The bytes of a sheet, with room up to there. */
function withRoom(sheet: Sheet, to: number): Buffer {
  if (to <= sheet.bytes.length) return sheet.bytes;
  const more = Buffer.allocUnsafe(Math.max(to, sheet.bytes.length * 2));
  more.set(sheet.bytes.subarray(0, sheet.end));
  sheet.bytes = more;
  return more;
}

/** Adds `["<link><crc>",<seq>,<length>,<record>]` or, with something to add, `[…,<record>,<meta>]`; its checksum. */
export function addLine(sheet: Sheet, { seq, record, meta }: LineContent, link: number): number {
  const counts = `${seq},${record.length},`;
  const after = meta === undefined ? '' : `,${JSON.stringify(meta)}`;
  const from = sheet.end;
  const recordAt = from + headLength + counts.length;
  const end = recordAt + record.length + Buffer.byteLength(after) + 2;
  const bytes = withRoom(sheet, end);
  bytes.write(counts, from + headLength, 'latin1');
  bytes.set(record, recordAt);
  if (after !== '') bytes.write(after, recordAt + record.length);
  bytes[end - 2] = closing;
  bytes[end - 1] = lineFeed;
  // The checksum is that of everything behind it, started from the link.
  const crc = sumOf(bytes, { from, to: end - 1, link });
  bytes[from] = 0x5b;
  bytes[from + 1] = quote;
  writeHex(bytes, from + 2, link);
  writeHex(bytes, from + 10, crc);
  bytes[from + 18] = quote;
  bytes[from + 19] = comma;
  sheet.end = end;
  return crc;
}

/** One line by itself. */
export function encodeLine(content: LineContent, link: number): { readonly bytes: Buffer; readonly crc: number } {
  const sheet = { bytes: Buffer.allocUnsafe(content.record.length + lineRoom), end: 0 };
  const crc = addLine(sheet, content, link);
  return { bytes: sheet.bytes.subarray(0, sheet.end), crc };
}

/** Where in its line a record starts. */
export const recordStart = (seq: number, length: number): number => headLength + `${seq},${length},`.length;

/** The value of each lower case hexadecimal digit, and 16 for every other byte. */
const digitOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(byte));
  return value < 0 ? 16 : value;
});

/** Eight digits as a number; undefined when one is none. */
function readHex(bytes: Buffer, at: number): number | undefined {
  let value = 0;
  let wrong = 0;
  for (let index = at; index < at + 8; index += 1) {
    const digit = digitOf[bytes[index] ?? 0] ?? 16;
    wrong |= digit;
    value = value * 16 + digit;
  }
  return wrong > 15 ? undefined : value;
}

/** Where a run of digits ends at a comma, and their value; no leading zero, so that one value has one spelling. */
type Count = { value: number; next: number };

function readCount(bytes: Buffer, from: number, into: Count): boolean {
  let value = 0;
  let index = from;
  for (; index < bytes.length; index += 1) {
    const digit = (bytes[index] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  if (index === from || index - from > 15 || bytes[index] !== comma) return false;
  if (bytes[from] === 0x30 && index - from > 1) return false;
  into.value = value;
  into.next = index + 1;
  return true;
}

const count: Count = { value: 0, next: 0 };

/** The fields of a line in plain numbers, so that a scan of a million lines makes no objects. */
export type Fields = {
  from: number;
  to: number;
  link: number;
  crc: number;
  seq: number;
  recordAt: number;
  recordEnd: number;
};
export const emptyFields = (): Fields => ({ from: 0, to: 0, link: 0, crc: 0, seq: 0, recordAt: 0, recordEnd: 0 });

/** Reads the line in `bytes` between `from` and, without its line feed, `to`; false when it is not sound. */
export function readFields(bytes: Buffer, into: Fields): boolean {
  return readHead(bytes, into) && isSound(bytes, into);
}

/** The checksum of a line that starts and, without its line feed, ends there. */
export function sumOf(bytes: Buffer, { from, to, link }: { from: number; to: number; link: number }): number {
  // A bare array of bytes is made in half the time of a part of a buffer.
  return crc32(new Uint8Array(bytes.buffer, bytes.byteOffset + from + headLength, to - 1 - from - headLength), link);
}

/** Whether a line whose head was read ends where its record says, and has the checksum that stands in it. */
export function isSound(bytes: Buffer, fields: Fields): boolean {
  return hasShape(bytes, fields) && sumOf(bytes, fields) === fields.crc;
}

/** No line is shorter: its head, two numbers of one digit with their commas, a record of one byte, its end. */
export const shortestLine: number = headLength + 7;

function hasShape(bytes: Buffer, { from, to, recordEnd }: Fields): boolean {
  const end = to - 1;
  if (to - from < headLength + 6 || bytes[end] !== closing) return false;
  return recordEnd === end || (recordEnd < end && bytes[recordEnd] === comma);
}

/**
 * Where the line ends whose head was read, as far as `filled`, without a search through its record: what stands there
 * is proved by the checksum like everything else. -1 when the head does not tell.
 */
export function endByHead(bytes: Buffer, { recordEnd }: Fields, filled: number): number {
  if (recordEnd + 1 >= filled) return -1;
  if (bytes[recordEnd] === closing) return bytes[recordEnd + 1] === lineFeed ? recordEnd + 1 : -1;
  return bytes[recordEnd] === comma ? bytes.indexOf(lineFeed, recordEnd) : -1;
}

/** Reads what stands before a record, from `from` on. */
export function readHead(bytes: Buffer, into: Fields): boolean {
  const { from } = into;
  const link = readHex(bytes, from + 2);
  const crc = readHex(bytes, from + 10);
  if (link === undefined || crc === undefined || !readCounts(bytes, into, from)) return false;
  into.link = link;
  into.crc = crc;
  return true;
}

/** The same without the two checksums. */
export function readCounts(bytes: Buffer, into: Fields, from: number): boolean {
  if (bytes[from] !== 0x5b || bytes[from + 1] !== quote) return false;
  if (bytes[from + 18] !== quote || bytes[from + 19] !== comma) return false;
  if (!readCount(bytes, from + headLength, count)) return false;
  const seq = count.value;
  if (!readCount(bytes, count.next, count)) return false;
  into.from = from;
  into.seq = seq;
  into.recordAt = count.next;
  into.recordEnd = count.next + count.value;
  return true;
}

/** What stands behind the record; undefined when nothing does. The checksum says that it is what was written. */
export function readMeta(bytes: Buffer, recordEnd: number, to: number): Meta | undefined {
  if (recordEnd === to - 1) return undefined;
  return JSON.parse(bytes.toString('utf8', recordEnd + 1, to - 1)) as Meta;
}

/** The line as an object; undefined when it is not sound. */
export function readLine(bytes: Buffer, from: number, to: number): Line | undefined {
  const fields = { ...emptyFields(), from, to };
  if (!readFields(bytes, fields)) return undefined;
  const { link, crc, seq, recordAt, recordEnd } = fields;
  return { link, crc, seq, record: bytes.subarray(recordAt, recordEnd), meta: readMeta(bytes, recordEnd, to) };
}

/** Where a line without a meta ends by its own length, for one whose line feed was damaged. */
function endByLength(bytes: Buffer, from: number): number | undefined {
  if (!readCount(bytes, from + headLength, count) || !readCount(bytes, count.next, count)) return undefined;
  const end = count.next + count.value + 1;
  return end <= bytes.length ? end : undefined;
}

export type Found = { readonly at: number; readonly to: number; readonly end: number };

/**
 * The next sound line that starts at `from` or later, wherever in a damaged stretch it stands: behind a line feed, or
 * glued to what was torn before it. `to` is without its line feed, `end` behind it.
 */
export function findLine(bytes: Buffer, from: number): Found | undefined {
  const fields = emptyFields();
  const sums = new Checksums(bytes, from);
  const isLine = (from: number, to: number): boolean => {
    fields.from = from;
    fields.to = to;
    return (
      readHead(bytes, fields) &&
      hasShape(bytes, fields) &&
      sums.of(from + headLength, to - 1, fields.link) === fields.crc
    );
  };
  // The end of the line that was looked at last; none is behind -1.
  let to = bytes.indexOf(lineFeed, from);
  for (let at = bytes.indexOf('["', from, 'latin1'); at >= 0; at = bytes.indexOf('["', at + 1, 'latin1')) {
    if (bytes[at + 18] !== quote || readHex(bytes, at + 2) === undefined) continue;
    if (to >= 0 && to < at) to = bytes.indexOf(lineFeed, at);
    if (to >= 0 && isLine(at, to)) return { at, to, end: to + 1 };
    // A tool that knows better has put a carriage return before the line feed.
    const shorter = bytes[to - 1] === 0x0d && isLine(at, to - 1);
    if (shorter) return { at, to: to - 1, end: to + 1 };
    // What neither begins nor ends as a line does stands inside a record, which may hold lines of another log.
    if (at > from + 1 && bytes[at - 1] !== lineFeed) continue;
    const own = endByLength(bytes, at);
    if (own === undefined || own === to || !isLine(at, own)) continue;
    return { at, to: own, end: own };
  }
  return undefined;
}
