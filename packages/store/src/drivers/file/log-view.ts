import { Buffer } from 'node:buffer';

import type { Damage, Range, Stored } from '../../driver.ts';
import { missing } from '../../refusals.ts';
import type { StoreError } from '../../store-error.ts';
import { BlobLost, blobDamaged, unspill } from './blobs.ts';
import { failure } from '../system-failure.ts';
import type { Journals } from './journal-file.ts';
import type { Place } from './layout.ts';
import { lineFeed, readLine, type Tip } from './line.ts';
import { headerDamaged, isErased, type LogHeader, logPath } from './log-file.ts';
import { openReading, type Reading } from './open-log.ts';
import { asError, judgeTail, soundTip } from './recover.ts';
import { planRedo } from './apply-journal.ts';
import { BackwardScan, ForwardScan, givenBytes, type Seen } from './scan.ts';
import type { HeadNote } from './side-file.ts';
import { readBytes, type Source } from './byte-source.ts';
import type { Writer } from './writer.ts';
import { turnOfLoop } from '../waiting.ts';

export type View = Reading & { readonly header: LogHeader };

/** Opens a log for reading; throws `damaged` if its first line is. */
export function openView(place: Place, journals: Journals, of: { session: string; writer: Writer | undefined }): View {
  const reading = openReading(place, journals, of);
  const { header } = reading.log;
  if (header !== undefined) return { ...reading, header };
  reading.close();
  throw headerDamaged(place, of.session, reading.source);
}

function lastLine(source: Source, header: LogHeader): Tip | undefined {
  if (source.size === header.tip.offset) return header.tip;
  for (let room = 4096; ; room *= 8) {
    const start = Math.max(header.tip.offset, source.size - room);
    const bytes = readBytes(source, start, source.size - start);
    if (bytes.at(-1) !== lineFeed) return undefined;
    const from = bytes.lastIndexOf(lineFeed, bytes.length - 2);
    if (from < 0 && start > header.tip.offset) continue;
    const line = readLine(bytes, from + 1, bytes.length - 1);
    if (line === undefined || line.meta?.more !== undefined) return undefined;
    return { offset: source.size, seq: line.seq, crc: line.crc };
  }
}

/** The end of a log; throws `damaged` if it does not end cleanly. */
export function endOf(place: Place, view: View): Tip {
  const { source, header, head, session } = view;
  if (view.end !== undefined) return view.end;
  const quick = head !== undefined && head.offset > source.size ? undefined : lastLine(source, header);
  if (quick !== undefined) return quick;
  const { end, reached } = planRedo(source, soundTip(source, header, { head, entries: [] }), []);
  const damage = damageBehind(source, { whole: end, tip: reached }, head);
  if (damage !== undefined) throw asError(session, logPath(place, session), damage);
  return end;
}

/** Damage behind the last complete batch; undefined for a torn write. */
function damageBehind(
  source: Source,
  { whole, tip }: { readonly whole: Tip; readonly tip: Tip },
  head: HeadNote | undefined,
): Damage | undefined {
  const tail = judgeTail(source, { end: whole, reached: tip, patches: [] }, head);
  return tail?.kind === 'torn-tail' ? undefined : tail;
}

/** The known end of the log: from its head, or from its writer. */
function vouchedFor({ header, head, end }: View): HeadNote | undefined {
  if (end === undefined || (head !== undefined && head.offset >= end.offset)) return head;
  return { ...end, log: header.tip.crc, epoch: head?.epoch ?? 0 };
}

const probeBytes = 64 * 1024;

/** A tip at or shortly before a record, by binary search. */
export function seek({ source, header }: View, seq: number, end: number): Tip {
  let [low, high] = [header.tip, end];
  while (high - low.offset > probeBytes * 4) {
    const middle = low.offset + Math.floor((high - low.offset) / 2);
    const bytes = readBytes(source, middle, probeBytes);
    const feed = bytes.indexOf(lineFeed);
    const to = feed < 0 ? -1 : bytes.indexOf(lineFeed, feed + 1);
    // Only text behind a line feed is a line: a record may quote lines of other logs.
    const line = to < 0 ? undefined : readLine(bytes, feed + 1, to);
    const end = middle + to + 1;
    if (line === undefined || end >= high) return low;
    if (line.seq <= seq) low = { offset: end, seq: line.seq, crc: line.crc };
    else high = middle;
  }
  return low;
}

/** Converts a line for a caller; the bytes belong to the current chunk. */
export function storedOf(place: Place, { session, header }: View, { bytes, fields, meta }: Seen): Stored {
  const record = bytes.subarray(fields.recordAt, fields.recordEnd);
  if (meta?.blobs === undefined) return { seq: fields.seq, bytes: record };
  try {
    return { seq: fields.seq, bytes: unspill(place, session, { record, blobs: meta.blobs }) };
  } catch (error) {
    if (!(error instanceof BlobLost)) throw error;
    // An erasure removes the long strings first.
    throw isErased(place, session, header) ? missing(session) : blobDamaged(session, fields.seq, error);
  }
}

