import { type Projection, projectWithSources, toWire } from '@rethread/core';

import type { StoredRecord } from './record.ts';
import { toSessionRecord } from './session-record.ts';

/** A summary, or several messages, that stand for those of a range of records, both ends included. */
export type NewCheckpoint = {
  readonly from: number;
  readonly to: number;
  /** The dialect of what was made. */
  readonly dialect?: string;
} & (
  | {
      /** A message in the dialect, or plain text. */
      readonly summary: unknown;
    }
  | {
      /** Messages that were made, and those of the range that stay, by their number. */
      readonly messages: readonly ({ readonly wire: unknown } | { readonly seq: number })[];
    }
);

/**
 * Gives a shorter list. Messages that stay are the same objects, in the order in which they are to stand; `pins` are
 * the places of those that somebody pinned.
 */
export type Shorten = (
  messages: readonly unknown[],
  dialect: string,
  pins: readonly number[],
) => readonly unknown[] | Promise<readonly unknown[]>;

/** A stretch of a list, without its end. */
type Stretch = { readonly start: number; readonly end: number };

/** How many messages at the beginning, or backward at the end, are the same in both lists. */
function sameRun(one: readonly unknown[], two: readonly unknown[], backward: boolean): number {
  const length = Math.min(one.length, two.length);
  let count = 0;
  while (count < length && (backward ? one.at(-1 - count) === two.at(-1 - count) : one[count] === two[count]))
    count += 1;
  return count;
}

const rangeOf = (
  { sources, ends }: Projection,
  { start, end }: Stretch,
): { readonly from: number; readonly to: number } => ({
  from: sources.slice(start, end).reduce((least, seq) => Math.min(least, seq), Infinity),
  to: ends.slice(start, end).reduce((most, seq) => Math.max(most, seq), -Infinity),
});

/** The stretch with every message that its records reach into: a checkpoint takes all of a range, or nothing. */
function widened(projection: Projection, stretch: Stretch): Stretch {
  const { from, to } = rangeOf(projection, stretch);
  let { start, end } = stretch;
  for (const [index, source] of projection.sources.entries()) {
    if (source > to || (projection.ends[index] ?? source) < from) continue;
    [start, end] = [Math.min(start, index), Math.max(end, index + 1)];
  }
  return start === stretch.start && end === stretch.end ? stretch : widened(projection, { start, end });
}

/** The checkpoint that makes the new list of the old one; undefined where the list did not change. */
function checkpointOf(
  records: readonly StoredRecord[],
  projection: Projection,
  lists: { readonly before: readonly unknown[]; readonly after: readonly unknown[] },
): NewCheckpoint | undefined {
  const { before, after } = lists;
  const head = sameRun(before, after, false);
  if (head === before.length && head === after.length) return undefined;
  const tail = sameRun(before.slice(head), after.slice(head), true);
  // Where messages were only put in, the one beside them belongs to the change too.
  const start = head === before.length - tail ? Math.max(0, head - 1) : head;
  const end = Math.max(before.length - tail, start + 1);
  const stretch = widened(projection, { start, end });
  const { from, to } = rangeOf(projection, stretch);
  const originals = originalsIn(records, { from, to });
  const messages = after.slice(stretch.start, after.length - (before.length - stretch.end)).map((wire) => {
    const seq = originals.get(wire);
    // A message that is given twice stays once, and is written down the second time.
    originals.delete(wire);
    return seq === undefined ? { wire: wire ?? null } : { seq };
  });
  return { from, to, messages, dialect: projection.dialect };
}

/** The messages of a range of records, as the objects that they are; what is no object cannot be told from another. */
function originalsIn(records: readonly StoredRecord[], range: { from: number; to: number }): Map<unknown, number> {
  const originals = new Map<unknown, number>();
  for (const { kind, seq, data } of records) {
    if (kind !== 'message' || seq < range.from || seq > range.to) continue;
    const wire = typeof data === 'object' && data !== null && 'wire' in data ? data.wire : undefined;
    if (typeof wire === 'object' && wire !== null) originals.set(wire, seq);
  }
  return originals;
}

/** Has the history of a log shortened, and gives the checkpoint that says so; undefined where nothing is to be done. */
export async function shortenLog(
  records: readonly StoredRecord[],
  shorten: Shorten,
): Promise<NewCheckpoint | undefined> {
  const projection = projectWithSources(records.map(toSessionRecord));
  if (projection === undefined || projection.messages.length === 0) return undefined;
  const before = toWire(projection);
  return checkpointOf(records, projection, {
    before,
    after: await shorten(before, projection.dialect, projection.pins),
  });
}
