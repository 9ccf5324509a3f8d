import { type Message, type Part, projectWithSources, type SessionRecord } from '@rethread/core';

import { checkText } from './arguments.ts';
import type { NewCheckpoint } from './compaction.ts';
import { isTalk } from './divider.ts';
import { recordVersion, type StoredRecord } from './record.ts';
import { toSessionRecord } from './session-record.ts';
import { StoreError } from './store-error.ts';

type Keys = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a message can be made of it: plain text with something in it, or a message of some dialect. */
export const isMade = (wire: unknown): boolean => (typeof wire === 'string' ? wire.trim() !== '' : isObject(wire));

/** Says why a compaction is not recorded. The history then stays as it is. */
export const noStandIn = (what: string): StoreError =>
  new StoreError('unsupported', `nothing was compacted, because ${what}`);

function saysSomething(part: Part): boolean {
  if (part.kind === 'text') return part.text.trim() !== '';
  return part.kind !== 'opaque' || part.characters > 0;
}

const isBlank = ({ parts }: Message): boolean => !parts.some(saysSomething);

/** Refuses a checkpoint in whose place nothing could be read. `range` are the records that it stands for. */
export function requireWords(made: NewCheckpoint, range: readonly StoredRecord[]): void {
  const checkpoint = { v: recordVersion, seq: made.to + 1, id: '', at: '', kind: 'checkpoint', data: made };
  const projection = projectWithSources([
    ...range.filter(isTalk).map(toSessionRecord),
    // What it holds was looked at, and a projection is made for data in any form.
    checkpoint as SessionRecord,
  ]);
  // Without any known dialect nobody can say what a message says.
  if (projection?.messages.every(isBlank) === true) throw noStandIn('what was made of the messages says nothing');
}

/** Refuses what is no entry of the list that stands for a range. */
function checkEntry(entry: unknown, { from, to }: NewCheckpoint, talk: ReadonlySet<unknown>): void {
  if (!isObject(entry)) throw noStandIn('each of its messages is an object with a wire or a seq');
  const { seq, wire } = entry;
  if ('wire' in entry) {
    if (!isMade(wire)) throw noStandIn('a wire is a message, or a text that is not blank');
  } else if (!talk.has(seq))
    throw noStandIn(`no message of the records ${from} to ${to} has the number ${String(seq)}`);
}

/** Looks at what somebody wants to have stand for a range; `load` gives the records of the range. */
export async function checkStandIn(made: NewCheckpoint, load: () => Promise<readonly StoredRecord[]>): Promise<void> {
  const { summary, messages, dialect } = made as Keys;
  checkText('dialect', dialect);
  if (messages === undefined) {
    if (!isMade(summary)) throw noStandIn('a summary is a message, or a text that is not blank');
    if (typeof summary === 'string') return;
  } else if (!Array.isArray(messages) || messages.length === 0) {
    throw noStandIn('what stands for a range is a summary, or a list with at least one message');
  }
  const range = await load();
  const talk = new Set<unknown>(range.filter(isTalk).map(({ seq }) => seq));
  for (const entry of (messages ?? []) as readonly unknown[]) checkEntry(entry, made, talk);
  requireWords(made, range);
}
