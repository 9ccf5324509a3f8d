import { Buffer } from 'node:buffer';

import type { Entry, InfoChange, Lease, SessionInfo } from '../../driver.ts';
import { StoreError } from '../../store-error.ts';
import type { Files } from './files.ts';
import { writeFully } from './layout.ts';
import { addLine, type BlobPlace, type Meta, type Sheet, type Tip } from './line.ts';
import type { Operations } from './operations.ts';
import type { Patch } from './source.ts';

/** A record whose long texts are stored already. */
export type Prepared = {
  readonly seq: number;
  readonly record: Uint8Array;
  readonly blobs?: readonly BlobPlace[];
  /** Its length as it was given. */
  readonly bytes: number;
};

/** One session that this opening of the directory may write to. */
export class Writer {
  readonly lease: Lease;
  readonly name: string;
  readonly file: number;
  /** The checksum of the first line of the log. */
  readonly log: number;
  /** Behind the last batch that was acknowledged, and behind the last that is on its way. */
  committed: Tip;
  tip: Tip;
  /** Torn bytes behind the tip, which are in quarantine. */
  pad: number;
  tipPad: number;
  attempt = 0;
  /** Why it may not write any more. */
  ended: StoreError | undefined;
  /** What is wrong with the log, so that nothing is appended until it is mended. */
  damage: StoreError | undefined;
  /** What is in the journal and not yet in the log. */
  unflushed: Patch[] = [];
  /** Operations and the heads that they made; read when the first one is asked for. */
  ops: Operations | undefined;
  /** Up to where of the log what `list` answers was written down. */
  noted: number;
  /** The journal, since its last seal, that it was found to hold the newest lease with. */
  checkedFor: object | undefined;
  /** What the group was written from that has its last batch. */
  lastGroup: object | undefined;
  readonly #files: Files;
  #users = 1;
  /** What `list` answers, without what every batch changes. */
  #about: SessionInfo;
  #updatedAt: string;
  #records: number;
  #bytes: number;

  constructor(
    about: {
      readonly lease: Lease;
      readonly name: string;
      readonly file: number;
      readonly log: number;
      readonly tip: Tip;
      readonly pad: number;
      readonly info: SessionInfo;
    },
    files: Files,
  ) {
    this.lease = about.lease;
    this.name = about.name;
    this.file = about.file;
    this.log = about.log;
    this.committed = about.tip;
    this.noted = about.tip.offset;
    this.tip = about.tip;
    this.pad = about.pad;
    this.tipPad = about.pad;
    this.#files = files;
    this.#about = about.info;
    this.#updatedAt = about.info.updatedAt;
    this.#records = about.info.records;
    this.#bytes = about.info.bytes;
  }

