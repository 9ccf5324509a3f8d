import { Buffer } from 'node:buffer';

import type { Owner } from '../../owner.ts';
import { StoreError } from '../../store-error.ts';
import type { Claims, Standing } from './journal-claims.ts';
import type { Files } from './files.ts';
import { appendLines, journalPath, mostTries, unwritable } from './journal-file.ts';
import { boundLine, headerLine, readClaims } from './journal-lines.ts';
import { discard, journalsOf, type Place, quietly, writeFully } from './layout.ts';
import { fileSource } from './byte-source.ts';
import type { Writer } from './writer.ts';

const zeros = Buffer.alloc(1024 * 1024);

/** The usual and the required size of a journal. */
export type Reserved = { readonly owner: Owner; readonly room: number; readonly need: number };

/** Preallocates the journal. Overwriting zeros on disk makes syncs faster; without syncs, a hole is enough. */
async function reserve(place: Place, file: number, wanted: Reserved): Promise<{ room: number; end: number }> {
  const { files, instance, durability } = place;
  const { owner, need } = wanted;
  const least = need + headerLine(instance, { owner, room: Number.MAX_SAFE_INTEGER }).length;
  const room = Math.max(wanted.room, least);
  const header = headerLine(instance, { owner, room });
  writeFully(files, file, { bytes: header, at: 0 });
  if (durability === 'os') writeFully(files, file, { bytes: zeros.subarray(0, 1), at: room - 1 });
  else for (let at = header.length; at < room;) at += await writeZeros(files, file, { at, to: room });
  return { room, end: header.length };
}

/** Writes some of the zeros on another thread. */
async function writeZeros(files: Files, file: number, { at, to }: { at: number; to: number }): Promise<number> {
  const count = await files.writeLater(file, zeros.subarray(0, Math.min(zeros.length, to - at)), at);
  if (count <= 0) throw new StoreError('io', 'the system wrote nothing and reported no error; check the disk');
  return count;
}

const probe = Buffer.alloc(1);

export class Journal {
  readonly path: string;
  readonly file: number;
  /** Groups are before this place, lines of others behind it. */
  readonly room: number;
  end: number;
  /** The file size unless somebody else has written to it. */
  size: number;
  /** Replaced after every claim; then each writer checks its lease before it continues. */
  era: object = {};
  /** Writers whose logs must be synced before the journal may be removed. */
  readonly touched: Set<Writer> = new Set();
  /** A write failed, so the end may be torn and nothing more is written. */
  broken: boolean = false;
  /** It has records of an erased session and should be removed soon. */
  due: boolean = false;
  readonly #place: Place;
  #closed = false;

  private constructor(place: Place, made: { path: string; file: number; room: number; end: number }) {
    this.#place = place;
    this.path = made.path;
    this.file = made.file;
    this.room = made.room;
    this.end = made.end;
    this.size = made.room;
  }

  /** The journal gets its final name when it is complete; from then on others may append to it. */
  static async create(place: Place, number: number, wanted: Reserved): Promise<Journal> {
    const { files, durability } = place;
    const path = journalPath(place, number);
    const unmade = `${path}.new`;
    const file = files.open(unmade, 'create');
    try {
      const { room, end } = await reserve(place, file, wanted);
      if (durability !== 'os') await files.syncLater(file);
      files.rename(unmade, path);
      if (durability !== 'os') files.syncFolder(journalsOf(place));
      return new Journal(place, { path, file, room, end });
    } catch (error) {
      quietly(() => files.close(file));
      for (const name of [unmade, path]) quietly(() => discard(files, name));
      throw error;
    }
  }

  fits(bytes: number): boolean {
    return this.end + bytes <= this.room;
  }

  write(bytes: Buffer): void {
    if (!this.fits(bytes.length))
      throw new StoreError('io', 'internal error: a group is longer than its computed bound');
    writeFully(this.#place.files, this.file, { bytes, at: this.end });
    this.end += bytes.length;
  }

  /** Whether another process has appended to it or removed it. */
  get isDisturbed(): boolean {
    const { files } = this.#place;
    return files.read(this.file, probe, this.size) > 0 || !files.isThere(this.path);
  }

  /**
   * Reads the lines of others and sets the missing bounds for these sessions. The bound is the current end, which is
   * durable by now, so every process finds the same batches.
   */
  decidedClaims(names: ReadonlySet<string>): Claims {
    const { files, instance } = this.#place;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const source = fileSource(files, this.file);
      this.size = source.size;
      const claims = readClaims(source, this.room, instance);
      claims.gone ||= !files.isThere(this.path);
      const open = [...names].flatMap((name) => claims.open(name).map((epoch) => ({ name, epoch, at: this.end })));
      if (claims.gone || open.length === 0) return claims;
      appendLines(
        this.#place,
        this.path,
        open.map((claim) => boundLine(instance, claim)),
      );
    }
    throw unwritable(this.path);
  }

  /** Whether a batch of the newest group counts. A removed journal takes its batches with it. */
  counts(batch: Omit<Standing, 'end'>, claims: Claims): boolean {
    return !claims.gone && claims.allows({ ...batch, end: this.end });
  }

  touch(writer: Writer): void {
    if (this.touched.has(writer)) return;
    this.touched.add(writer);
    writer.keep();
  }

  /** Syncs the logs and then removes the journal. */
  async retire(): Promise<void> {
    const { files, durability } = this.#place;
    for (const writer of this.touched) {
      writer.flush();
      if (durability !== 'os') await files.syncLater(writer.file);
      this.touched.delete(writer);
      writer.letGo();
    }
    this.#close();
    discard(files, this.path);
  }

  /** Closes the files and leaves the journal in place. */
  abandon(): void {
    for (const writer of this.touched) writer.letGo();
    this.touched.clear();
    this.#close();
  }

  /** Closes once: the descriptor may already belong to another file. */
  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#place.files.close(this.file);
  }
}
