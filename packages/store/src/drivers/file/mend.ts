import { join } from 'node:path';

import type { Damage, Lease, Mending } from '../../driver.ts';
import { encodeRecord } from '../../record.ts';
import { StoreError } from '../../store-error.ts';
import { BlobLost, unspill } from './blobs.ts';
import { unknownAbout } from './list-entry.ts';
import { firstSound, inspect, missing } from './find-damage.ts';
import { discard, folderOf, type Place, quietly } from './layout.ts';
import { isHolder, staleLease } from './lease-file.ts';
import { encodeLine, type Meta, type Tip } from './line.ts';
import { encodeHeader, type LogHeader, logPath, readHeader } from './log-file.ts';
import { ensureQuarantine, quarantineOf } from './quarantine.ts';
import { fitting } from './recover.ts';
import { writeBeside } from './replace.ts';
import type { Seen } from './scan.ts';
import { type HeadNote, readHeadNote, readInfoNote } from './side-file.ts';
import { fileSource, type Source } from './byte-source.ts';

export type Survey = {
  readonly records: number;
  readonly bytes: number;
  readonly seq: number;
  readonly damages: readonly Damage[];
  /** Bytes behind the last complete batch, and the tip of the last sound line. */
  readonly tail: number;
  readonly reached: Tip;
};

/**
 * Lists the records and faults of a log; `visit` receives every sound record with its long strings. `head` must be read
 * before the log is opened. A later head would make a write in progress look like damage.
 */
export async function survey(
  place: Place,
  of: { readonly session: string; readonly source: Source; readonly head: HeadNote | undefined },
  visit?: (seen: Seen) => void,
): Promise<Survey> {
  const { session, source, head } = of;
  const header = readHeader(source, session);
  const damages: Damage[] = [];
  const from = header?.tip ?? firstSound(source);
  if (header === undefined) {
    const base = readInfoNote(place, session)?.info.base ?? 0;
    damages.push(...headerLost(source, base, readHeadNote(place, session)));
    damages.push(...missing({ after: base, before: from.seq + 1, offset: 0, bytes: from.offset }, 'checksum'));
  }
  const kept = new Kept(header?.tip.seq ?? 0, visit);
  const lost: Damage[] = [];
  const found = await inspect(source, from, (seen) => {
    const { fields, meta, offset } = seen;
    if (header === undefined && meta?.['session'] !== undefined) return;
    const length = lengthOf(place, session, seen);
    if (length !== undefined) kept.add(seen, length);
    else lost.push({ kind: 'blob', sentence: `record ${fields.seq} has lost a long string`, seq: fields.seq, offset });
  });
  for (const damage of [...found.damages, ...lost]) damages.push(damage);
  if (wasWhole(head, kept.tornAt)) kept.close();
  // An incomplete batch at the end counts as torn, even if its first lines are sound.
  const { records, bytes, seq, tornAt } = kept;
  return { records, bytes, seq, damages, tail: source.size - (tornAt ?? found.tip.offset), reached: found.tip };
}

/** A deleted log appears as an empty one; the head tells what it had. */
function headerLost({ size }: Source, base: number, head: HeadNote | undefined): Damage[] {
  if (size > 0) return [{ kind: 'header', sentence: 'the first line of the log is damaged', offset: 0 }];
  const gone: Damage = { kind: 'header', sentence: 'the log is gone', offset: 0 };
  if (head === undefined || head.seq <= base) return [gone];
  const sentence = `records ${base + 1} to ${head.seq} are gone with the log`;
  return [gone, { kind: 'tail-lost', sentence, offset: 0, seq: base + 1 }];
}

/** The head note, if it describes this log. */
const headOf = (place: Place, session: string, header: LogHeader | undefined): HeadNote | undefined =>
  header === undefined ? undefined : fitting(readHeadNote(place, session), header);

/** Whether a batch that is incomplete now was complete once: a head is only written behind a complete batch. */
const wasWhole = (head: HeadNote | undefined, start: number | undefined): boolean =>
  head !== undefined && start !== undefined && head.offset > start;

/** Counts records once their batch is complete, and holds back their lines for `visit` until then. */
class Kept {
  records = 0;
  bytes = 0;
  seq: number;
  /** Where an incomplete batch starts. */
  tornAt: number | undefined;
  readonly #visit: ((seen: Seen) => void) | undefined;
  #open: Seen[] = [];
  #openRecords = 0;
  #openBytes = 0;
  #last: number;

  constructor(seq: number, visit: ((seen: Seen) => void) | undefined) {
    this.seq = seq;
    this.#last = seq;
    this.#visit = visit;
  }

