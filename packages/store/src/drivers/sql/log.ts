import type { Damage, DriverVerdict, Range, Stored } from '../../driver.ts';
import { missing } from '../../refusals.ts';
import { StoreError } from '../../store-error.ts';
import { chained, chainStart, isSound, type Row } from './chain.ts';

/** The session row that describes a log. */
export type Mark = {
  readonly base: number;
  readonly seq: number;
  readonly epoch: number;
  readonly chain: number;
};

export type Log = {
  mark(session: string): Promise<Mark | undefined>;
  /** Records of the range in order: at least one if any exist, at most a few megabytes. */
  page(session: string, range: Range & { readonly limit: number }): Promise<readonly Row[]>;
};

/** Records per query; the database limits their bytes. */
const pageLength = 500;

async function markOf(log: Log, session: string): Promise<Mark> {
  const mark = await log.mark(session);
  if (mark === undefined) throw missing(session);
  return mark;
}

const damaged = (session: string, { sentence, seq }: Damage): StoreError =>
  new StoreError('damaged', `session ${JSON.stringify(session)}: ${sentence}`, {
    session,
    ...(seq === undefined ? {} : { seq }),
  });

const wrongBytes = (seq: number): Damage => ({
  kind: 'checksum',
  sentence: `the bytes of record ${seq} differ from what was written`,
  seq,
});

const wrongLink = (seq: number): Damage => ({
  kind: 'missing',
  sentence: `the record before record ${seq} differs from what was there when it was written`,
  seq,
});

const tailLost = (from: number, to: number): Damage => ({
  kind: 'tail-lost',
  sentence: `the log ends at record ${from}, but records up to ${to} were acknowledged`,
  seq: to,
});

/** The damage of a record that follows the checksum `link`; `link` may be unknown. */
function damageOf(row: Row, link: number | undefined): Damage | undefined {
  if (!isSound(row)) return wrongBytes(row.seq);
  return link === undefined || row.link === link ? undefined : wrongLink(row.seq);
}

const stored = ({ seq, bytes }: Row): Stored => ({ seq, bytes });

type Reading = { readonly log: Log; readonly session: string; readonly mark: Mark };

/** The checksum of the record before a place. */
async function linkBefore({ log, session, mark }: Reading, seq: number): Promise<number> {
  if (seq <= mark.base) return chainStart(session);
  const [row] = await log.page(session, { before: seq + 1, backward: true, limit: 1 });
  return row?.crc ?? chainStart(session);
}

async function* readForward(reading: Reading, range: Range): AsyncIterable<readonly Stored[]> {
  const { log, session, mark } = reading;
  let after = Math.max(range.after ?? 0, mark.base);
  let left = range.limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0 || after >= mark.seq) return;
  let link = await linkBefore(reading, after);
  while (left > 0) {
    const rows = await log.page(session, { ...range, after, limit: Math.min(left, pageLength) });
    let bad: Damage | undefined;
    const sound: Stored[] = [];
    for (const row of rows) {
      bad = damageOf(row, link);
      if (bad !== undefined) break;
      sound.push(stored(row));
      link = row.crc;
      after = row.seq;
    }
    if (sound.length > 0) yield sound;
    if (bad !== undefined) throw damaged(session, bad);
    if (rows.length === 0) break;
    left -= rows.length;
  }
  if (left > 0) await proveEnd(reading, range, { seq: after, crc: link });
}

type Last = { readonly seq: number; readonly crc: number };

/** Checks that nothing is missing between the last record read and the end of the range. */
async function proveEnd({ log, session, mark }: Reading, { before }: Range, last: Last): Promise<void> {
  if (before === undefined || before > mark.seq) {
    if (last.seq < mark.seq) throw damaged(session, tailLost(last.seq, mark.seq));
    return;
  }
  const [next] = await log.page(session, { after: before - 1, limit: 1 });
  if (next !== undefined && next.link !== last.crc) throw damaged(session, wrongLink(next.seq));
}

/**
 * Whether the session was erased since its mark was read. A new session with its name has an earlier head, or another
 * record at the same head.
 */
async function isErased({ log, session, mark }: Reading): Promise<boolean> {
  const now = await log.mark(session);
  return now === undefined || now.seq < mark.seq || (now.seq === mark.seq && now.chain !== mark.chain);
}

async function* readBackward(reading: Reading, range: Range): AsyncIterable<readonly Stored[]> {
  const { log, session, mark } = reading;
  let before = Math.min(range.before ?? Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER);
  let left = range.limit ?? Number.POSITIVE_INFINITY;
  let link: number | undefined = before > mark.seq ? mark.chain : undefined;
  let newest = before > mark.seq;
  while (left > 0) {
    const rows = await log.page(session, { ...range, before, backward: true, limit: Math.min(left, pageLength) });
    let bad: Damage | undefined;
    const sound: Stored[] = [];
    for (const row of rows) {
      // A writer may have appended since the mark was read, which is not damage.
      if (newest && row.seq > mark.seq) link = row.crc;
      if (newest && row.seq < mark.seq) bad = tailLost(row.seq, mark.seq);
      else if (!isSound(row)) bad = wrongBytes(row.seq);
      else if (link !== undefined && row.crc !== link) bad = wrongLink(row.seq);
      if (bad !== undefined) break;
      newest &&= row.seq > mark.seq;
      sound.push(stored(row));
      link = row.link;
      before = row.seq;
    }
    if (sound.length > 0) yield sound;
    if (bad !== undefined) throw damaged(session, bad);
    left -= rows.length;
    if (rows.length > 0) continue;
    const from = Math.max(range.after ?? 0, mark.base);
    if (newest && mark.seq > from) throw damaged(session, tailLost(from, mark.seq));
    // The last record read must be chained to the record before the range.
    const whole = link === undefined || newest || link === (await linkBefore(reading, from));
    if (!whole) throw damaged(session, wrongLink(before));
    return;
  }
}

