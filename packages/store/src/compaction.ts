import { type Dialect, type Projection, projectWithSources, toWire } from '@rethread/core';

import { type StoredRecord, toSessionRecord } from './record.ts';
import { isMade, noStandIn, requireWords } from './stand-in.ts';
import type { AppendOptions } from './writer.ts';

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

/** A list that is not empty, or a text that is the summary of everything. */
type Shortened = readonly unknown[] | string;

/**
 * Gives a shorter list. Messages that stay are the same objects, in the order in which they are to stand; `pins` are
 * the places of those that somebody pinned. What it throws is given back as it is.
 */
export type Shorten = (
  messages: readonly unknown[],
  dialect: string,
  pins: readonly number[],
) => Shortened | Promise<Shortened>;

export type ShortenLogOptions = AppendOptions & {
  /** What the messages are given in; in the first dialect of the session where nothing is said. */
  readonly dialect?: Dialect;
};

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
  const units = unitsIn(projection, before, stretch);
  const list = after.slice(stretch.start, after.length - (before.length - stretch.end));
  return { from, to, messages: told(list, units), dialect: projection.dialect };
}

/** Messages that were made of the same records, and can only stay as records together; mostly one of each. */
type Unit = { readonly wires: unknown[]; readonly seqs: Set<number> };

/** The messages of a stretch that are records, by the object that each unit begins with. */
function unitsIn({ records }: Projection, before: readonly unknown[], { start, end }: Stretch): Map<unknown, Unit> {
  const units = new Map<unknown, Unit>();
  let last: Unit | undefined;
  for (let index = start; index < end; index += 1) {
    const [wire, seqs = []] = [before[index], records[index]];
    // What is no object cannot be told from another.
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

/** The new messages for the log: what stayed by its numbers, everything else as it is. */
function told(list: readonly unknown[], units: Map<unknown, Unit>): ({ seq: number } | { wire: unknown })[] {
  const messages: ({ seq: number } | { wire: unknown })[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const unit = units.get(list[index]);
    if (unit?.wires.every((wire, place) => list[index + place] === wire) !== true) {
      messages.push({ wire: list[index] ?? null });
      continue;
    }
    for (const seq of unit.seqs) messages.push({ seq });
    // A message that is given twice stays once, and is written down the second time.
    units.delete(list[index]);
    index += unit.wires.length - 1;
  }
  return messages;
}

/** What a function gave, as a list in which everything is a message; what stayed may be in any form. */
function listOf(given: unknown, before: readonly unknown[]): readonly unknown[] {
  const list: unknown = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(list)) throw noStandIn('the function gave neither a list of messages nor a text');
  if (list.length === 0) throw noStandIn('the function left no message');
  const odd = (list as readonly unknown[]).filter((wire) => !isMade(wire));
  if (odd.length === 0) return list;
  const stayed = new Set(before);
  if (odd.every((wire) => stayed.has(wire))) return list;
  throw noStandIn('the function gave something that is neither a message nor a text');
}

/** Has the history of a log shortened, and gives the checkpoint that says so; undefined where nothing is to be done. */
export async function shortenLog(
  records: readonly StoredRecord[],
  shorten: Shorten,
  dialect?: Dialect,
): Promise<NewCheckpoint | undefined> {
  const projection = projectWithSources(records.map(toSessionRecord), dialect);
  if (projection === undefined || projection.messages.length === 0) return undefined;
  if (projection.dialect !== (dialect ?? projection.dialect)) {
    throw noStandIn(`there is no dialect ${JSON.stringify(dialect)}`);
  }
  const before = toWire(projection);
  const after = listOf(await shorten(before, projection.dialect, projection.pins), before);
  const made = checkpointOf(projection, { before, after });
  const stayed = new Set(before);
  if (made !== undefined && !after.some((wire) => stayed.has(wire))) requireWords(made, records);
  return made;
}