/** Collects scanned records for a caller. Records before an error are delivered before it. */
class Basket {
  readonly #make: (seen: Seen) => Stored;
  #whole: Stored[] = [];
  readonly #part: Stored[] = [];
  /** How many records of the part already have their own bytes. */
  #copied = 0;
  error: StoreError | undefined;
  left: number;

  constructor(limit: number, make: (seen: Seen) => Stored) {
    this.left = limit;
    this.#make = make;
  }

  /** Whether the collected records are all that can be delivered. */
  get enough(): boolean {
    return this.#whole.length >= this.left || this.error !== undefined;
  }

  get full(): boolean {
    return this.left <= 0 || this.error !== undefined;
  }

  add(seen: Seen): void {
    if (this.error !== undefined) return;
    try {
      this.#part.push(this.#make(seen));
    } catch (error) {
      this.error = failure(error, 'cannot read a record');
    }
  }

  /** The batch is complete, so its records may be delivered. */
  close(): void {
    for (const stored of this.#part) this.#whole.push(stored);
    this.#part.length = 0;
    this.#copied = 0;
  }

  /** Copies the records of an incomplete batch, because the next chunk overwrites the buffer. */
  keepPart(): void {
    for (const { seq, bytes } of this.#part.splice(this.#copied)) this.#part.push({ seq, bytes: Buffer.from(bytes) });
    this.#copied = this.#part.length;
  }

  take(): Stored[] {
    const taken = this.#whole.length > this.left ? this.#whole.slice(0, this.left) : this.#whole;
    this.left -= taken.length;
    this.#whole = [];
    return taken;
  }
}

/** Chunks per turn of the event loop, so that other work continues during a long read. */
const chunksAtOnce = 4;

export async function* readForward(place: Place, view: View, range: Range): AsyncGenerator<readonly Stored[]> {
  const { after = view.header.about.base, before = Infinity, limit = Infinity } = range;
  const { session, source, header } = view;
  const known = view.end ?? (after > header.tip.seq ? lastLine(source, header) : undefined);
  const from = known !== undefined && after >= header.tip.seq ? seek(view, after, known.offset) : header.tip;
  const scan = new ForwardScan(source, from, givenBytes);
  const basket = new Basket(limit, (seen) => storedOf(place, view, seen));
  for (let [more, chunk] = [true, 1]; more; chunk += 1) {
    if (chunk % chunksAtOnce === 0) await turnOfLoop();
    more = scan.step((seen) => {
      const { seq } = seen.fields;
      if (seq > after && seq < before) basket.add(seen);
      if (seen.meta?.more === undefined) basket.close();
    });
    basket.keepPart();
    const taken = basket.take();
    if (taken.length > 0) yield taken;
    if (basket.error !== undefined) throw basket.error;
    if (basket.full || scan.whole.seq + 1 >= before) return;
  }
  const head = vouchedFor(view);
  if (scan.state !== 'stopped' || view.end?.offset === scan.whole.offset) {
    if (head === undefined || head.offset <= scan.whole.offset) return;
  }
  const damage = damageBehind(source, scan, head);
  if (damage === undefined) return;
  // A batch that was complete once is delivered as far as it is sound; one that never was is not delivered.
  basket.close();
  const taken = basket.take();
  if (taken.length > 0) yield taken;
  if (basket.full || scan.tip.seq + 1 >= before) return;
  throw asError(session, logPath(place, session), damage);
}

/** The tip behind the last record below a number. */
function tipBefore(view: View, before: number, end: Tip): Tip {
  if (before > end.seq) return end;
  let tip = seek(view, before - 1, end.offset);
  const scan = new ForwardScan(view.source, tip);
  while (
    scan.step(({ fields, end: offset }) => {
      if (fields.seq < before) tip = { offset, seq: fields.seq, crc: fields.crc };
    }) &&
    scan.tip.seq < before
  );
  return tip;
}

export async function* readBackward(place: Place, view: View, range: Range): AsyncGenerator<readonly Stored[]> {
  const { after = -1, before = Infinity, limit = Infinity } = range;
  const { session, header } = view;
  const tip = tipBefore(view, before, endOf(place, view));
  const scan = new BackwardScan(view.source, tip, header.tip.offset);
  const basket = new Basket(limit, (seen) => storedOf(place, view, seen));
  let reached = Infinity;
  let chunk = 0;
  while (
    scan.step((seen) => {
      reached = seen.fields.seq;
      if (!basket.full && reached > after) basket.add(seen);
      basket.close();
      return !basket.enough;
    })
  ) {
    const taken = basket.take();
    if (taken.length > 0) yield taken;
    if (basket.error !== undefined) throw basket.error;
    if (basket.full || reached <= after + 1) return;
    chunk += 1;
    if (chunk % chunksAtOnce === 0) await turnOfLoop();
  }
  const taken = basket.take();
  if (taken.length > 0) yield taken;
  if (basket.error !== undefined) throw basket.error;
  if (scan.state !== 'stopped' || basket.full) return;
  const sentence = `the log is damaged before byte ${scan.offset}`;
  throw asError(session, logPath(place, session), { kind: 'damaged', sentence, offset: scan.offset });
}
