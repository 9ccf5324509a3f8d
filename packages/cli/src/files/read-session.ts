import { isUtf8 } from 'node:buffer';

import { detectDialect } from '@rethread/core';

import { plural } from '../plural.ts';
import { Unreadable } from '../unreadable.ts';
import { errorPosition, isCutOff, mendCutOff, withoutZeros } from './cut-off.ts';
import { parseExactly } from './exact-json.ts';
import { type FileFinding, fileFinding } from './file-rules.ts';
import { splitRecords } from './glued-records.ts';
import { type Line, splitLines } from './lines.ts';
import { holdsList } from './message-list.ts';
import type { Range } from './pieces.ts';
import { type Source, maxTextBytes, megabytes } from './source.ts';

/** Where the message of a line lies in the file. */
export interface MessageLine {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly next: number;
  /** True when only blank lines lie between this message and the one before it. */
  readonly adjoins: boolean;
  /** True when the bytes may be copied as they are. */
  readonly sound: boolean;
  /** True when something else stands behind it on its line, so that it has no line end of its own. */
  readonly glued: boolean;
}

/** A file with one JSON value in it. */
export interface JsonSession {
  readonly form: 'json';
  readonly value: unknown;
  readonly text: string;
  readonly findings: readonly FileFinding[];
}

/** A file with one message in each line. */
export interface JsonlSession {
  readonly form: 'jsonl';
  readonly value: readonly unknown[];
  readonly lines: readonly MessageLine[];
  readonly findings: readonly FileFinding[];
}

export type Session = JsonSession | JsonlSession;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const decode = (bytes: Uint8Array): string => decoder.decode(bytes);

const signatures: readonly { readonly bytes: readonly number[]; readonly name: string }[] = [
  { bytes: [...Buffer.from('SQLite format 3\0')], name: 'is a SQLite database, not JSON' },
  { bytes: [0x1f, 0x8b], name: 'is compressed with gzip; unpack it first' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], name: 'is compressed with zstd; unpack it first' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], name: 'is a zip archive; unpack it first' },
  { bytes: [0xff, 0xfe], name: 'is UTF-16 text; save it as UTF-8 first' },
  { bytes: [0xfe, 0xff], name: 'is UTF-16 text; save it as UTF-8 first' },
];

