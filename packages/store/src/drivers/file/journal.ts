import { Buffer } from 'node:buffer';

import type { Owner } from '../../owner.ts';
import { StoreError } from '../../store-error.ts';
import type { Claims, Standing } from './claims.ts';
import type { Files } from './files.ts';
import { appendLines, journalPath, mostTries, unwritable } from './journal-file.ts';
import { boundLine, headerLine, readClaims } from './journal-lines.ts';
import { discard, journalsOf, type Place, quietly, writeFully } from './layout.ts';
import { fileSource } from './source.ts';
import type { Writer } from './writer.ts';

const zeros = Buffer.alloc(1024 * 1024);

/** How much a journal should hold, and how much it must. */
export type Reserved = { readonly owner: Owner; readonly room: number; readonly need: number };

/**
 * Gives a journal its length. Zeros that are on the disk already make each sync of what is written over them shorter;
 * where nothing is synced a hole does as well.
 */
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

/** Some of the zeros up to a place, in another thread. */
async function writeZeros(files: Files, file: number, { at, to }: { at: number; to: number }): Promise<number> {
  const count = await files.writeLater(file, zeros.subarray(0, Math.min(zeros.length, to - at)), at);
  if (count <= 0) throw new StoreError('io', 'the system wrote nothing, without an error');
  return count;
}

const probe = Buffer.alloc(1);

/** A journal that this opening of the directory writes to. */
export class Journal {
  readonly path: string;
  readonly file: number;
  /** Groups are written before this place, and what others have to say stands behind it. */
  readonly room: number;
  /** Where the next group goes. */
  end: number;
  /** As long as it is if nobody else has written to it. */
  size: number;
  /** Another one after every claim that was found: then each writer looks for a newer lease before it goes on. */
  era: object = {};
  /** Sessions whose logs have to be synced before it may go. */
  readonly touched: Set<Writer> = new Set();
  /** A write failed, so that half of it may stand at the end: nothing is written behind that. */
  broken: boolean = false;
  /** Somebody erased a session that it holds records of, so it goes as soon as it can. */
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

  /** It gets its name when it is whole: then others may write behind it. */
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

  /** Writes a group over the zeros. */
  write(bytes: Buffer): void {
    if (!this.fits(bytes.length)) throw new StoreError('io', 'a group is longer than was reckoned');
    writeFully(this.#place.files, this.file, { bytes, at: this.end });
    this.end += bytes.length;
  }

  /** Whether somebody has written to it, or taken it away. */
  get isDisturbed(): boolean {
    const { files } = this.#place;
    return files.read(this.file, probe, this.size) > 0 || !files.isThere(this.path);
  }

  /**
   * What others have written to it. For claims of these sessions of which nobody has said what counts, it is said here:
   * everything that stands in the journal, which is durable by now, so that whoever says it too finds it.
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

  /** Whether a batch of the group that was written last counts. One in a journal that is gone is lost with it. */
  counts(batch: Omit<Standing, 'end'>, claims: Claims): boolean {
    return !claims.gone && claims.allows({ ...batch, end: this.end });
  }

  touch(writer: Writer): void {
    if (this.touched.has(writer)) return;
    this.touched.add(writer);
    writer.keep();
  }

  /** Once every log has what it holds, durably, it is not needed any more. */
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

  /** Lets go of the files and leaves the journal where it is. */
  abandon(): void {
    for (const writer of this.touched) writer.letGo();
    this.touched.clear();
    this.#close();
  }

  /** Once: by the second time the number may be that of another file. */
  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#place.files.close(this.file);
  }
}
