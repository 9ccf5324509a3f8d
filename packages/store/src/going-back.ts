import { checkTime } from './arguments.ts';
import { Divider, isTalk } from './divider.ts';
import type { Driver } from './driver.ts';
import { readRecords } from './log.ts';
import { keysOf, type StoredRecord } from './record.ts';
import { StoreError } from './store-error.ts';

type Place = { readonly driver: Driver; readonly session: string };

/** What to go back to: a record, or a time. */
export type RevertTarget = { readonly to: number | Date };

const numberOf = (record: StoredRecord, name: string): number | undefined => {
  const value = keysOf(record)[name];
  return typeof value === 'number' ? value : undefined;
};

/** The record that a revert goes back to; undefined for any other record, and for one that makes no sense. */
function wentBackTo(record: StoredRecord): number | undefined {
  const to = record.kind === 'revert' ? numberOf(record, 'to') : undefined;
  return to !== undefined && to >= 0 && to < record.seq ? to : undefined;
}

/** The records that no revert took back, the newest first, with the reverts that are in force among them. */
async function* wayBack({ driver, session }: Place): AsyncGenerator<StoredRecord> {
  let below = Infinity;
  for await (const record of readRecords(driver, session, { backward: true })) {
    if (record.seq > below) continue;
    yield record;
    below = wentBackTo(record) ?? below;
  }
}

/** The newest record at a time, by the clock of its writer; 0 when there was none. */
async function newestAt({ driver, session }: Place, time: Date): Promise<number> {
  for await (const { seq, at } of readRecords(driver, session, { backward: true })) {
    if (Date.parse(at) <= time.getTime()) return seq;
  }
  return 0;
}

/**
 * The records that led to one, the newest first, and before them those that went on from it: what was said on another
 * way is left out. `turns` is called where all that was given before went on from somewhere else.
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

/** The newest record before the last place in time where the log may be divided; 0 when there was none. */
async function endAt(place: Place, time: Date): Promise<number> {
  const newest = await newestAt(place, time);
  let divider = new Divider();
  /** The newest record in time of those between the conversation that was read and what comes next of it. */
  let aside: number | undefined;
  /** Whether a call was started there that had not been at that time: its turn was not over. */
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

/** The number of the record to go back to. */
export async function revertTo(place: Place, { to }: RevertTarget, head: number): Promise<number> {
  if (to instanceof Date) checkTime('to', to);
  else if (typeof to !== 'number') throw new StoreError('unsupported', 'to is the number of a record, or a time');
  const seq = typeof to === 'number' ? to : await endAt(place, to);
  if (Number.isSafeInteger(seq) && seq >= 0 && seq < head) return seq;
  const { session } = place;
  const what = typeof to === 'number' ? `cannot go back to record ${to}` : `has no record after ${to.toISOString()}`;
  const sentence = `session ${JSON.stringify(session)} ${what}: the newest is ${head}`;
  throw new StoreError('missing', sentence, { session, head });
}

/** The newest revert that is in force and is no undoing itself. */
export async function newestRevert(place: Place): Promise<StoredRecord | undefined> {
  for await (const record of wayBack(place)) {
    if (record.kind === 'revert' && numberOf(record, 'undo') === undefined) return record;
  }
  return undefined;
}

/** The newest checkpoint that is in force. */
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