function refuseSignature(source: Source): void {
  for (const chunk of source.chunks()) {
    const known = signatures.find(({ bytes }) => bytes.every((byte, index) => chunk[index] === byte));
    if (known !== undefined) throw new Unreadable(known.name);
    return;
  }
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/** Reads a text that is JSON; throws where it is not. */
type Reader = (text: string) => unknown;

function parse(text: string, read: Reader): Parsed {
  try {
    return { ok: true, value: read(text) };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : '' };
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBlank = (line: Line): boolean => line.bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

const placeIn = (text: string, position: number): string => {
  const before = text.slice(0, position).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
};

/** The sentence about a text that is no JSON; the parser's own message is not shown, since it quotes the content. */
function notJson(text: string, error: string): Unreadable {
  const end = text.trimEnd().length;
  if (end === 0) return new Unreadable('is empty');
  if (isCutOff(text, error))
    return new Unreadable(`is cut off: the JSON ends in the middle of a value (${placeIn(text, end)})`);
  const position = errorPosition(error);
  return new Unreadable(position === undefined ? 'is not JSON' : `is not JSON (${placeIn(text, position)})`);
}

/** What of a line cannot be read: all of it, or what is left where its other messages can. */
interface Unread {
  readonly line: Line;
  readonly bytes: number;
  readonly partly: boolean;
}

const notJsonFinding = ({ line: { number }, bytes, partly }: Unread): FileFinding =>
  fileFinding(
    'line-not-json',
    number,
    `${partly ? `a part of line ${number}` : `line ${number}`} is not JSON (${plural(bytes, 'byte')})`,
  );

const tornFinding = ({ line: { number }, bytes, partly }: Unread): FileFinding =>
  fileFinding(
    'torn-last-line',
    number,
    `${partly ? `the end of line ${number}` : `line ${number}`} is half written (${plural(bytes, 'byte')})`,
  );

function gluedFinding({ number }: Line, { messages, whole }: { messages: number; whole: boolean }): FileFinding {
  const held = messages === 1 ? '1 message that was' : `${messages} messages that were`;
  const read = messages === 1 ? 'it is read' : 'all are read';
  const loss = whole ? ', and nothing is lost' : '';
  return fileFinding('lines-glued', number, `line ${number} holds ${held} not ended; ${read}${loss}`);
}

/** Reads lines one at a time and keeps, beside the messages, only where each of them lies. */
class LineReader {
  readonly #values: unknown[] = [];
  readonly #lines: MessageLine[] = [];
  readonly #findings: FileFinding[] = [];
  readonly #read: Reader;
  #adjoins = true;
  #torn: (Unread & { readonly index: number }) | undefined;

  constructor(read: Reader) {
    this.#read = read;
  }

  take(line: Line): void {
    if (isBlank(line)) return;
    const from = this.#lines.length;
    const parsed = parse(decode(line.bytes), this.#read);
    const sound = isUtf8(line.bytes);
    if (parsed.ok) this.#add(parsed.value, { ...line, adjoins: this.#adjoins, sound, glued: false });
    else if (!this.#takeGlued(line)) this.#leaveOut({ line, bytes: line.bytes.length, partly: false });
    if (this.#lines.slice(from).every((message) => message.sound)) return;
    const explain = `line ${line.number} holds bytes that are not UTF-8`;
    this.#findings.push(fileFinding('bytes-not-utf8', line.number, explain));
  }

  #add(value: unknown, { number, start, end, next, adjoins, sound, glued }: MessageLine): void {
    this.#values.push(value);
    this.#lines.push({ number, start, end, next, adjoins, sound, glued });
    this.#adjoins = true;
  }

  #leaveOut(unread: Unread): void {
    this.#torn = { ...unread, index: this.#findings.length };
    this.#findings.push(notJsonFinding(unread));
    this.#adjoins = false;
  }

  /** Takes the messages of a line that holds more than one, or one and something else; false where it does not. */
  #takeGlued(line: Line): boolean {
    const stretches = stretchesOf(line).map((range) => {
      const bytes = line.bytes.subarray(range.start, range.end);
      return { ...range, bytes, sound: isUtf8(bytes), parsed: parse(decode(bytes), this.#read) };
    });
    const messages = stretches.filter(({ parsed }) => parsed.ok).length;
    if (messages === 0) return false;
    if (stretches.slice(0, -1).some(({ parsed }) => parsed.ok))
      this.#findings.push(gluedFinding(line, { messages, whole: messages === stretches.length }));
    for (const [index, { start, end, bytes, sound, parsed }] of stretches.entries()) {
      const glued = index < stretches.length - 1;
      const place = glued
        ? { start: line.start + start, end: line.start + end, next: line.start + end }
        : { start: line.start + start, end: line.end, next: line.next };
      const adjoins = index === 0 && this.#adjoins;
      if (parsed.ok) this.#add(parsed.value, { number: line.number, ...place, adjoins, sound, glued });
      else this.#leaveOut({ line, bytes: bytes.length, partly: true });
    }
    return true;
  }

  /** Gives the session, or nothing when too few lines are objects for this to be a file of messages. */
  finish(): JsonlSession | undefined {
    const broken = this.#findings.filter((finding) => finding.rule === 'line-not-json').length;
    const objects = this.#values.filter(isObject).length;
    if (objects === 0 || objects * 2 < this.#values.length + broken) return undefined;
    const findings = [...this.#findings];
    // Only a writer that was stopped leaves a last line without an end.
    const torn = this.#torn;
    if (torn !== undefined && torn.line.next === torn.line.end && !this.#adjoins)
      findings[torn.index] = tornFinding(torn);
    return { form: 'jsonl', value: this.#values, lines: this.#lines, findings };
  }
}

function readLines(source: Source, read: Reader): JsonlSession | undefined {
  const reader = new LineReader(read);
  for (const line of splitLines(source.chunks())) reader.take(line);
  return reader.finish();
}

function readBytes(source: Source): Uint8Array {
  if (source.size > maxTextBytes) {
    const limit = megabytes(maxTextBytes);
    throw new Unreadable(
      `is one JSON text of ${megabytes(source.size)}; the limit is ${limit}, because one string cannot hold more`,
    );
  }
  return Buffer.concat([...source.chunks()]);
}

function findingsOf(bytes: Uint8Array): FileFinding[] {
  if (isUtf8(bytes)) return [];
  for (const line of splitLines([bytes])) {
    const explain = `line ${line.number} holds bytes that are not UTF-8`;
    if (!isUtf8(line.bytes)) return [fileFinding('bytes-not-utf8', line.number, explain)];
  }
  return [];
}

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

function cutOffFinding(text: string, kept: number, bytes: Uint8Array): FileFinding {
  const rest = text.slice(kept);
  const line = lineAt(text, kept + rest.length - rest.replace(/^[\s,]+/, '').length);
  const size = bytes.length - Buffer.byteLength(text.slice(0, kept));
  const what =
    size === 0 ? ' behind its last whole message' : `: no message is whole in its last ${plural(size, 'byte')}`;
  return fileFinding('json-cut-off', line, `the JSON is cut off${what}`);
}

/** Reads a text that is cut off as far as its messages are whole; nothing where that is not what is wrong with it. */
function readCutOff(given: string, bytes: Uint8Array, read: Reader): JsonSession | undefined {
  const mark = given.slice(0, given.length - withoutMark(given).length);
  const text = withoutZeros(withoutMark(given));
  const parsed = parse(text, JSON.parse);
  const ended = parsed.ok ? { text, kept: text.length } : isCutOff(text, parsed.error) ? mendCutOff(text) : undefined;
  const mended = ended === undefined ? undefined : parse(ended.text, read);
  if (ended === undefined || mended?.ok !== true || !holdsList(mended.value)) return undefined;
  const kept = mark.length + ended.kept;
  const begin = Buffer.from(given.slice(0, kept));
  // What is no UTF-8 behind the cut is told of with the rest that is left out.
  const findings = begin.equals(bytes.subarray(0, begin.length)) ? [] : findingsOf(bytes);
  const found = cutOffFinding(given, kept, bytes);
  return { form: 'json', value: mended.value, text: mark + ended.text, findings: [found, ...findings] };
}

/** Is this single line a message, rather than a body or a document of some other kind? */
const looksLikeMessage = (value: unknown): boolean =>
  isObject(value) &&
  !Array.isArray(value.messages) &&
  // Some dialects name who speaks otherwise; in a list of its own a body is no message in any of them.
  (typeof value.role === 'string' || typeof value.kind === 'string' || detectDialect([value]) !== undefined);

const isMessage = (text: string): boolean => {
  const parsed = parse(text, JSON.parse);
  return parsed.ok && looksLikeMessage(parsed.value);
};

const stretchesOf = ({ bytes }: Line): readonly Range[] => splitRecords(bytes, isMessage);

/** Is the first of several things on one line, or the one behind what is torn, a message? */
function startsWithMessage(line: Line): boolean {
  return stretchesOf(line)
    .slice(0, 2)
    .some(({ start, end }) => isMessage(decode(line.bytes.subarray(start, end))));
}

/** The sentence about lines that are JSON of some other kind. */
function notMessages(first: unknown): Unreadable {
  const kind = Array.isArray(first) ? 'a list' : 'a value';
  return new Unreadable(`has ${kind} of its own in its first line, and most of its lines are no messages`);
}

/** Reads a session, told by its content alone: one JSON value, or one message in each line. */
export function readSession(source: Source, read: Reader = parseExactly): Session {
  refuseSignature(source);
  const filled: Line[] = [];
  for (const line of splitLines(source.chunks())) {
    if (!isBlank(line)) filled.push(line);
    if (filled.length === 2) break;
  }
  const first = filled[0];
  if (first === undefined) throw new Unreadable('is empty');
  const opening = parse(decode(first.bytes), JSON.parse);
  // A JSON value that ends with its line and is followed by another line can only be the first of many.
  if (opening.ok && (filled.length === 2 || looksLikeMessage(opening.value))) {
    const session = readLines(source, read);
    if (session !== undefined) return session;
  }
  const bytes = readBytes(source);
  const text = decode(bytes);
  const whole = parse(withoutMark(text), read);
  if (whole.ok) return { form: 'json', value: whole.value, text, findings: findingsOf(bytes) };
  const begun = readCutOff(text, bytes, read);
  if (begun !== undefined) return begun;
  const session = filled.length === 2 || startsWithMessage(first) ? readLines(source, read) : undefined;
  if (session !== undefined) return session;
  const isOfLines = opening.ok && filled[1] !== undefined && parse(decode(filled[1].bytes), JSON.parse).ok;
  throw isOfLines ? notMessages(opening.value) : notJson(withoutMark(text), whole.error);
}
