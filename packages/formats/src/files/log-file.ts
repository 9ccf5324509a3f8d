import type { FaultLog } from '../fault.ts';
import { isObject, parseJson, type JsonObject } from '../json.ts';
import { wholeFile, type LinePlace } from '../place.ts';
import { canReadZstd, isZstd, readChunks, readZstd } from './chunks.ts';
import { openFile, reasonOf } from './open-file.ts';
import { createLineParser, type FileRecord, type LineReading } from './parse-line.ts';
import { createLineSplitter } from './split-lines.ts';

/** The bytes of a file, unpacked where they are compressed. Nothing comes out of a file that cannot be read. */
async function* bytesOf(path: string, faults: FaultLog): AsyncGenerator<Buffer> {
  const opened = await openFile(path, faults);
  if (opened === undefined) return;
  const { handle } = opened;
  try {
    const head = Buffer.alloc(4);
    await handle.read(head, 0, 4, 0);
    if (!isZstd(head)) yield* readChunks(handle);
    else if (canReadZstd()) yield* readZstd(handle);
    else faults.add('unreadable', wholeFile(path), 'This file is compressed with zstd: use Node 22.15 or newer.');
  } catch (error) {
    faults.add('unreadable', wholeFile(path), `This file cannot be read further: ${reasonOf(error)}.`);
  } finally {
    await handle.close();
  }
}

/** Every record of a log, in the order of the file. One chunk and one line are held at a time. */
export async function* readRecords(reading: LineReading): AsyncGenerator<FileRecord> {
  const splitter = createLineSplitter();
  const parse = createLineParser(reading);
  for await (const chunk of bytesOf(reading.file, reading.faults)) {
    for (const line of splitter.push(chunk)) yield* parse(line);
  }
  for (const line of splitter.end()) yield* parse(line);
}

type Piece = { readonly data: Buffer; readonly at: number };

/** Reads the records at some places of one file again, in the order of the places; undefined for what has changed. */
export async function rereadRecords(
  file: string,
  places: readonly LinePlace[],
  faults: FaultLog,
): Promise<(JsonObject | undefined)[]> {
  const wanted = places.map((place, index) => ({ place, index })).sort((a, b) => a.place.byte - b.place.byte);
  const values = new Array<JsonObject | undefined>(places.length);
  let next = 0;
  let held: Piece[] = [];
  let position = 0;
  for await (const data of bytesOf(file, faults)) {
    held.push({ data, at: position });
    position += data.length;
    for (let each = wanted[next]; each !== undefined; each = wanted[next]) {
      const { byte, bytes } = each.place;
      if (byte + bytes > position) break;
      const value = parseJson(bytesAt(held, byte, bytes).toString('utf8'));
      if (isObject(value)) values[each.index] = value;
      next += 1;
    }
    const from = wanted[next]?.place.byte;
    if (from === undefined) return values;
    held = held.filter(({ data, at }) => at + data.length > from);
  }
  return values;
}

function bytesAt(held: readonly Piece[], byte: number, bytes: number): Buffer {
  const pieces = held.map(({ data, at }) => data.subarray(Math.max(0, byte - at), Math.max(0, byte + bytes - at)));
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}
