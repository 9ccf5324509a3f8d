import { closeSync, openSync, readFileSync } from 'node:fs';

import { createFaultLog, type FaultLog } from '../fault.ts';
import { parseJson, type JsonObject } from '../json.ts';
import { wholeFile } from '../place.ts';
import type { Database } from '../sqlite/database.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { canReadZstd, isZstd, readChunks, readZstd } from './chunks.ts';
import { openFile, READ_FLAGS, reasonOf, type OpenedFile } from './open-file.ts';
import { createLineParser } from './parse-line.ts';
import { LARGEST_DOCUMENT, parseDocument } from './read-document.ts';
import { createLineSplitter } from './split-lines.ts';

/** What tools recognise a file by: its beginning and its end, or the whole value where it is one. */
export type Sample = {
  readonly path: string;
  readonly bytes: number;
  /** When it was changed last, in milliseconds since 1970. */
  readonly modified: number;
  /** The first records of a log, at most forty. */
  readonly head: readonly JsonObject[];
  /** The last records of a log, as many as the last 32 KiB hold. */
  readonly tail: readonly JsonObject[];
  /** The beginning of the file as text: all there is of a document that was cut off. */
  readonly text: string;
  /** The value of a file that is one JSON document; undefined for a log. It is parsed when it is asked for. */
  readonly document: () => unknown;
  /** A database, opened to be read, which whoever took the sample closes. */
  readonly database?: Database;
};

/** Of the beginning, and of the end. */
const HEAD_BYTES = 32 * 1024;
/** A first record may be long, but not without end. */
const LONGEST_HEAD = 8 * 2 ** 20;
const MOST_RECORDS = 40;
const SQLITE_MAGIC = 'SQLite format 3\0';

/** Takes a sample of a file; undefined, and a fault, when the file cannot be opened. */
export async function takeSample(path: string, faults: FaultLog): Promise<Sample | undefined> {
  const opened = await openFile(path, faults);
  if (opened === undefined) return undefined;
  try {
    return await sampleOf(path, opened, faults);
  } catch (error) {
    faults.add('unreadable', wholeFile(path), `This file cannot be read: ${reasonOf(error)}.`);
    return undefined;
  } finally {
    await opened.handle.close();
  }
}

async function sampleOf(path: string, opened: OpenedFile, faults: FaultLog): Promise<Sample> {
  const { handle, bytes, modified } = opened;
  const first = await readHead(readChunks(handle, 0, HEAD_BYTES), HEAD_BYTES);
  const plain = { path, bytes, modified, tail: [], text: '', document: () => undefined };
  if (first.subarray(0, SQLITE_MAGIC.length).toString('latin1') === SQLITE_MAGIC) {
    const database = await openDatabase(path, faults);
    return { ...plain, head: [], ...(database === undefined ? {} : { database }) };
  }
  if (isZstd(first)) {
    const unpacked = canReadZstd() ? await readHead(readZstd(handle), HEAD_BYTES).catch(() => Buffer.alloc(0)) : first;
    return { ...plain, head: recordsOf(unpacked), text: unpacked.toString('utf8', 0, HEAD_BYTES) };
  }
  const from = Math.max(0, bytes - HEAD_BYTES);
  const last = from === 0 ? first.subarray(0, bytes) : await readHead(readChunks(handle, from, HEAD_BYTES), HEAD_BYTES);
  // The first line of the tail was begun before it, unless it begins with zeros.
  const isCut = from > 0 && last[0] !== 0;
  const tail = recordsOf(isCut ? last.subarray(last.indexOf(0x0a) + 1) : last, Infinity);
  const text = first.toString('utf8', 0, HEAD_BYTES);
  const isDocument = looksLikeDocument(text);
  if (isDocument && bytes > LARGEST_DOCUMENT) {
    faults.add('too-long', wholeFile(path), `A document is read as a whole, and this one has ${bytes} bytes.`);
  }
  const document = isDocument && bytes <= LARGEST_DOCUMENT ? documentReader(path) : () => undefined;
  return { path, bytes, modified, head: recordsOf(first), tail, text, document };
}

async function readHead(chunks: AsyncIterable<Buffer>, wanted: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    length += chunk.length;
    if (length >= LONGEST_HEAD || (length >= wanted && chunk.includes(0x0a))) break;
  }
  return Buffer.concat(pieces);
}

/** The whole records among some bytes: the last line is cut off in most of them, and left out then. */
function recordsOf(bytes: Buffer, most: number = MOST_RECORDS): JsonObject[] {
  const splitter = createLineSplitter();
  const parse = createLineParser({ file: '', isRecord: () => true, faults: createFaultLog() });
  const records: JsonObject[] = [];
  for (const line of [...splitter.push(bytes), ...splitter.end()]) {
    if (records.length >= most) break;
    for (const { value } of parse(line)) if (records.length < most) records.push(value);
  }
  return records;
}

/** A log begins with a record and a line feed. A document is indented, or ends with its first line. */
function looksLikeDocument(text: string): boolean {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('[')) return true;
  const line = start.slice(0, start.indexOf('\n') + 1 || start.length);
  if (!start.startsWith('{')) return false;
  return parseJson(line) === undefined || start.length === line.length;
}

/** Reads a whole document when somebody asks for it; `undefined` when it is not JSON, or changes while it is read. */
function documentReader(path: string): () => unknown {
  let document: { readonly value: unknown } | undefined;
  return () => {
    document ??= { value: readNow(path) };
    return document.value;
  };
}

function readNow(path: string): unknown {
  let file: number | undefined;
  try {
    file = openSync(path, READ_FLAGS);
    return parseDocument(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
