import { Buffer } from 'node:buffer';

import { type Files, openIfThere } from './files.ts';

export type Source = {
  readonly size: number;
  /** Returns the number of bytes read; 0 at the end. */
  read(into: Uint8Array, at: number): number;
};

/** The present bytes of an open file; later appends are not visible. */
export function fileSource(files: Files, file: number): Source {
  const { size } = files.state(file);
  return {
    size,
    read: (into, at) => files.read(file, into.subarray(0, Math.max(0, Math.min(into.length, size - at))), at),
  };
}

/** Runs an action on the bytes of a file; undefined if the file is gone. */
export function readIfThere<T>(files: Files, path: string, action: (source: Source) => T): T | undefined {
  const file = openIfThere(files, path, 'read');
  if (file === undefined) return undefined;
  try {
    return action(fileSource(files, file));
  } finally {
    files.close(file);
  }
}

/** Bytes for a place of a file, whether they are there yet or not. */
export type Patch = { readonly at: number; readonly bytes: Uint8Array };

/** A source with patches applied. The patches do not overlap. */
export function patched(source: Source, patches: readonly Patch[]): Source {
  if (patches.length === 0) return source;
  const size = patches.reduce((most, { at, bytes }) => Math.max(most, at + bytes.length), source.size);
  return {
    size,
    read: (into, at) => {
      const wanted = into.subarray(0, Math.max(0, Math.min(into.length, size - at)));
      let count = source.read(wanted, at);
      for (const patch of patches) {
        const from = Math.max(at, patch.at);
        const to = Math.min(at + wanted.length, patch.at + patch.bytes.length);
        if (from >= to) continue;
        wanted.set(patch.bytes.subarray(from - patch.at, to - patch.at), from - at);
        count = Math.max(count, to - at);
      }
      return count;
    },
  };
}

/** Reads exactly this many bytes, or fewer at the end. */
export function readBytes(source: Source, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, source.size - at)));
  let filled = 0;
  while (filled < bytes.length) {
    const count = source.read(bytes.subarray(filled), at + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
