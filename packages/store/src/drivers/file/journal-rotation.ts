import type { Owner } from '../../owner.ts';
import { StoreError } from '../../store-error.ts';
import { isNoRoom } from '../system-failure.ts';
import { Journal } from './journal.ts';
import type { Place } from './layout.ts';

/** The usual journal length. When it is full, the logs are synced and it is removed. */
const mostBytes = 16 * 1024 * 1024;
/** The first journal is short, so that a process with few writes preallocates little. Each is longer than the last. */
const firstBytes = 64 * 1024;
const growth = 4;
const mostTouched = 1_000;

/** The journals of one opening: the current one, the next, and older ones with unsynced logs. */
export class Shelf {
  #made = 0;
  readonly #place: Place;
  readonly #owner: Owner;
  #current: Journal | undefined;
  /** Created ahead while the current one has room; undefined if that failed. */
  #next: Promise<Journal | undefined> | undefined;
  readonly #old: Journal[] = [];
  #retiring: Promise<void> = Promise.resolve();
  #room = firstBytes;
  /** A log found no room, so the next journal takes only what it must. */
  #tight = false;

  constructor(place: Place, owner: Owner) {
    this.#place = place;
    this.#owner = owner;
  }

  get current(): Journal | undefined {
    return this.#current;
  }

  /** Journals whose records may not be in the logs yet. */
  get all(): Journal[] {
    return this.#current === undefined ? [...this.#old] : [...this.#old, this.#current];
  }

  /** The journal for a group of that size; without a promise if the current one fits. */
  journalFor(bytes: number): Journal | Promise<Journal> {
    const { current } = this;
    const fits = current !== undefined && !current.broken && !current.due && current.fits(bytes);
    if (!fits || current.touched.size > mostTouched) return this.#change(bytes);
    if (current.end > current.room / 2 && !this.#tight) this.#next ??= this.#make(0).catch(() => undefined);
    return current;
  }

  async #change(bytes: number): Promise<Journal> {
    if (this.#old.length > 2) await this.#retireOld();
    if (this.#old.length > 2)
      throw new StoreError(
        'full',
        'the disk is full: neither the logs nor the journals can be written; free some space',
      );
    const next = await this.#takeNext();
    const fits = next?.fits(bytes) === true;
    if (next !== undefined && !fits) this.#old.push(next);
    const journal = fits ? next : await this.#make(bytes);
    this.#setAside();
    this.#current = journal;
    if (this.#old.length > 0) this.#retireOld().catch(() => undefined);
    return journal;
  }

  #setAside(): void {
    if (this.#current !== undefined) this.#old.push(this.#current);
    this.#current = undefined;
  }

  /** On a full disk, a minimal journal is enough. The logs are synced first, which frees their journals. */
  async #make(need: number): Promise<Journal> {
    const owner = this.#owner;
    const room = this.#tight ? 0 : this.#room;
    this.#room = Math.min(mostBytes, this.#room * growth);
    this.#tight = false;
    this.#made += 1;
    try {
      return await Journal.create(this.#place, this.#made, { owner, room, need });
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      this.#room = firstBytes;
      if (need === 0) throw error;
      this.#setAside();
      await this.#retireOld();
      this.#made += 1;
      return Journal.create(this.#place, this.#made, { owner, room: 0, need });
    }
  }

  /** Releases preallocated space. */
  async makeRoom(): Promise<void> {
    this.#tight = true;
    this.#room = firstBytes;
    await (await this.#takeNext())?.retire();
  }

  #takeNext(): Promise<Journal | undefined> {
    const next = this.#next;
    this.#next = undefined;
    return next ?? Promise.resolve(undefined);
  }

  /** Retires journals in order. If the logs of one cannot be synced, it and all later ones stay. */
  #retireOld(): Promise<void> {
    this.#retiring = this.#retireBehind(this.#retiring);
    return this.#retiring;
  }

  async #retireBehind(before: Promise<void>): Promise<void> {
    await before.catch(() => undefined);
    for (let first = this.#old[0]; first !== undefined; first = this.#old[0]) {
      await first.retire();
      this.#old.shift();
    }
  }

  /** Moves everything from the journals to the logs. */
  async empty(): Promise<void> {
    const next = this.#takeNext();
    // Set aside at once, so that nobody writes to it.
    this.#setAside();
    const unused = await next;
    if (unused !== undefined) this.#old.push(unused);
    await this.#retireOld();
  }

  /** Leaves the journals for the next process and removes an unused one. */
  async abandon(): Promise<void> {
    for (const journal of this.all) journal.abandon();
    const next = await this.#takeNext();
    await next?.retire().catch(() => undefined);
  }
}
