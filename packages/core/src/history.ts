import { CODECS, isDialect, type Dialect } from './codecs/dialects.ts';
import { detectDialect } from './codecs/detect.ts';
import type { Codec } from './model/codec.ts';
import type { History } from './model/history.ts';
import type { SessionRecord } from './model/record.ts';
import { readSafely } from './model/read-safely.ts';
import { isRecord } from './model/value.ts';
import { type Projection, projectRecords } from './project.ts';

/** Reads a list of messages, or the list inside a request. Unreadable messages come with one part of kind `opaque`. */
export function decode(input: unknown, dialect?: Dialect): History<Dialect> | undefined {
  const known = dialect ?? detectDialect(input);
  if (known === undefined) return undefined;
  const codec: Codec = CODECS[known];
  const field = isRecord(input) ? input[codec.listKey] : input;
  const list = Array.isArray(field) ? (field as unknown[]) : codec.listOf?.(field);
  if (list === undefined) return undefined;
  return { dialect: known, messages: list.map((wire, index) => readSafely(codec, wire, index)) };
}

/** The history that the records of a session stand for; undefined while they hold no message. */
export function project(records: readonly SessionRecord[]): History<Dialect> | undefined {
  const projection = projectWithSources(records);
  return projection === undefined ? undefined : { dialect: projection.dialect, messages: projection.messages };
}

/** The same, with the numbers of the first and the last record that each message stands for. */
export function projectWithSources(records: readonly SessionRecord[]): Projection<Dialect> | undefined {
  const projection = projectRecords(records, CODECS);
  if (projection === undefined || !isDialect(projection.dialect)) return undefined;
  return { ...projection, dialect: projection.dialect };
}

/** Writes a history as wire messages, whether or not a provider would take them. */
export function toWire(history: History<Dialect>): unknown[] {
  const codec: Codec = CODECS[history.dialect];
  return history.messages.map((message) => (message.wire === undefined ? codec.write(message) : message.wire));
}
