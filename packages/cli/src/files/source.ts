import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs';

import { Unreadable, Unwritable, reasonOf } from '../unreadable.ts';

/** The largest text that one JavaScript string can hold, rounded down to a number people can remember. */
export const maxTextBytes: number = 512_000_000;

/** The largest file of lines: the list they become has to fit into memory. */
export const maxLinesBytes: number = 1_000_000_000;

const chunkBytes = 1 << 20;

/** Bytes that can be read more than once, in pieces. */
export interface Source {
  readonly size: number;
  chunks(): Iterable<Uint8Array>;
  read(start: number, end: number): Iterable<Uint8Array>;
}

/** A regular file that was open, with what the system said about it at that moment. */
export interface FileSource extends Source {
  readonly path: string;
  readonly stats: BigIntStats;
  close(): void;
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;

function refuseSize(size: number): void {
  if (size === 0) throw new Unreadable('is empty');
  if (size > maxLinesBytes) {
    throw new Unreadable(`is ${megabytes(size)}; the limit is ${megabytes(maxLinesBytes)}`);
  }
}

function refuseKind(stats: { isFile(): boolean; isDirectory(): boolean }): void {
  if (stats.isDirectory()) throw new Unreadable('is a folder; name the session file in it');
  if (!stats.isFile())
    throw new Unreadable('is a pipe, socket or device; only regular files and - (standard input) are read');
}

/** Stops at a symbolic link: swapping a file in its place would leave the real one as broken as it was. */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new Unreadable('is a symbolic link; name the file it points to');
  }
}

function* readRange(fd: number, start: number, end: number): Generator<Uint8Array> {
  let position = start;
  while (position < end) {
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, end - position));
    const count = readSync(fd, buffer, 0, buffer.length, position);
    if (count === 0) return;
    position += count;
    yield buffer.subarray(0, count);
  }
}

/** Opens a regular file for reading, and looks before and after, so that a pipe put in its place never blocks us. */
export function openFile(path: string, onRead: (bytes: number) => void = () => {}): FileSource {
  refuseKind(statSync(path));
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd, { bigint: true });
    refuseKind(stats);
    const size = Number(stats.size);
    refuseSize(size);
    return {
      path,
      stats,
      size,
      *chunks() {
        let position = 0;
        for (const chunk of readRange(fd, 0, size)) {
          position += chunk.length;
          onRead(position);
          yield chunk;
        }
      },
      read: (start, end) => readRange(fd, start, end),
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Standard input, already read. */
export function fromChunks(chunks: readonly Uint8Array[]): Source {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  refuseSize(size);
  return {
    size,
    chunks: () => chunks,
    *read(start, end) {
      let at = 0;
      for (const chunk of chunks) {
        if (at < end && at + chunk.length > start) yield chunk.subarray(Math.max(0, start - at), end - at);
        at += chunk.length;
      }
    },
  };
}

/** Turns a failure of the system into the sentence about the file; one of the output is no matter of the file. */
export function unreadable(error: unknown): Unreadable {
  if (error instanceof Unwritable) throw error;
  return error instanceof Unreadable ? error : new Unreadable(`cannot be read: ${reasonOf(error)}`, { cause: error });
}
