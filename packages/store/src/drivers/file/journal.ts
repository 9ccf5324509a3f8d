import type { Owner } from '../../owner.ts';
import { journalPath, headerLine } from './journal-file.ts';
import { discard, journalsOf, type Place, writeFully } from './layout.ts';
import type { Writer } from './writer.ts';

/** A journal that this opening of the directory writes to. */
export class Journal {
  readonly path: string;
  readonly file: number;
  /** As long as it is if nobody else has appended a seal. */
  size: number = 0;
  /** Another one after every seal that was found: then each writer looks for a newer lease before it goes on. */
  era: object = {};
  /** Sessions whose logs have to be synced before it may go. */
  readonly touched: Set<Writer> = new Set();
  /** A write failed, so that half of it may stand at the end: nothing is written behind that. */
  broken: boolean = false;
  /** Somebody erased a session that it holds records of, so it goes as soon as it can. */
  due: boolean = false;
  readonly #place: Place;
  #closed = false;

  private constructor(place: Place, path: string) {
    this.#place = place;
    this.path = path;
    this.file = place.files.open(path, 'create-append');
  }

  static async create(place: Place, number: number, owner: Owner): Promise<Journal> {
    const { files, durability } = place;
    const journal = new Journal(place, journalPath(place, number));
    try {
      const bytes = headerLine(place.instance, owner);
      writeFully(files, journal.file, { bytes });
      journal.size = bytes.length;
      if (durability !== 'os') {
        await files.syncLater(journal.file);
        files.syncFolder(journalsOf(place));
      }
      return journal;
    } catch (error) {
      files.close(journal.file);
      throw error;
    }
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
