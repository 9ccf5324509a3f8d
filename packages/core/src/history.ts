import { CODECS } from './dialects/dialects.ts';
import { isDialect, type Dialect } from './model/dialect.ts';
import { detectDialect } from './dialects/detect.ts';
import type { Codec } from './model/codec.ts';
import type { History } from './model/history.ts';
import type { SessionRecord } from './model/record.ts';
import { readSafely } from './model/read-safely.ts';
import { isRecord } from './model/value.ts';
import { unite, type United } from './convert/unite.ts';
import { type Projection, projectRecords, type Recorded } from './project.ts';

/**
 * Reads a list of messages, or the list inside a request. Unreadable messages come with one part of kind `opaque`.
 *
 * @example
 * const history = decode(request.messages);
 */
export function decode(input: unknown, dialect?: Dialect): History<Dialect> | undefined {
  const known = dialect ?? detectDialect(input);
  if (!isDialect(known)) return undefined;
  const codec: Codec = CODECS[known];
  const field = isRecord(input) ? input[codec.listKey] : input;
  const list = Array.isArray(field) ? (field as unknown[]) : codec.listOf?.(field);
  if (list === undefined) return undefined;
  return { dialect: known, messages: list.map((wire, index) => readSafely(codec, wire, index)) };
}

/**
 * The history that the records of a session stand for; undefined while they hold no message.
 *
 * @example
 * const history = project(records);
 */
export function project(records: readonly SessionRecord[], dialect?: Dialect): History<Dialect> | undefined {
  const projection = projectWithSources(records, dialect);
  return projection === undefined ? undefined : { dialect: projection.dialect, messages: projection.messages };
}

/**
 * The same, with the numbers of the records that each message stands for. A session may have been talked to in several
 * dialects: its history is told in the one that is asked for, or in the first.
 *
 * @example
 * const { messages, sources } = projectWithSources(records) ?? { messages: [], sources: [] };
 */
export function projectWithSources(
  records: readonly SessionRecord[],
  dialect?: Dialect,
): Projection<Dialect> | undefined {
  const { recorded, united } = gather(records, { dialect }) ?? {};
  const found = united ?? recorded;
  if (found === undefined) return undefined;
  const { messages, sources, ends, records: made, pins } = found;
  return { dialect: found.dialect, messages, sources, ends, records: made, pins };
}

/** A log as it was recorded, and in the one dialect that was asked for, where it is not in that already. */
export type Gathered = { readonly recorded: Recorded<Dialect>; readonly united?: United };

/** Reads a log for a target; in its first dialect where nothing is said. */
export function gather(
  records: readonly SessionRecord[],
  { dialect, model }: { readonly dialect?: Dialect | undefined; readonly model?: string | undefined },
): Gathered | undefined {
  const recorded = projectAsRecorded(records);
  if (recorded === undefined) return undefined;
  const to = isDialect(dialect) ? dialect : recorded.dialect;
  return recorded.dialects.every((each) => each === to)
    ? { recorded }
    : { recorded, united: unite(recorded, to, model) };
}

/**
 * The messages of a log as they were recorded, each in the words and with the ids of its own dialect.
 *
 * @example
 * const recorded = projectAsRecorded(records);
 */
export function projectAsRecorded(records: readonly SessionRecord[]): Recorded<Dialect> | undefined {
  const recorded = projectRecords(records, CODECS);
  if (recorded === undefined || !isDialect(recorded.dialect)) return undefined;
  return { ...recorded, dialect: recorded.dialect };
}

/**
 * Writes a history as wire messages, whether or not a provider would take them.
 *
 * @example
 * const messages = toWire(history);
 */
export function toWire(history: History<Dialect>): unknown[] {
  const codec: Codec = CODECS[history.dialect];
  return history.messages.map((message) => (message.wire === undefined ? codec.write(message) : message.wire));
}
