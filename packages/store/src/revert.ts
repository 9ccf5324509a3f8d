import { checkTime } from './arguments.ts';
import { Divider, isTalk } from './turn-boundaries.ts';
import type { Driver } from './driver.ts';
import { readRecords } from './log.ts';
import { keysOf, type StoredRecord } from './record.ts';
import { StoreError } from './store-error.ts';

type Place = { readonly driver: Driver; readonly session: string };

/** A record number, or a time. */
export type RevertTarget = { readonly to: number | Date };

const numberOf = (record: StoredRecord, name: string): number | undefined => {
  const value = keysOf(record)[name];
  return typeof value === 'number' ? value : undefined;
};

/** The record that a revert returns to; undefined for other records and for invalid reverts. */
function wentBackTo(record: StoredRecord): number | undefined {
  const to = record.kind === 'revert' ? numberOf(record, 'to') : undefined;
  return to !== undefined && to >= 0 && to < record.seq ? to : undefined;
}

/** The records in force, newest first, including the reverts among them. */
async function* wayBack({ driver, session }: Place): AsyncGenerator<StoredRecord> {
  let below = Infinity;
  for await (const record of readRecords(driver, session, { backward: true })) {
    if (record.seq > below) continue;
    yield record;
    below = wentBackTo(record) ?? below;
  }
}

/** The newest record at a time, by its writer's clock; 0 if there was none. */
async function newestAt({ driver, session }: Place, time: Date): Promise<number> {
  for await (const { seq, at } of readRecords(driver, session, { backward: true })) {
    if (Date.parse(at) <= time.getTime()) return seq;
  }
  return 0;
}

/**
 * The records that led to one record, newest first, preceded by those that continued from it; other branches are
 * skipped. Calls `turns` when the records seen so far continued from elsewhere.
 */
async function* wayThrough({ driver, session }: Place, seq: number, turns: () => void): AsyncGenerator<StoredRecord> {
  let below = Infinity;
  for await (const record of readRecords(driver, session, { backward: true })) {
    if (record.seq > below) continue;
    yield record;
    const to = wentBackTo(record);
    if (to === undefined) continue;
    if (record.seq <= seq || to >= seq) below = to;
    else turns();
  }
}

/** The newest record before the last dividing place at that time; 0 if there was none. */
async function endAt(place: Place, time: Date): Promise<number> {
  const newest = await newestAt(place, time);
  let divider = new Divider();
  /** The newest record in time between the next part of the conversation and what was already read. */
  let aside: number | undefined;
  /** Whether a call started later than that time: its turn was not over yet. */
  let begun = false;
  const turns = (): void => void ([divider, begun] = [new Divider(), false]);
  for await (const record of wayThrough(place, newest, turns)) {
    const isInTime = record.seq <= newest;
    if (isTalk(record)) {
      const isNear = isInTime || aside !== undefined;
      if (isNear && !begun && divider.dividesBehind(record)) return aside ?? record.seq;
      divider.add(record);
      [aside, begun] = [undefined, false];
    } else if (isInTime) {
      if (divider.isEmpty && !begun) return record.seq;
      aside ??= record.seq;
    } else begun ||= record.kind === 'call.started';
  }
  return aside ?? 0;
}

/** Resolves a revert target to a record number. */
export async function revertTo(place: Place, { to }: RevertTarget, head: number): Promise<number> {
  if (to instanceof Date) checkTime('to', to);
  else if (typeof to !== 'number') throw new StoreError('unsupported', '`to` must be a record number or a Date');
  const seq = typeof to === 'number' ? to : await endAt(place, to);
  if (Number.isSafeInteger(seq) && seq >= 0 && seq < head) return seq;
  const { session } = place;
  const what = typeof to === 'number' ? `cannot revert to record ${to}` : `has no record after ${to.toISOString()}`;
  const sentence = `session ${JSON.stringify(session)} ${what}: its newest record is ${head}`;
  throw new StoreError('missing', sentence, { session, head });
}

/** The newest revert in force that does not itself undo a revert. */
export async function newestRevert(place: Place): Promise<StoredRecord | undefined> {
  for await (const record of wayBack(place)) {
    if (record.kind === 'revert' && numberOf(record, 'undo') === undefined) return record;
  }
  return undefined;
}

export async function newestCheckpoint(place: Place): Promise<StoredRecord | undefined> {
  const undone = new Set<number>();
  for await (const record of wayBack(place)) {
    if (record.kind !== 'checkpoint' || undone.has(record.seq)) continue;
    const undo = numberOf(record, 'undo');
    if (undo === undefined) return record;
    undone.add(undo);
  }
  return undefined;
}
