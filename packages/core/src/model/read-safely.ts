import type { Codec } from './codec.ts';
import type { Message } from './part.ts';
import { mend } from './value.ts';

/** Reads what can be read of a message in no known shape, from an inert copy where it throws. */
export function salvageEntries(codec: Codec, wire: unknown, index: number): readonly Message[] {
  const message = salvageSafely(codec, wire, index);
  if (message === undefined) return [];
  const [first = message, ...others] = codec.divide?.(message) ?? [message];
  return message.unread === undefined ? [first, ...others] : [{ ...first, unread: message.unread }, ...others];
}

/** The same as one message, whatever it will be written as. */
export function salvageSafely(codec: Codec, wire: unknown, index: number): Message | undefined {
  try {
    return codec.salvage(wire, index);
  } catch {
    return codec.salvage(mend(wire), index);
  }
}

/** Reads a message; one that throws when it is read is read from an inert copy. */
export function readSafely(codec: Codec, wire: unknown, index: number): Message {
  try {
    return codec.read(wire, index);
  } catch {
    return codec.read(mend(wire), index);
  }
}

/** What a question finds out about a value; one that throws when it is read says nothing. */
export function ask<V, A>(question: (value: V) => A | undefined, value: V): A | undefined {
  try {
    return question(value);
  } catch {
    return undefined;
  }
}
