import type { Owner } from '../../owner.ts';
import { StoreError } from '../../store-error.ts';
import { isNoRoom } from '../system-failure.ts';
import { Journal } from './journal.ts';
import type { Place } from './layout.ts';

/** A journal is at most about this long; then the logs are synced and it goes. */
const mostBytes = 16 * 1024 * 1024;
/** The first is short, so that a process which writes little does not write zeros; each is longer than the last. */
const firstBytes = 64 * 1024;
const growth = 4;
const mostTouched = 1_000;

/** The journals of one opening: the one that is written to, the next, and older ones whose logs are not all synced. */
export class Shelf {
  /** How many were made. */
  #made = 0;
  readonly #place: Place;
  readonly #owner: Owner;
  #current: Journal | undefined;
  /** Made ahead while there is room in the current one; undefined when that failed. */
  #next: Promise<Journal | undefined> | undefined;
  readonly #old: Journal[] = [];
  #retiring: Promise<void> = Promise.resolve();
  #room = firstBytes;
  /** There was no room for a log, so that the next journal takes no more than it must. */
  #tight = false;

  constructor(place: Place, owner: Owner) {
    this.#place = place;
    this.#owner = owner;
  }

  get current(): Journal | undefined {
    return this.#current;
  }

  /** Those that hold something: it is not in the logs for certain. */
  get all(): Journal[] {
    return this.#current === undefined ? [...this.#old] : [...this.#old, this.#current];
  }

  /** The journal that a group of so many bytes goes to, at once when there is one that fits. */
  journalFor(bytes: number): Journal | Promise<Journal> {
    const { current } = this;
    const fits = current !== undefined && !current.broken && !current.due && current.fits(bytes);
    if (!fits || current.touched.size > mostTouched) return this.#change(bytes);
    if (current.end > current.room / 2 && !this.#tight) this.#next ??= this.#make(0).catch(() => undefined);
    return current;
  }

  async #change(bytes: number): Promise<Journal> {
    if (this.#old.length > 2) await this.#retireOld();
    if (this.#old.length > 2) throw new StoreError('full', 'the logs cannot be written, and the journals are full');
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

  /**
   * On a disk that is too full for a journal of the usual length, one that holds what it must does as well. The logs
   * come first there: what they have needs no journal, and those that go make room.
   */
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

  /** Gives back what was reserved ahead. */
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

  /** In their order, one after the other; one whose logs cannot be synced stays, and with it all later ones. */
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

  /** Empties the journals, so that nothing but the logs is left. */
  async empty(): Promise<void> {
    const next = this.#takeNext();
    // At once, so that nobody writes to it any more.
    this.#setAside();
    const unused = await next;
    if (unused !== undefined) this.#old.push(unused);
    await this.#retireOld();
  }

  /** Leaves them where they are, for whoever comes next; one that holds nothing goes. */
  async abandon(): Promise<void> {
    for (const journal of this.all) journal.abandon();
    const next = await this.#takeNext();
    await next?.retire().catch(() => undefined);
  }
}
