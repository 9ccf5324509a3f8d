import { isUtf8 } from 'node:buffer';

import { Unreadable } from '../unreadable.ts';
import { type FileFinding, fileFinding } from './file-rules.ts';
import { type Line, splitLines } from './lines.ts';
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

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
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
  const found = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(error);
  const position = found === null ? undefined : Number(found[1]);
  const endsEarly = error === 'Unexpected end of JSON input' || error.startsWith('Unterminated string');
  if (/^\s*[[{]/.test(text) && (endsEarly || (position !== undefined && position >= end))) {
    return new Unreadable(`is cut off: the JSON ends in the middle of a value (${placeIn(text, end)})`);
  }
  return new Unreadable(position === undefined ? 'is not JSON' : `is not JSON (${placeIn(text, position)})`);
}

/** Reads lines one at a time and keeps, beside the messages, only where each of them lies. */
class LineReader {
  readonly #values: unknown[] = [];
  readonly #lines: MessageLine[] = [];
  readonly #findings: FileFinding[] = [];
  #adjoins = true;
  #torn: { readonly line: Line; readonly index: number } | undefined;

  take(line: Line): void {
    if (isBlank(line)) return;
    const sound = isUtf8(line.bytes);
    const parsed = parse(decode(line.bytes));
    if (!parsed.ok) {
      this.#torn = { line, index: this.#findings.length };
      const bytes = line.bytes.length.toLocaleString('en-US');
      this.#findings.push(
        fileFinding('line-not-json', line.number, `line ${line.number} is not JSON (${bytes} bytes)`),
      );
      this.#adjoins = false;
      return;
    }
    if (!sound) {
      const explain = `line ${line.number} holds bytes that are not UTF-8`;
      this.#findings.push(fileFinding('bytes-not-utf8', line.number, explain));
    }
    const { number, start, end, next } = line;
    this.#values.push(parsed.value);
    this.#lines.push({ number, start, end, next, adjoins: this.#adjoins, sound });
    this.#adjoins = true;
  }

  /** Gives the session, or nothing when too few lines are objects for this to be a file of messages. */
  finish(): JsonlSession | undefined {
    const broken = this.#findings.filter((finding) => finding.rule === 'line-not-json').length;
    const objects = this.#values.filter(isObject).length;
    if (objects === 0 || objects * 2 < this.#values.length + broken) return undefined;
    const findings = [...this.#findings];
    // Only a writer that was stopped leaves a last line without an end.
    if (this.#torn !== undefined && this.#torn.line.next === this.#torn.line.end && !this.#adjoins) {
      const { line, index } = this.#torn;
      const bytes = line.bytes.length.toLocaleString('en-US');
      findings[index] = fileFinding(
        'torn-last-line',
        line.number,
        `line ${line.number} is half written (${bytes} bytes)`,
      );
    }
    return { form: 'jsonl', value: this.#values, lines: this.#lines, findings };
  }
}

function readLines(source: Source): JsonlSession | undefined {
  const reader = new LineReader();
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

/** Is this single line a message, rather than a body or a document of some other kind? */
const looksLikeMessage = (value: unknown): boolean =>
  isObject(value) &&
  !Array.isArray(value.messages) &&
  (typeof value.role === 'string' || typeof value.kind === 'string');

/** Reads a session, told by its content alone: one JSON value, or one message in each line. */
export function readSession(source: Source): Session {
  refuseSignature(source);
  const filled: Line[] = [];
  for (const line of splitLines(source.chunks())) {
    if (!isBlank(line)) filled.push(line);
    if (filled.length === 2) break;
  }
  const first = filled[0];
  if (first === undefined) throw new Unreadable('is empty');
  const opening = parse(decode(first.bytes));
  // A JSON value that ends with its line and is followed by another line can only be the first of many.
  if (opening.ok && (filled.length === 2 || looksLikeMessage(opening.value))) {
    const session = readLines(source);
    if (session !== undefined) return session;
  }
  const bytes = readBytes(source);
  const text = decode(bytes);
  const whole = parse(withoutMark(text));
  if (whole.ok) return { form: 'json', value: whole.value, text, findings: findingsOf(bytes) };
  const session = filled.length === 2 ? readLines(source) : undefined;
  if (session !== undefined) return session;
  throw notJson(withoutMark(text), whole.error);
}
