import type { StoreError } from '../../store-error.ts';
import { failure, isNoRoom } from '../system-failure.ts';
import { noteInfo } from './list-entry.ts';
import type { Place } from './layout.ts';
import { isHolder } from './lease-file.ts';
import type { Writer } from './writer.ts';

/** Maximum number of batches by which logs may lag behind the journal. */
const batchesMost = 4_096;
/** A list entry is saved after this many bytes, so that `list` reads no more of a log. */
const notedBytes = 512 * 1024;

/** The writers whose newest batches are in the journal but not yet in the log. */
export class Backlog {
  readonly #place: Place;
  readonly #writers = new Set<Writer>();
  #batches = 0;
  /** Set while a log cannot be written because the disk is full. */
  noRoom: StoreError | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  add(writer: Writer): void {
    this.#writers.add(writer);
    this.#batches += 1;
  }

  get isLong(): boolean {
    return this.#batches > batchesMost;
  }

  /** A log that cannot be written stays in the backlog; the journal keeps its records until it can. */
  flush(): void {
    this.noRoom = undefined;
    for (const writer of this.#writers) {
      try {
        writer.flush();
        this.#writers.delete(writer);
        this.#note(writer);
      } catch (error) {
        if (isNoRoom(error)) this.noRoom = failure(error, 'cannot write to a log');
      }
    }
    this.#batches = 0;
  }

  #note(writer: Writer): void {
    const { committed, log, damage, ended, lease } = writer;
    if (committed.offset - writer.noted < notedBytes || damage !== undefined || ended !== undefined) return;
    writer.noted = committed.offset;
    noteInfo(this.#place, log, { info: writer.info, tip: committed, isTrue: () => isHolder(this.#place, lease) });
  }
}