/** Reads a range and verifies every record. */
export async function* readLog(log: Log, session: string, range: Range): AsyncIterable<readonly Stored[]> {
  const reading = { log, session, mark: await markOf(log, session) };
  try {
    yield* range.backward === true ? readBackward(reading, range) : readForward(reading, range);
  } catch (error) {
    throw isDamaged(error) && (await isErased(reading)) ? missing(session) : error;
  }
}

const isDamaged = (error: unknown): error is StoreError => error instanceof StoreError && error.code === 'damaged';

/** The next records, or the database's error as damage. */
async function pageOrDamage({ log, session, mark }: Reading, after: number): Promise<readonly Row[] | Damage> {
  try {
    return await log.page(session, { after, before: mark.seq + 1, limit: pageLength });
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return { kind: 'unreadable', sentence: `nothing after record ${after} can be read: ${error.message}` };
  }
}

/** Lists every damage up to the newest acknowledged record. */
export async function verifyLog(log: Log, session: string): Promise<DriverVerdict> {
  const reading = { log, session, mark: await markOf(log, session) };
  const verdict = await prove(reading);
  if (verdict.damages.length > 0 && (await isErased(reading))) throw missing(session);
  return verdict;
}

async function prove({ log, session, mark }: Reading): Promise<DriverVerdict> {
  const damages: Damage[] = [];
  let [records, bytes, after, link] = [0, 0, mark.base, chainStart(session)];
  const verdict = (): DriverVerdict => ({ head: { seq: mark.seq, epoch: mark.epoch }, records, bytes, damages });
  while (true) {
    const rows = await pageOrDamage({ log, session, mark }, after);
    if ('kind' in rows) {
      damages.push(rows);
      return verdict();
    }
    for (const row of rows) {
      const damage = damageOf(row, link);
      if (damage === undefined || damage.kind === 'missing') {
        records += 1;
        bytes += row.bytes.length;
      }
      if (damage !== undefined) damages.push(damage);
      link = row.crc;
      after = row.seq;
    }
    if (rows.length === 0) break;
  }
  if (after < mark.seq) damages.push(tailLost(after, mark.seq));
  else if (link !== mark.chain) damages.push(wrongLink(mark.seq + 1));
  return verdict();
}

export type Waiting = (session: string, signal: AbortSignal) => Promise<void>;

type Following = {
  readonly log: Log;
  readonly session: string;
  readonly after: number;
  readonly signal: AbortSignal;
  readonly wait: Waiting;
};

const isMissing = (error: unknown): boolean => error instanceof StoreError && error.code === 'missing';

/** The last record a follower has seen, which identifies the session. */
type Known = { readonly seq: number; readonly sum: number };

const knownOf = ({ seq, bytes }: Stored): Known => ({ seq, sum: chained(0, bytes) });

async function rowAt(log: Log, session: string, seq: number): Promise<Row | undefined> {
  const [row] = await log.page(session, { after: seq - 1, before: seq + 1, limit: 1 });
  return row;
}

/** Whether another session has the name now. A damaged or lost record does not count; readers report it. */
async function isAnother(log: Log, session: string, { seq, sum }: Known): Promise<boolean> {
  const mark = await log.mark(session);
  if (mark === undefined || mark.seq < seq) return true;
  const row = await rowAt(log, session, seq);
  return row !== undefined && isSound(row) && knownOf(row).sum !== sum;
}

/** Yields the records after a number, then new ones, until the signal or an erasure ends it. */
export async function* followLog({ log, session, after, signal, wait }: Following): AsyncIterable<readonly Stored[]> {
  const start = await rowAt(log, session, after);
  let last = start && knownOf(start);
  let seen = after;
  let known = false;
  const isOver = async (): Promise<boolean> => last !== undefined && (await isAnother(log, session, last));
  while (!signal.aborted) {
    // The wait starts before the read, so that a write in between ends it.
    const growth = new AbortController();
    const grown = wait(session, AbortSignal.any([signal, growth.signal]));
    try {
      for await (const page of readLog(log, session, { after: seen })) {
        // Checked after reading: a new session may have taken the name before.
        if (await isOver()) return;
        known = true;
        const newest = page.at(-1);
        if (newest !== undefined) [seen, last] = [newest.seq, knownOf(newest)];
        yield page;
        if (signal.aborted) return;
      }
      known = true;
      if (await isOver()) return;
      await grown;
    } catch (error) {
      if (known && (isMissing(error) || (isDamaged(error) && (await isOver())))) return;
      throw error;
    } finally {
      growth.abort();
    }
  }
}
