import { CODECS, type Dialect } from './codecs/dialects.ts';
import { detectDialect } from './codecs/detect.ts';
import type { Codec } from './model/codec.ts';
import type { Message } from './model/part.ts';
import { isRecord, mend } from './model/value.ts';

/** An immutable list of messages in one dialect, readable in the words of every dialect. */
export type History = { readonly dialect: Dialect; readonly messages: readonly Message[] };

/** Reads a list of messages, or the list inside a request. Unreadable messages come as parts of kind `opaque`. */
export function decode(input: unknown, dialect?: Dialect): History | undefined {
  const known = dialect ?? detectDialect(input);
  if (known === undefined) return undefined;
  const codec: Codec = CODECS[known];
  const list = isRecord(input) ? input[codec.listKey] : input;
  if (!Array.isArray(list)) return undefined;
  return { dialect: known, messages: (list as unknown[]).map((wire, index) => readSafely(codec, wire, index)) };
}

/** Writes a history back as wire messages, whether or not a provider would take them. */
export function toWire(history: History): unknown[] {
  const codec: Codec = CODECS[history.dialect];
  return history.messages.map((message) => (message.wire === undefined ? codec.write(message) : message.wire));
}

function readSafely(codec: Codec, wire: unknown, index: number): Message {
  try {
    return codec.read(wire, index);
  } catch {
    return codec.read(mend(wire), index);
  }
}
