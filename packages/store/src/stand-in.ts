import { type Message, type Part, projectWithSources, type SessionRecord } from '@rethread/core';

import type { NewCheckpoint } from './compaction.ts';
import { dialectFault } from './dialect-name.ts';
import { isTalk } from './divider.ts';
import { isObject, type Keys, recordVersion, type StoredRecord, toSessionRecord } from './record.ts';
import { StoreError } from './store-error.ts';

/** Whether a message can be made of it: plain text with something in it, or a message of some dialect. */
export const isMade = (wire: unknown): boolean => (typeof wire === 'string' ? wire.trim() !== '' : isObject(wire));

/** Says why a compaction is not recorded. The history then stays as it is. */
export const noStandIn = (what: string): StoreError =>
  new StoreError('unsupported', `nothing was compacted, because ${what}`);

function saysSomething(part: Part): boolean {
  if (part.kind === 'text') return part.text.trim() !== '';
  return part.kind !== 'opaque' || part.characters > 0;
}

/** True for a message that says nothing, and for what cannot be read as one. */
const isBlank = ({ role, parts }: Message): boolean => role === 'unreadable' || !parts.some(saysSomething);

/** Why nothing could be read in the place of a checkpoint. `range` are the records that it stands for. */
function emptinessFault(made: NewCheckpoint, range: readonly StoredRecord[]): string | undefined {
  const checkpoint = { v: recordVersion, seq: made.to + 1, id: '', at: '', kind: 'checkpoint', data: made };
  const projection = projectWithSources([
    ...range.filter(isTalk).map(toSessionRecord),
    // What it holds was looked at, and a projection is made for data in any form.
    checkpoint as SessionRecord,
  ]);
  // Without any known dialect nobody can say what a message says.
  return projection?.messages.every(isBlank) === true ? 'what was made of the messages says nothing' : undefined;
}

/** Refuses a checkpoint in whose place nothing could be read. `range` are the records that it stands for. */
export function requireWords(made: NewCheckpoint, range: readonly StoredRecord[]): void {
  const fault = emptinessFault(made, range);
  if (fault !== undefined) throw noStandIn(fault);
}

function entryFault(entry: unknown): string | undefined {
  if (!isObject(entry)) return 'each of its messages is an object with a wire or a seq';
  if ('wire' in entry) return isMade(entry['wire']) ? undefined : 'a wire is a message, or a text that is not blank';
  return typeof entry['seq'] === 'number' ? undefined : 'each of its messages has a wire, or the number of a record';
}

/** Why something cannot stand for a range, as far as that can be said without the range. */
function standInFault({ summary, messages, dialect }: Keys): string | undefined {
  const fault = dialect === undefined ? undefined : dialectFault(dialect);
  if (fault !== undefined) return fault;
  if (messages === undefined) {
    return isMade(summary) ? undefined : 'a summary is a message, or a text that is not blank';
  }
  if (!Array.isArray(messages) || messages.length === 0) {
    return 'what stands for a range is a summary, or a list with at least one message';
  }
  return Array.from(messages, entryFault).find((each) => each !== undefined);
}

const isSeq = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Why no history could be read from a checkpoint that is appended as a record. */
export function checkpointFault(data: Keys): string | undefined {
  const { from, to, undo, summary, messages, dialect } = data;
  if (undo !== undefined && from === undefined && to === undefined) {
    return isSeq(undo) ? undefined : 'data.undo must be the number of a checkpoint';
  }
  if (!isSeq(from) || !isSeq(to) || Number(from) > Number(to)) {
    return 'data.from and data.to must be the numbers of the first and the last record that it stands for';
  }
  const fault = standInFault(data);
  if (fault !== undefined) return fault;
  const entries = (messages ?? [{ wire: summary }]) as readonly Keys[];
  if (dialect === undefined && entries.some(({ wire }) => isObject(wire))) return dialectFault(dialect);
  // What stays by its number is not at hand here.
  return entries.some((entry) => !('wire' in entry)) ? undefined : emptinessFault(data as NewCheckpoint, []);
}

/** Looks at what somebody wants to have stand for a range; `load` gives the records of the range. */
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
