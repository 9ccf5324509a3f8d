import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

import type { InfoChange } from '../../driver.ts';
import { Checksums } from './checksums.ts';

/** A long string stored in its own file: its place in the record, its length, and its SHA-256. */
export type BlobPlace = readonly [at: number, bytes: number, hash: string];

/** Additional fields of a line. Unknown keys are carried. */
export type Meta = {
  /** How many lines of the batch follow. Readers never see part of a batch. */
  readonly more?: number;
  readonly op?: string;
  /** Changes to the list entry. */
  readonly info?: Partial<InfoChange>;
  /** How many torn bytes precede this line; they are in quarantine. */
  readonly torn?: number;
  /** The records before this one were lost, and the loss was accepted. */
  readonly gap?: true;
  readonly blobs?: readonly BlobPlace[];
  readonly [key: string]: unknown;
};

/** A line with a valid checksum; `link` is the checksum of the line it follows. */
export type Line = {
  readonly link: number;
  readonly crc: number;
  readonly seq: number;
  readonly record: Buffer;
  readonly meta: Meta | undefined;
};

/** The state that the next line must continue. */
export type Tip = { readonly offset: number; readonly seq: number; readonly crc: number };

const headLength = 20;
/** Upper bound of the bytes that a line without meta adds to its record. */
export const lineRoom = 64;
const quote = 0x22;
export const comma = 0x2c;
export const closing = 0x5d;
export const lineFeed = 0x0a;

/** The two hexadecimal digits of each byte, as one number of their codes. */
const digitPairs = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, '0')).readUInt16BE(),
);

/** The four digits of a 16-bit value, as one number of their codes. */
export const digitsOf = (value: number): number =>
  (((digitPairs[value >>> 8] ?? 0) << 16) | (digitPairs[value & 255] ?? 0)) >>> 0;

function writeHex(bytes: Buffer, at: number, value: number): void {
  bytes.writeUInt32BE(digitsOf(value >>> 16), at);
  bytes.writeUInt32BE(digitsOf(value & 0xffff), at + 4);
}

/** The link of the first line, so that a line of another session never fits. */
export function seedOf(name: string): number {
  return crc32(JSON.stringify(name));
}

/** A growing buffer of lines. */
export type Sheet = { bytes: Buffer; end: number };

type LineContent = { readonly seq: number; readonly record: Uint8Array; readonly meta?: Meta | undefined };

/** Returns the buffer, enlarged if necessary. */
function withRoom(sheet: Sheet, to: number): Buffer {
  if (to <= sheet.bytes.length) return sheet.bytes;
  const more = Buffer.allocUnsafe(Math.max(to, sheet.bytes.length * 2));
  more.set(sheet.bytes.subarray(0, sheet.end));
  sheet.bytes = more;
  return more;
}

/** Appends `["<link><crc>",<seq>,<length>,<record>]` or `[…,<record>,<meta>]` and returns its checksum. */
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
  // The checksum covers everything behind it and starts from the link.
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

export function encodeLine(content: LineContent, link: number): { readonly bytes: Buffer; readonly crc: number } {
  const sheet = { bytes: Buffer.allocUnsafe(content.record.length + lineRoom), end: 0 };
  const crc = addLine(sheet, content, link);
  return { bytes: sheet.bytes.subarray(0, sheet.end), crc };
}

export const recordStart = (seq: number, length: number): number => headLength + `${seq},${length},`.length;

/** The value of each lower-case hexadecimal digit; 16 for any other byte. */
const digitOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(byte));
  return value < 0 ? 16 : value;
});

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

/** A decimal number up to a comma, without leading zeros, so that each value has one spelling. */
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

/** The fields of a line as numbers, so that a scan of a million lines allocates no objects. */
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

/** Reads the line between `from` and `to`, without its line feed; false if it is not sound. */
export function readFields(bytes: Buffer, into: Fields): boolean {
  return readHead(bytes, into) && isSound(bytes, into);
}

/** The checksum of the line between `from` and `to`, without its line feed. */
export function sumOf(bytes: Buffer, { from, to, link }: { from: number; to: number; link: number }): number {
  // A Uint8Array is created in half the time of a Buffer slice.
  return crc32(new Uint8Array(bytes.buffer, bytes.byteOffset + from + headLength, to - 1 - from - headLength), link);
}

