import { checkRange } from './arguments.ts';
import type { Driver, Range, SessionInfo, Stored } from './driver.ts';
import { type StoredRecord, decodeRecord } from './record.ts';
import { missing } from './refusals.ts';
import { StoreError } from './store-error.ts';

/** The part of a log that one session holds: records with `after` < seq <= `upTo`. */
type Stretch = { readonly session: string; readonly after: number; readonly upTo: number };

/** Returns the list entry of a session; rejects with `missing` if there is none. */
export async function infoOf(driver: Driver, session: string): Promise<SessionInfo> {
  const info = await driver.info(session);
  if (info === undefined) throw missing(session);
  return info;
}

/** The source of a fork. Without it the fork cannot be read. */
async function sourceOf(driver: Driver, source: string, fork: string): Promise<SessionInfo> {
  const info = await driver.info(source);
  if (info !== undefined) return info;
  const sentence = `session ${JSON.stringify(fork)} shares records with ${JSON.stringify(source)}, which is missing`;
  throw new StoreError('missing', sentence, { session: source });
}

/** The parts of a log, oldest first: a fork starts with the records it shares. */
export async function stretchesOf(driver: Driver, session: string): Promise<readonly Stretch[]> {
  const stretches: Stretch[] = [];
  const seen = new Set<string>();
  let [id, upTo] = [session, Infinity];
  for (;;) {
    if (seen.has(id)) {
      throw new StoreError('damaged', `session ${JSON.stringify(session)} is a fork of itself`, { session });
    }
    seen.add(id);
    const { base, fork } = id === session ? await infoOf(driver, id) : await sourceOf(driver, id, session);
    stretches.unshift({ session: id, after: base, upTo });
    if (fork === undefined) return stretches;
    [id, upTo] = [fork.from, Math.min(upTo, fork.at)];
  }
}

/** Reads a log in chunks, including shared records. */
export async function* readLog(driver: Driver, session: string, range: Range): AsyncGenerator<readonly Stored[]> {
  const { after = -1, before = Infinity, backward = false, limit = Infinity } = range;
  const stretches = await stretchesOf(driver, session);
  let rest = limit;
  for (const each of backward ? stretches.toReversed() : stretches) {
    const low = Math.max(after, each.after);
    const high = Math.min(before, each.upTo + 1);
    if (rest <= 0) return;
    if (high - low <= 1) continue;
    const bounds = { after: low, backward, ...(high === Infinity ? {} : { before: high }) };
    const some = rest === Infinity ? bounds : { ...bounds, limit: rest };
    for await (const stored of driver.read(each.session, some)) {
      yield stored;
      rest -= stored.length;
    }
  }
}

/** Decodes a record. Bytes that are not a record are damage, even with a valid checksum. */
export function toRecord(session: string, { seq, bytes }: Stored): StoredRecord {
  const record = decodeRecord(bytes);
  if (record?.seq === seq) return record;
  throw new StoreError('damaged', `record ${seq} of session ${JSON.stringify(session)} cannot be read`, {
    session,
    seq,
  });
}

export async function* readRecords(driver: Driver, session: string, range: Range): AsyncGenerator<StoredRecord> {
  checkRange(range);
  for await (const some of readLog(driver, session, range)) {
    for (const stored of some) yield toRecord(session, stored);
  }
}

export async function loadRecords(driver: Driver, session: string, range: Range): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const record of readRecords(driver, session, range)) records.push(record);
  return records;
}
