import { writeSync } from 'node:fs';

import { Unreadable } from '../unreadable.ts';
import type { Source } from './source.ts';

/** A stretch of a file, or of its text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A piece of the file to write: new text, or a stretch of the original copied byte for byte. */
export type Piece = string | Range;

/** The bytes of the file to write, one after the other. */
export function* bytesOf(pieces: Iterable<Piece>, source: Pick<Source, 'read'>): Generator<Uint8Array> {
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      yield Buffer.from(piece);
      continue;
    }
    let copied = 0;
    for (const chunk of source.read(piece.start, piece.end)) {
      copied += chunk.length;
      yield chunk;
    }
    if (copied !== piece.end - piece.start) throw new Unreadable('became shorter while it was read');
  }
}

/** Writes all of them. */
export function writeBytes(fd: number, chunks: Iterable<Uint8Array>): void {
  for (const bytes of chunks) {
    // A full disk shows as a short count first, and as an error only at the next call.
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
  }
}