/** Whether a line ends where its head says and has a valid checksum. */
export function isSound(bytes: Buffer, fields: Fields): boolean {
  return hasShape(bytes, fields) && sumOf(bytes, fields) === fields.crc;
}

/** The shortest possible line: head, two one-digit numbers with commas, a one-byte record, end. */
export const shortestLine: number = headLength + 7;

function hasShape(bytes: Buffer, { from, to, recordEnd }: Fields): boolean {
  const end = to - 1;
  if (to - from < headLength + 6 || bytes[end] !== closing) return false;
  return recordEnd === end || (recordEnd < end && bytes[recordEnd] === comma);
}

/**
 * Where the line ends according to its head, without searching the record; -1 if the head does not tell. The checksum
 * proves the result.
 */
export function endByHead(bytes: Buffer, { recordEnd }: Fields, filled: number): number {
  if (recordEnd + 1 >= filled) return -1;
  if (bytes[recordEnd] === closing) return bytes[recordEnd + 1] === lineFeed ? recordEnd + 1 : -1;
  return bytes[recordEnd] === comma ? bytes.indexOf(lineFeed, recordEnd) : -1;
}

/** Reads the part before the record. */
export function readHead(bytes: Buffer, into: Fields): boolean {
  const { from } = into;
  const link = readHex(bytes, from + 2);
  const crc = readHex(bytes, from + 10);
  if (link === undefined || crc === undefined || !readCounts(bytes, into, from)) return false;
  into.link = link;
  into.crc = crc;
  return true;
}

/** `readHead` without the two checksums. */
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

/** The fields behind the record; undefined if there are none. The checksum is already verified. */
export function readMeta(bytes: Buffer, recordEnd: number, to: number): Meta | undefined {
  if (recordEnd === to - 1) return undefined;
  return JSON.parse(bytes.toString('utf8', recordEnd + 1, to - 1)) as Meta;
}

/** The line as an object; undefined if it is not sound. */
export function readLine(bytes: Buffer, from: number, to: number): Line | undefined {
  const fields = { ...emptyFields(), from, to };
  if (!readFields(bytes, fields)) return undefined;
  const { link, crc, seq, recordAt, recordEnd } = fields;
  return { link, crc, seq, record: bytes.subarray(recordAt, recordEnd), meta: readMeta(bytes, recordEnd, to) };
}

/** Where a line without meta ends by its length, in case its line feed is damaged. */
function endByLength(bytes: Buffer, from: number): number | undefined {
  if (!readCount(bytes, from + headLength, count) || !readCount(bytes, count.next, count)) return undefined;
  const end = count.next + count.value + 1;
  return end <= bytes.length ? end : undefined;
}

export type Found = { readonly at: number; readonly to: number; readonly end: number };

/**
 * Finds the next sound line at or after `from`, even in damaged bytes: behind a line feed, or glued to a torn write.
 * `to` excludes its line feed; `end` includes it.
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
  // The end of the last line examined; -1 if there is none.
  let to = bytes.indexOf(lineFeed, from);
  for (let at = bytes.indexOf('["', from, 'latin1'); at >= 0; at = bytes.indexOf('["', at + 1, 'latin1')) {
    if (bytes[at + 18] !== quote || readHex(bytes, at + 2) === undefined) continue;
    if (to >= 0 && to < at) to = bytes.indexOf(lineFeed, at);
    if (to >= 0 && isLine(at, to)) return { at, to, end: to + 1 };
    // An editor may have put a carriage return before the line feed.
    const shorter = bytes[to - 1] === 0x0d && isLine(at, to - 1);
    if (shorter) return { at, to: to - 1, end: to + 1 };
    // Text that neither starts nor ends like a line is inside a record, which may quote lines of other logs.
    if (at > from + 1 && bytes[at - 1] !== lineFeed) continue;
    const own = endByLength(bytes, at);
    if (own === undefined || own === to || !isLine(at, own)) continue;
    return { at, to: own, end: own };
  }
  return undefined;
}
