import { type Message, type Part, projectWithSources, type SessionRecord } from '@rethread/core';

import type { NewCheckpoint } from './compaction.ts';
import { dialectFault } from './dialect-name.ts';
import { isTalk } from './turn-boundaries.ts';
import { isObject, type Keys, recordVersion, type StoredRecord, toSessionRecord } from './record.ts';
import { StoreError } from './store-error.ts';

/** Whether a value can become a message: non-blank text, or an object. */
export const isMade = (wire: unknown): boolean => (typeof wire === 'string' ? wire.trim() !== '' : isObject(wire));

/** The error of a refused compaction. The history stays unchanged. */
export const noStandIn = (what: string): StoreError => new StoreError('unsupported', `nothing was compacted: ${what}`);

function saysSomething(part: Part): boolean {
  if (part.kind === 'text') return part.text.trim() !== '';
  return part.kind !== 'opaque' || part.characters > 0;
}

/** True for a message without content, and for unreadable ones. */
const isBlank = ({ role, parts }: Message): boolean => role === 'unreadable' || !parts.some(saysSomething);

/** Why a checkpoint would leave no readable message; `range` are the records it covers. */
function emptinessFault(made: NewCheckpoint, range: readonly StoredRecord[]): string | undefined {
  const checkpoint = { v: recordVersion, seq: made.to + 1, id: '', at: '', kind: 'checkpoint', data: made };
  const projection = projectWithSources([
    ...range.filter(isTalk).map(toSessionRecord),
    // The checkpoint was validated, and projecting accepts any data.
    checkpoint as SessionRecord,
  ]);
  // Without a known dialect the content cannot be judged.
  return projection?.messages.every(isBlank) === true ? 'the replacement has no content' : undefined;
}

/** Refuses a checkpoint that would leave no readable message; `range` are the records it covers. */
export function requireWords(made: NewCheckpoint, range: readonly StoredRecord[]): void {
  const fault = emptinessFault(made, range);
  if (fault !== undefined) throw noStandIn(fault);
}

function entryFault(entry: unknown): string | undefined {
  if (!isObject(entry)) return 'each item of messages must be an object with a wire or a seq';
  if ('wire' in entry) return isMade(entry['wire']) ? undefined : 'a wire must be a message or a non-blank text';
  return typeof entry['seq'] === 'number' ? undefined : 'each item of messages needs a wire or a record number';
}

/** Why a checkpoint is invalid, as far as can be told without its range. */
function standInFault({ summary, messages, dialect }: Keys): string | undefined {
  const fault = dialect === undefined ? undefined : dialectFault(dialect);
  if (fault !== undefined) return fault;
  if (messages === undefined) {
    return isMade(summary) ? undefined : 'the summary must be a message or a non-blank text';
  }
  if (!Array.isArray(messages) || messages.length === 0) {
    return 'a checkpoint needs a summary or a list with at least one message';
  }
  return Array.from(messages, entryFault).find((each) => each !== undefined);
}

const isSeq = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Why an appended checkpoint cannot be part of a history. */
export function checkpointFault(data: Keys): string | undefined {
  const { from, to, undo, summary, messages, dialect } = data;
  if (undo !== undefined && from === undefined && to === undefined) {
    return isSeq(undo) ? undefined : 'data.undo must be the number of a checkpoint';
  }
  if (!isSeq(from) || !isSeq(to) || Number(from) > Number(to)) {
    return 'data.from and data.to must be the numbers of the first and the last record it covers';
  }
  const fault = standInFault(data);
  if (fault !== undefined) return fault;
  const entries = (messages ?? [{ wire: summary }]) as readonly Keys[];
  if (dialect === undefined && entries.some(({ wire }) => isObject(wire))) return dialectFault(dialect);
  // The records referenced by number are not available here.
  return entries.some((entry) => !('wire' in entry)) ? undefined : emptinessFault(data as NewCheckpoint, []);
}

/** Validates a checkpoint; `load` returns the records of its range. */
export async function checkStandIn(made: NewCheckpoint, load: () => Promise<readonly StoredRecord[]>): Promise<void> {
  const { summary, messages } = made as Keys;
  const fault = standInFault(made);
  if (fault !== undefined) throw noStandIn(fault);
  if (messages === undefined && typeof summary === 'string') return;
  const range = await load();
  const talk = new Set<unknown>(range.filter(isTalk).map(({ seq }) => seq));
  const gone = ((messages ?? []) as readonly Keys[]).find((entry) => !('wire' in entry) && !talk.has(entry['seq']));
  if (gone !== undefined) {
    throw noStandIn(`no message of the records ${made.from} to ${made.to} has the number ${String(gone['seq'])}`);
  }
  requireWords(made, range);
}
