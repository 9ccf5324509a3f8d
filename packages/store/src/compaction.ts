import { type Dialect, type Projection, projectWithSources, toWire } from '@rethread/core';

import { type StoredRecord, toSessionRecord } from './record.ts';
import { isMade, noStandIn, requireWords } from './checkpoint-form.ts';
import type { AppendOptions } from './writer.ts';

/** A replacement for a range of records, both ends included: one summary, or several messages. */
export type NewCheckpoint = {
  readonly from: number;
  readonly to: number;
  /** The dialect of the new messages. */
  readonly dialect?: string;
} & (
  | {
      readonly summary: unknown;
    }
  | {
      /** New messages, and the kept messages of the range by record number. */
      readonly messages: readonly ({ readonly wire: unknown } | { readonly seq: number })[];
    }
);

/** A list with at least one message, or one text that summarises everything. */
type Shortened = readonly unknown[] | string;

/**
 * Returns a shorter list. Kept messages are the same objects, in their new order. `pins` are the indexes of pinned
 * messages. An error it throws reaches the caller unchanged.
 */
export type Shorten = (
  messages: readonly unknown[],
  dialect: string,
  pins: readonly number[],
) => Shortened | Promise<Shortened>;

export type ShortenLogOptions = AppendOptions & {
  /** The dialect of the messages passed to the function (default: the first dialect of the session). */
  readonly dialect?: Dialect;
};

/** A range of list indexes; `end` is excluded. */
type Stretch = { readonly start: number; readonly end: number };

/** The number of messages that both lists share at the start or, with `backward`, at the end. */
function sameRun(one: readonly unknown[], two: readonly unknown[], backward: boolean): number {
  const length = Math.min(one.length, two.length);
  let count = 0;
  while (count < length && (backward ? one.at(-1 - count) === two.at(-1 - count) : one[count] === two[count]))
    count += 1;
  return count;
}

const rangeOf = ({ sources, ends }: Projection, { start, end }: Stretch): Pick<NewCheckpoint, 'from' | 'to'> => ({
  from: sources.slice(start, end).reduce((least, seq) => Math.min(least, seq), Infinity),
  to: ends.slice(start, end).reduce((most, seq) => Math.max(most, seq), -Infinity),
});

/** Widens a stretch to whole records, because a checkpoint replaces whole records only. */
function widened(projection: Projection, stretch: Stretch): Stretch {
  const { from, to } = rangeOf(projection, stretch);
  let { start, end } = stretch;
  for (const [index, source] of projection.sources.entries()) {
    if (source > to || (projection.ends[index] ?? source) < from) continue;
    [start, end] = [Math.min(start, index), Math.max(end, index + 1)];
  }
  return start === stretch.start && end === stretch.end ? stretch : widened(projection, { start, end });
}

/** The checkpoint that turns the old list into the new one; undefined if nothing changed. */
function checkpointOf(
  projection: Projection,
  lists: { readonly before: readonly unknown[]; readonly after: readonly unknown[] },
): NewCheckpoint | undefined {
  const { before, after } = lists;
  const head = sameRun(before, after, false);
  if (head === before.length && head === after.length) return undefined;
  const tail = sameRun(before.slice(head), after.slice(head), true);
  // If messages were only inserted, the checkpoint also covers the message beside them.
  const start = head === before.length - tail ? Math.max(0, head - 1) : head;
  const end = Math.max(before.length - tail, start + 1);
  const stretch = widened(projection, { start, end });
  const { from, to } = rangeOf(projection, stretch);
  const units = unitsIn(projection, before, stretch);
  const list = after.slice(stretch.start, after.length - (before.length - stretch.end));
  return { from, to, messages: told(list, units), dialect: projection.dialect };
}

/** Messages made from the same records, usually one each. They can only be kept together. */
type Unit = { readonly wires: unknown[]; readonly seqs: Set<number> };

/** The messages of a stretch that come from records, keyed by the first object of each unit. */
function unitsIn({ records }: Projection, before: readonly unknown[], { start, end }: Stretch): Map<unknown, Unit> {
  const units = new Map<unknown, Unit>();
  let last: Unit | undefined;
  for (let index = start; index < end; index += 1) {
    const [wire, seqs = []] = [before[index], records[index]];
    // A primitive has no identity, so it cannot be recognised in the new list.
    if (seqs.length === 0 || typeof wire !== 'object' || wire === null) last = undefined;
    else if (last !== undefined && seqs.some((seq) => last?.seqs.has(seq))) {
      last.wires.push(wire);
      for (const seq of seqs) last.seqs.add(seq);
    } else {
      last = { wires: [wire], seqs: new Set(seqs) };
      units.set(wire, last);
    }
  }
  return units;
}

/** Kept messages become record numbers; all others are stored as they are. */
function told(list: readonly unknown[], units: Map<unknown, Unit>): ({ seq: number } | { wire: unknown })[] {
  const messages: ({ seq: number } | { wire: unknown })[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const unit = units.get(list[index]);
    if (unit?.wires.every((wire, place) => list[index + place] === wire) !== true) {
      messages.push({ wire: list[index] ?? null });
      continue;
    }
    for (const seq of unit.seqs) messages.push({ seq });
    // If the list contains a message twice, the first stays a number and the second is stored again.
    units.delete(list[index]);
    index += unit.wires.length - 1;
  }
  return messages;
}

/** Validates the function's result: every item must be a message, except kept items, which may have any form. */
function listOf(given: unknown, before: readonly unknown[]): readonly unknown[] {
  const list: unknown = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(list)) throw noStandIn('the function returned neither a list of messages nor a text');
  if (list.length === 0) throw noStandIn('the function returned an empty list');
  const odd = (list as readonly unknown[]).filter((wire) => !isMade(wire));
  if (odd.length === 0) return list;
  const stayed = new Set(before);
  if (odd.every((wire) => stayed.has(wire))) return list;
  throw noStandIn('the function returned an item that is neither a message nor a text');
}

/** Lets a function shorten the history and returns the checkpoint for it; undefined if nothing changed. */
export async function shortenLog(
  records: readonly StoredRecord[],
  shorten: Shorten,
  dialect?: Dialect,
): Promise<NewCheckpoint | undefined> {
  const projection = projectWithSources(records.map(toSessionRecord), dialect);
  if (projection === undefined || projection.messages.length === 0) return undefined;
  if (projection.dialect !== (dialect ?? projection.dialect)) {
    throw noStandIn(`the dialect ${JSON.stringify(dialect)} is unknown`);
  }
  const before = toWire(projection);
  const after = listOf(await shorten(before, projection.dialect, projection.pins), before);
  const made = checkpointOf(projection, { before, after });
  const stayed = new Set(before);
  if (made !== undefined && !after.some((wire) => stayed.has(wire))) requireWords(made, records);
  return made;
}