  add(seen: Seen, length: number): void {
    const open = seen.meta?.more !== undefined;
    this.#openRecords += 1;
    this.#openBytes += length;
    if (open) this.tornAt ??= seen.offset;
    if (this.#visit !== undefined) this.#open.push(open ? copyOf(seen) : seen);
    this.#last = seen.fields.seq;
    if (!open) this.close();
  }

  /** Counts the open batch, complete or damaged. */
  close(): void {
    this.records += this.#openRecords;
    this.bytes += this.#openBytes;
    this.seq = this.#last;
    this.tornAt = undefined;
    this.#openRecords = 0;
    this.#openBytes = 0;
    if (this.#visit === undefined) return;
    for (const line of this.#open) this.#visit(line);
    this.#open = [];
  }
}

/** A copy of a line that outlives the scan's buffer. */
function copyOf({ bytes, fields, meta, start, offset, end }: Seen): Seen {
  const from = offset - start;
  const { recordAt, recordEnd } = fields;
  return {
    bytes: Buffer.from(bytes.subarray(from, end - start)),
    fields: { ...fields, recordAt: recordAt - from, recordEnd: recordEnd - from },
    meta,
    start: offset,
    offset,
    end,
  };
}

/** The original length of a record; undefined if a long string is lost. */
function lengthOf(place: Place, session: string, { bytes, fields, meta }: Seen): number | undefined {
  if (meta?.blobs === undefined) return fields.recordEnd - fields.recordAt;
  try {
    const record = bytes.subarray(fields.recordAt, fields.recordEnd);
    return unspill(place, session, { record, blobs: meta.blobs }).length;
  } catch (error) {
    if (error instanceof BlobLost) return undefined;
    throw error;
  }
}

/** Builds a new log from lines, with gaps where records are missing. */
class Copy {
  readonly chunks: Buffer[] = [];
  tip: Tip;

  constructor({ bytes, crc }: ReturnType<typeof encodeHeader>, base: number) {
    this.chunks.push(bytes);
    this.tip = { offset: bytes.length, seq: base, crc };
  }

  add({ bytes, fields, meta }: Seen): void {
    const { torn: _torn, gap: _gap, more: _more, ...rest }: Meta = meta ?? {};
    this.put(fields.seq, bytes.subarray(fields.recordAt, fields.recordEnd), rest);
  }

  put(seq: number, record: Uint8Array, meta: Meta): void {
    const all: Meta = { ...meta, ...(seq === this.tip.seq + 1 ? {} : { gap: true as const }) };
    const encoded = encodeLine({ seq, record, meta: Object.keys(all).length === 0 ? undefined : all }, this.tip.crc);
    this.chunks.push(encoded.bytes);
    this.tip = { offset: this.tip.offset + encoded.bytes.length, seq, crc: encoded.crc };
  }
}

/** Shows the records before the first damage, without a batch that never was complete. */
async function soundPrefix(
  of: { source: Source; from: Tip; head: HeadNote | undefined },
  visit: (seen: Seen) => void,
): Promise<void> {
  let [open, stopped]: [Seen[], boolean] = [[], false];
  let expected = of.from;
  await inspect(of.source, of.from, (seen) => {
    const { fields, meta } = seen;
    const follows = fields.link === expected.crc && (fields.seq === expected.seq + 1 || meta?.gap === true);
    stopped ||= !follows;
    if (stopped) return;
    expected = { offset: seen.end, seq: fields.seq, crc: fields.crc };
    open.push(copyOf(seen));
    if (meta?.more !== undefined) return;
    for (const line of open) visit(line);
    open = [];
  });
  // Sound lines behind the damage prove that it is no torn write.
  if (stopped || wasWhole(of.head, open[0]?.offset)) for (const line of open) visit(line);
}

/**
 * A note in place of the last shared record, if that is lost. Forks would take a new record with its number for their
 * own.
 */
function standIn({ environment }: Place, seq: number): Uint8Array {
  const at = new Date(environment.now()).toISOString();
  return encodeRecord({ seq, id: environment.id(), at, kind: 'note', data: { mended: `record ${seq} was lost` } });
}

/** Writes a new log with the kept records, quarantines the old log and replaces it. */
export async function mendLog(
  place: Place,
  // `shared` is the last record that a fork shares, or 0.
  of: { readonly lease: Lease; readonly shared: number },
  how: Mending,
): Promise<void> {
  const { files, environment } = place;
  const { lease, shared } = of;
  const { session } = lease;
  const file = files.open(logPath(place, session), 'read');
  try {
    const source = fileSource(files, file);
    const header = readHeader(source, session);
    const from = header?.tip ?? firstSound(source);
    const about = header?.about ?? readInfoNote(place, session)?.info ?? { ...unknownAbout, base: from.seq };
    const first = encodeHeader(session, about, { log: environment.id(), mended: (header?.mended ?? 0) + 1 });
    const copy = new Copy(first, about.base);
    const add = (seen: Seen): void => copy.add(seen);
    const head = headOf(place, session, header);
    if (how === 'salvage') await survey(place, { session, source, head }, add);
    else if (header !== undefined) await soundPrefix({ source, from, head }, add);
    if (copy.tip.seq < shared) copy.put(shared, standIn(place, shared), {});
    replaceLog(place, lease, { chunks: copy.chunks, log: header?.tip.crc ?? 0 });
    const sentence = `its log was rewritten (${how}); the old one is in quarantine`;
    environment.tell({ kind: 'mended', session, sentence });
  } finally {
    files.close(file);
  }
}

function requireHolder(place: Place, lease: Lease): void {
  if (!isHolder(place, lease)) throw staleLease(place, { lease });
}

/** The log was read long before, so this checks that nobody took the session over and wrote more. */
function replaceLog(place: Place, lease: Lease, { chunks, log }: { chunks: readonly Buffer[]; log: number }): void {
  const { files, environment, durability } = place;
  const { session, epoch } = lease;
  const path = logPath(place, session);
  const beside = writeBeside(place, { path, bytes: Buffer.concat(chunks), sync: durability !== 'os' });
  const aside = quarantineOf(place, session);
  const old = join(aside, `log-${environment.id()}.jsonl`);
  try {
    requireHolder(place, lease);
    ensureQuarantine(place, session);
    files.link(path, old);
    files.syncFolder(aside);
    requireHolder(place, lease);
    files.rename(beside, path);
  } catch (error) {
    quietly(() => discard(files, beside));
    // The other holder continues with this log, so the second name goes.
    if (error instanceof StoreError && error.code === 'stale') quietly(() => discard(files, old));
    throw error;
  }
  const head = readHeadNote(place, session);
  if (head !== undefined && head.epoch > epoch && head.log === log) {
    // A new holder appeared between the check and the rename, and it writes to the old log.
    files.rename(old, path);
    throw staleLease(place, { lease });
  }
  files.syncFolder(folderOf(place, session));
}
