import { isUtf8 } from 'node:buffer';

import type { FaultKind, FaultLog } from '../fault.ts';
import { isObject, isTooDeep, parseJson, type JsonObject } from '../json.ts';
import type { LinePlace } from '../place.ts';
import type { Line } from './split-lines.ts';
import { splitRecords } from './split-records.ts';

/** One record of a log, and where it stands. */
export type FileRecord = {
  readonly place: LinePlace;
  readonly value: JsonObject;
  /** What is wrong with its line. A tool that parses line by line skips a record with most of these. */
  readonly flaws: readonly Flaw[];
};

export type Flaw = 'bom' | 'nul' | 'bad-utf8' | 'glued';

/** How to read the lines of one file. */
export type LineReading = {
  readonly file: string;
  /** Whether an object is a record of this tool, and not a piece of a torn one. */
  readonly isRecord: (value: JsonObject) => boolean;
  readonly faults: FaultLog;
};

export type LineParser = (line: Line) => FileRecord[];

/** A stretch of bytes of one line. */
type Span = { readonly line: Line; readonly from: number; readonly to: number; readonly flaws?: readonly Flaw[] };

const NONE: readonly Flaw[] = [];

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const [CARRIAGE_RETURN, OPEN, CLOSE] = [0x0d, 0x7b, 0x7d];

const whole = (line: Line): Span => ({ line, from: 0, to: line.data.length });

const placeOf = (file: string, { line: { number, byte }, from, to }: Span): LinePlace => ({
  kind: 'line',
  file,
  line: number,
  byte: byte + from,
  bytes: to - from,
});

/** Reads lines into records. Whatever is no record is reported, with its place: a line is read, blank, or a fault. */
export function createLineParser(reading: LineReading): LineParser {
  const { file, faults } = reading;
  let hasCrlf = false;
  const report = (kind: FaultKind, line: Line, note: string): void =>
    faults.add(kind, placeOf(file, whole(line)), note);

  const clean = (line: Line): Line => {
    let { data, byte } = line;
    if (data.subarray(0, 3).equals(BOM)) {
      report('bom', line, 'A byte order mark stands before the record.');
      data = data.subarray(3);
      byte += 3;
    }
    if (data.at(-1) === CARRIAGE_RETURN) {
      if (!hasCrlf && data.length > 1) report('crlf', line, 'Lines end with a carriage return and a line feed.');
      hasCrlf ||= data.length > 1;
      data = data.subarray(0, -1);
    }
    return data === line.data ? line : { ...line, data, byte };
  };

  return (given) => {
    if (given.nuls > 0) report('nul', given, `${given.nuls} NUL bytes stand here.`);
    const line = clean(given);
    const { data } = line;
    if (line.tooLong !== undefined) {
      report('too-long', line, `This line has ${line.tooLong} bytes, which is too long to be read.`);
      return [];
    }
    if (isBlank(data)) return [];
    const flaws = flawsOf(given, line);
    if (flaws.includes('bad-utf8')) report('bad-utf8', line, 'Some bytes are not UTF-8; they are read as U+FFFD.');
    const looksWhole = data[0] === OPEN && data.at(-1) === CLOSE;
    const value = looksWhole ? parseJson(data.toString('utf8')) : undefined;
    const records =
      value === undefined ? divide(line, flaws, reading) : keep(value, { ...whole(line), flaws }, reading);
    if (!line.ended && records.length > 0) {
      report('no-final-newline', line, 'No line feed ends the last record, so the next one would be glued to it.');
    }
    return records;
  };
}

function flawsOf(given: Line, { data, byte }: Line): readonly Flaw[] {
  if (given.nuls === 0 && byte === given.byte && isUtf8(data)) return NONE;
  const found: [Flaw, boolean][] = [
    ['nul', given.nuls > 0],
    ['bom', byte !== given.byte],
    ['bad-utf8', !isUtf8(data)],
  ];
  return found.flatMap(([flaw, isThere]) => (isThere ? [flaw] : []));
}

function keep(value: unknown, span: Span, { file, faults }: LineReading): FileRecord[] {
  const place = placeOf(file, span);
  if (!isObject(value)) {
    faults.add('not-json', place, 'This is JSON, but no record: a record is an object.');
    return [];
  }
  if (isTooDeep(value)) {
    faults.add('too-deep', place, 'This record is nested too deeply to be worked with; it is left out.');
    return [];
  }
  return [{ place, value, flaws: span.flaws ?? NONE }];
}

function divide(line: Line, flaws: readonly Flaw[], reading: LineReading): FileRecord[] {
  const { file, isRecord, faults } = reading;
  const parse = (text: string): unknown => parseJson(Buffer.from(text, 'latin1').toString('utf8'));
  const text = line.data.toString('latin1');
  const stretches = splitRecords(text, (piece) => {
    const value = parse(piece);
    return isObject(value) && isRecord(value);
  });
  const isShared = stretches.filter(({ what }) => what !== 'filler').length > 1;
  const isFilled = stretches.some(({ what }) => what === 'filler');
  const all: Flaw[] = [...flaws, ...(isShared ? (['glued'] as const) : []), ...(isFilled ? (['nul'] as const) : [])];
  return stretches.flatMap(({ what, from, to }, index) => {
    const span = { line, from, to, flaws: all };
    const report = (kind: FaultKind, note: string): void => faults.add(kind, placeOf(file, span), note);
    if (what === 'record') {
      if (index > 0) report('glued', 'This record begins in the middle of a line.');
      return keep(parse(text.slice(from, to)), span, reading);
    }
    if (what === 'filler') report('nul', `${to - from} bytes of filling stand here.`);
    else if (line.data[from] === OPEN) report('torn', tornNote(span));
    else report('not-json', 'These bytes are no record.');
    return [];
  });
}

const tornNote = ({ line, to }: Span): string =>
  !line.ended && to === line.data.length
    ? 'The last record was not written to its end.'
    : 'This record was not written to its end.';

function isBlank(data: Buffer): boolean {
  for (const byte of data) if (byte !== 0x20 && byte !== 0x09 && byte !== CARRIAGE_RETURN) return false;
  return true;
}
