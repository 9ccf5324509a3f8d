import type { StoreError } from '../../store-error.ts';
import { failure, isNoRoom } from '../system-failure.ts';
import { noteInfo } from './info.ts';
import type { Place } from './layout.ts';
import { isHolder } from './lease-file.ts';
import type { Writer } from './writer.ts';

/** Logs are at most so many batches behind the journal. */
const batchesMost = 4_096;
/** What `list` answers is written down after so many bytes, so that a list reads no more of a log than these. */
const notedBytes = 512 * 1024;

/** What is in the journal and not yet in the logs. */
export class Backlog {
  readonly #place: Place;
  readonly #writers = new Set<Writer>();
  #batches = 0;
  /** Why a log could not be written: there is no room on the disk. */
  noRoom: StoreError | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Takes note that the journal has another batch for a log. */
  add(writer: Writer): void {
    this.#writers.add(writer);
    this.#batches += 1;
  }

  get isLong(): boolean {
    return this.#batches > batchesMost;
  }

  /** A log that cannot be written now stays in the backlog: the journal has it, and is kept until it can. */
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