  get info(): SessionInfo {
    const [updatedAt, seq, records, bytes] = [this.#updatedAt, this.committed.seq, this.#records, this.#bytes];
    return { ...this.#about, updatedAt, seq, records, bytes };
  }

  /** A batch was acknowledged. */
  advance({ tip, bytes }: Encoded, records: number, { updatedAt, title, archived, imported }: InfoChange): void {
    this.committed = tip;
    this.pad = 0;
    this.#updatedAt = updatedAt;
    this.#records += records;
    this.#bytes += bytes;
    if (title !== undefined) this.#about = { ...this.#about, title };
    if (archived !== undefined) this.#about = { ...this.#about, archived };
    if (imported === true) this.#about = wholeInfo(this.#about);
  }

  keep(): void {
    this.#users += 1;
  }

  /** The file is closed when nobody needs it any more. */
  letGo(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#files.close(this.file);
  }

  /** Writes to the log what the journal has. Doing it late, twice or after a takeover changes nothing in the log. */
  flush(): void {
    while (this.unflushed.length > 0) {
      const { bytes, at, count } = joinPatches(this.unflushed);
      writeFully(this.#files, this.file, { bytes, at });
      if (count === this.unflushed.length) this.unflushed = [];
      else this.unflushed = this.unflushed.slice(count);
    }
  }

  /** Takes back what was on its way. */
  rollBack(): void {
    this.tip = this.committed;
    this.tipPad = this.pad;
  }
}

/** What `list` answers once an import has come to its end. */
export function wholeInfo({ importing: _importing, ...info }: SessionInfo): SessionInfo {
  return info;
}

/** The first patches that lie behind one another, as one. */
function joinPatches(patches: readonly Patch[]): Patch & { readonly count: number } {
  const at = patches[0]?.at ?? 0;
  const parts: Uint8Array[] = [];
  let end = at;
  for (const patch of patches) {
    if (patch.at !== end) break;
    parts.push(patch.bytes);
    end += patch.bytes.length;
  }
  return {
    at,
    bytes: parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts),
    count: parts.length,
  };
}

/** The bytes that take the place of a torn tail: a line of spaces, which every reader of JSON lines passes over. */
export function blank(pad: number): Buffer {
  const bytes = Buffer.alloc(pad, 0x20);
  if (pad > 0) bytes[pad - 1] = 0x0a;
  return bytes;
}

export type Encoded = { readonly lines: Uint8Array; readonly tip: Tip; readonly bytes: number };

type BatchMeta = { readonly op?: string | undefined; readonly info: InfoChange };

/** Adds the lines of a batch, which stands behind a tip, to a sheet. */
export function addBatch(
  sheet: Sheet,
  from: { readonly tip: Tip; readonly pad: number },
  batch: BatchMeta & { readonly entries: readonly Prepared[] },
): Encoded {
  const start = sheet.end;
  const { entries } = batch;
  const lastIndex = entries.length - 1;
  let { seq, crc } = from.tip;
  let bytes = 0;
  for (let index = 0; index <= lastIndex; index += 1) {
    const entry = entries[index] as Prepared;
    if (entry.seq <= seq) throw new StoreError('unstorable', `record ${entry.seq} cannot stand behind record ${seq}`);
    const last = index === lastIndex ? lastOf(batch, entry) : { more: lastIndex - index };
    const plain = entry.blobs === undefined && entry.seq === seq + 1 && (index > 0 || from.pad === 0);
    const meta = plain ? last : metaOf(entry, last, { torn: index === 0 ? from.pad : 0, gap: entry.seq > seq + 1 });
    crc = addLine(sheet, { seq: entry.seq, record: entry.record, meta }, crc);
    bytes += entry.bytes;
    ({ seq } = entry);
  }
  // A bare array of bytes is made in half the time of a part of a buffer.
  const lines = new Uint8Array(sheet.bytes.buffer, sheet.bytes.byteOffset + start, sheet.end - start);
  return { lines, tip: { offset: from.tip.offset + from.pad + lines.length, seq, crc }, bytes };
}

function metaOf({ blobs }: Prepared, last: Meta | undefined, { torn, gap }: { torn: number; gap: boolean }): Meta {
  return {
    ...last,
    ...(torn > 0 ? { torn } : {}),
    ...(gap ? { gap: true as const } : {}),
    ...(blobs === undefined ? {} : { blobs }),
  };
}

/** What the last line of a batch says about the whole. The time stands in the record already, as a rule. */
function lastOf(batch: BatchMeta, last: Prepared): Meta | undefined {
  const { op, info } = batch;
  const { updatedAt, title, archived, imported } = info;
  const timeTold = tellsTime(last.record, updatedAt);
  const plain = title === undefined && archived === undefined && imported === undefined;
  if (timeTold && op === undefined && plain) return undefined;
  const change = {
    ...(timeTold ? {} : { updatedAt }),
    ...(title === undefined ? {} : { title }),
    ...(archived === undefined ? {} : { archived }),
    ...(imported === undefined ? {} : { imported }),
  };
  return { ...(op === undefined ? {} : { op }), ...(Object.keys(change).length === 0 ? {} : { info: change }) };
}

// Many records in a row have the same time.
let lastTime = { at: '', needle: Buffer.alloc(0) };

/** Whether a record tells that time near its start. */
function tellsTime(record: Uint8Array, at: string): boolean {
  if (lastTime.at !== at) lastTime = { at, needle: Buffer.from(`"at":${JSON.stringify(at)}`) };
  return Buffer.from(record.buffer, record.byteOffset, Math.min(record.length, 512)).includes(lastTime.needle);
}

export const asPrepared = ({ seq, bytes }: Entry): Prepared => ({ seq, record: bytes, bytes: bytes.length });
