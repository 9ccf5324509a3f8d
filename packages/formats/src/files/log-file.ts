import { createFaultLog, type FaultLog } from '../fault.ts';
import { isObject, parseJson, textAt, type JsonObject } from '../json.ts';
import { wholeFile, type LinePlace } from '../place.ts';
import type { Entry } from '../session.ts';
import { canReadZstd, isZstd, readChunks, readZstd } from './chunks.ts';
import { openFile, reasonOf } from './open-file.ts';
import { createLineParser, type FileRecord, type LineReading } from './parse-line.ts';
import { createLineSplitter, type Line } from './split-lines.ts';

/** Some bytes, and where they stand in the file, or in what it unpacks to. */
type Piece = { readonly data: Buffer; readonly at: number };

/**
 * The bytes of a file from a place on, unpacked where they are compressed: those come from the beginning. Nothing comes
 * out of a file that cannot be read.
 */
async function* bytesOf(path: string, faults: FaultLog, from: number = 0): AsyncGenerator<Piece> {
  const opened = await openFile(path, faults);
  if (opened === undefined) return;
  const { handle } = opened;
  try {
    const head = Buffer.alloc(4);
    await handle.read(head, 0, 4, 0);
    if (!isZstd(head)) yield* placed(told(readChunks(handle, from), faults), from);
    else if (canReadZstd()) yield* placed(readZstd(handle), 0);
    else faults.add('unreadable', wholeFile(path), 'This file is compressed with zstd: use Node 22.15 or newer.');
  } catch (error) {
    faults.add('unreadable', wholeFile(path), `This file cannot be read further: ${reasonOf(error)}.`);
  } finally {
    await handle.close();
  }
}

async function* told(chunks: AsyncIterable<Buffer>, { read }: FaultLog): AsyncGenerator<Buffer> {
  for await (const data of chunks) {
    read(data.length);
    yield data;
  }
}

async function* placed(chunks: AsyncIterable<Buffer>, from: number): AsyncGenerator<Piece> {
  let at = from;
  for await (const data of chunks) {
    yield { data, at };
    at += data.length;
  }
}

/** Every record of a log, in the order of the file. One chunk and one line are held at a time. */
export async function* readRecords(reading: LineReading): AsyncGenerator<FileRecord> {
  const splitter = createLineSplitter();
  const parse = createLineParser(reading);
  for await (const { data } of bytesOf(reading.file, reading.faults)) {
    for (const line of splitter.push(data)) yield* parse(line);
  }
  for (const line of splitter.end()) yield* parse(line);
}

/** Every record of a log as an entry of its session. What is wrong was reported when the session was read. */
export async function* logEntries(file: string, isRecord: LineReading['isRecord']): AsyncGenerator<Entry> {
  for await (const { place, value } of readRecords({ file, isRecord, faults: createFaultLog() })) {
    yield { place, type: textAt(value, 'type') ?? '', value };
  }
}

/** Every line of a file that holds text. */
export async function* readLines(file: string, faults: FaultLog): AsyncGenerator<Line> {
  const splitter = createLineSplitter();
  for await (const { data } of bytesOf(file, faults)) yield* splitter.push(data);
  yield* splitter.end();
}

/** Reads the records at some places of one file again, in the order of the places; undefined for what has changed. */
export async function rereadRecords(
  file: string,
  places: readonly LinePlace[],
  faults: FaultLog,
): Promise<(JsonObject | undefined)[]> {
  const values = new Array<JsonObject | undefined>(places.length);
  const wanted = places.map((place, index) => ({ place, index })).sort((a, b) => a.place.byte - b.place.byte);
  await reread(file, { wanted, values }, faults);
  for (const [index, place] of places.entries()) {
    if (values[index] === undefined)
      faults.add('unreadable', place, 'This record has changed since it was read first.');
  }
  return values;
}

type Rereading = {
  readonly wanted: readonly { readonly place: LinePlace; readonly index: number }[];
  readonly values: (JsonObject | undefined)[];
};

async function reread(file: string, { wanted, values }: Rereading, faults: FaultLog): Promise<void> {
  const [first] = wanted;
  if (first === undefined) return;
  let next = 0;
  let held: Piece[] = [];
  for await (const piece of bytesOf(file, faults, first.place.byte)) {
    held.push(piece);
    const end = piece.at + piece.data.length;
    for (let each = wanted[next]; each !== undefined; each = wanted[next]) {
      const { byte, bytes } = each.place;
      if (byte + bytes > end) break;
      const value = parseJson(bytesAt(held, byte, bytes).toString('utf8'));
      if (isObject(value)) values[each.index] = value;
      next += 1;
    }
    const from = wanted[next]?.place.byte;
    if (from === undefined) return;
    held = held.filter(({ data, at }) => at + data.length > from);
  }
}

function bytesAt(held: readonly Piece[], byte: number, bytes: number): Buffer {
  const overlapping = held.filter(({ data, at }) => at < byte + bytes && at + data.length > byte);
  const pieces = overlapping.map(({ data, at }) => data.subarray(Math.max(0, byte - at), byte + bytes - at));
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}
