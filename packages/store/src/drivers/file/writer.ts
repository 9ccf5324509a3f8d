import { Buffer } from 'node:buffer';

import type { Entry, InfoChange, Lease, SessionInfo } from '../../driver.ts';
import { StoreError } from '../../store-error.ts';
import type { Files } from './files.ts';
import { writeFully } from './layout.ts';
import { addLine, type BlobPlace, type Meta, type Sheet, type Tip } from './line.ts';
import type { Operations } from './operations.ts';
import type { Patch } from './byte-source.ts';

/** A record whose long strings are already stored. */
export type Prepared = {
  readonly seq: number;
  readonly record: Uint8Array;
  readonly blobs?: readonly BlobPlace[];
  /** The length of the original record. */
  readonly bytes: number;
};

export class Writer {
  readonly lease: Lease;
  readonly name: string;
  readonly file: number;
  /** The checksum of the log's first line. */
  readonly log: number;
  /** Behind the last acknowledged batch, and behind the last pending one. */
  committed: Tip;
  tip: Tip;
  /** Torn bytes behind the tip, already in quarantine. */
  pad: number;
  tipPad: number;
  attempt = 0;
  /** Set once it may not write any more. */
  ended: StoreError | undefined;
  /** Set if the log must be mended before anything is appended. */
  damage: StoreError | undefined;
  /** Patches that are in the journal but not yet in the log. */
  unflushed: Patch[] = [];
  /** Operations and their heads, read on first use. */
  ops: Operations | undefined;
  /** Up to where the saved list entry describes the log. */
  noted: number;
  /** The journal era for which its lease was last checked. */
  checkedFor: object | undefined;
  /** The group of its newest batch. */
  lastGroup: object | undefined;
  readonly #files: Files;
  #users = 1;
  /** The list entry, without the fields that every batch changes. */
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

  /** Closes the file after the last user. */
  letGo(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#files.close(this.file);
  }

  /** Writes pending records to the log. A late or repeated write changes nothing, even after a takeover. */
  flush(): void {
    while (this.unflushed.length > 0) {
      const { bytes, at, count } = joinPatches(this.unflushed);
      writeFully(this.#files, this.file, { bytes, at });
      if (count === this.unflushed.length) this.unflushed = [];
      else this.unflushed = this.unflushed.slice(count);
    }
  }

  /** Forgets pending batches. */
  rollBack(): void {
    this.tip = this.committed;
    this.tipPad = this.pad;
  }
}

/** The list entry of a completed import. */
export function wholeInfo({ importing: _importing, ...info }: SessionInfo): SessionInfo {
  return info;
}

/** Joins adjacent patches at the start of a list. */
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

/** Replaces a torn tail: a line of spaces, which readers of JSON lines skip. */
export function blank(pad: number): Buffer {
  const bytes = Buffer.alloc(pad, 0x20);
  if (pad > 0) bytes[pad - 1] = 0x0a;
  return bytes;
}

export type Encoded = { readonly lines: Uint8Array; readonly tip: Tip; readonly bytes: number };

type BatchMeta = { readonly op?: string | undefined; readonly info: InfoChange };

/** Appends the lines of a batch to a sheet. */
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
    if (entry.seq <= seq) throw new StoreError('unstorable', `record ${entry.seq} cannot follow record ${seq}`);
    const last = index === lastIndex ? lastOf(batch, entry) : { more: lastIndex - index };
    const plain = entry.blobs === undefined && entry.seq === seq + 1 && (index > 0 || from.pad === 0);
    const meta = plain ? last : metaOf(entry, last, { torn: index === 0 ? from.pad : 0, gap: entry.seq > seq + 1 });
    crc = addLine(sheet, { seq: entry.seq, record: entry.record, meta }, crc);
    bytes += entry.bytes;
    ({ seq } = entry);
  }
  // A Uint8Array is created in half the time of a Buffer slice.
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

/** The meta of a batch's last line. The time is usually in the record already. */
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

// Many consecutive records have the same time.
let lastTime = { at: '', needle: Buffer.alloc(0) };

/** Whether the start of a record contains that time. */
function tellsTime(record: Uint8Array, at: string): boolean {
  if (lastTime.at !== at) lastTime = { at, needle: Buffer.from(`"at":${JSON.stringify(at)}`) };
  return Buffer.from(record.buffer, record.byteOffset, Math.min(record.length, 512)).includes(lastTime.needle);
}

export const asPrepared = ({ seq, bytes }: Entry): Prepared => ({ seq, record: bytes, bytes: bytes.length });
