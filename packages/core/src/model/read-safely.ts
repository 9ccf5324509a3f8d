import type { Codec } from './codec.ts';
import type { Message } from './part.ts';
import { mend } from './value.ts';

/** Reads a message; one that throws when it is read is read from an inert copy. */
export function readSafely(codec: Codec, wire: unknown, index: number): Message {
  try {
    return codec.read(wire, index);
  } catch {
    return codec.read(mend(wire), index);
  }
}
