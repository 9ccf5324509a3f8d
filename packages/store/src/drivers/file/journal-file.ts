import type { Buffer } from 'node:buffer';
import { join } from 'node:path';

import type { Owner } from '../../owner.ts';
import { StoreError } from '../../store-error.ts';
import { openIfThere } from './files.ts';
import {
  boundLine,
  claimLine,
  erasedLine,
  type JournalContents,
  readClaims,
  readHeader,
  readJournal,
  sealLine,
} from './journal-lines.ts';
import { discard, journalsOf, type Place, writeFully } from './layout.ts';
import { readBytes, readIfThere, type Source } from './byte-source.ts';

export type Foreign = { readonly path: string; readonly instance: string };

const journalName = /^([a-z0-9]+)\.\d+\.journal$/;
/** An incomplete journal, which only its owner touches. */
const unmadeName = /^([a-z0-9]+)\.\d+\.journal\.new$/;

export const journalPath = (place: Place, number: number): string =>
  join(journalsOf(place), `${place.instance}.${number}.journal`);

/** Runs an action on a journal; false if it is gone. */
function withJournal(place: Place, path: string, action: (file: number) => void): boolean {
  const { files } = place;
  const file = openIfThere(files, path, 'append');
  if (file === undefined) return false;
  try {
    action(file);
    return true;
  } finally {
    files.close(file);
  }
}

export const appendLines = (place: Place, path: string, lines: readonly Buffer[]): boolean =>
  withJournal(place, path, (file) => {
    for (const bytes of lines) writeFully(place.files, file, { bytes });
  });

const syncJournal = (place: Place, path: string): boolean =>
  withJournal(place, path, (file) => {
    if (place.durability !== 'os') place.files.sync(file);
  });

/** How many bytes of other journals are cached. */
const keptBytes = 32 * 1024 * 1024;
/** A line may be torn, or others may write at the same time. */
export const mostTries = 8;
/** Incomplete journals without a known owner are removed after this time. */
const unmadeMs = 3_600_000;

/** The journals of other openings. Each is read again only after it has changed. */
export class Journals {
  readonly #place: Place;
  readonly #owners = new Map<string, Owner>();
  /** In order of last use. */
  readonly #known = new Map<string, JournalContents>();
  #bytes = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** All journals of other openings. */
  others(): Foreign[] {
    const others = this.#named(journalName);
    const there = new Set(others.map(({ path }) => path));
    for (const path of [...this.#owners.keys(), ...this.#known.keys()]) if (!there.has(path)) this.#forget(path);
    return others;
  }

  #named(pattern: RegExp): Foreign[] {
    const folder = journalsOf(this.#place);
    return this.#place.files.names(folder).flatMap((name) => {
      const instance = pattern.exec(name)?.[1];
      return instance === undefined || instance === this.#place.instance
        ? []
        : [{ path: join(folder, name), instance }];
    });
  }

  /** Cached memory, for measurements. */
  get kept(): { readonly journals: number; readonly owners: number; readonly bytes: number } {
    return { journals: this.#known.size, owners: this.#owners.size, bytes: this.#bytes };
  }

  /** The owner of a journal, from its first line; undefined if it is gone or unreadable. */
  owner({ path, instance }: Foreign): Owner | undefined {
    const known = this.#owners.get(path);
    if (known !== undefined) return known;
    const owner = this.#open(path, (source) => readHeader(source, instance).owner);
    if (owner !== undefined) this.#owners.set(path, owner);
    return owner;
  }

  /** The contents of a journal; undefined if it is gone, because its owner has then written everything to the logs. */
  read({ path, instance }: Foreign): JournalContents | undefined {
    return this.#open(path, (source) => {
      const known = this.#known.get(path);
      if (known !== undefined && isSame(known, source)) return known;
      const contents = readJournal(source, instance);
      this.#keep(path, contents);
      return contents;
    });
  }

  #keep(path: string, contents: JournalContents): void {
    this.#drop(path);
    this.#known.set(path, contents);
    this.#bytes += contents.end;
    for (const oldest of this.#known.keys()) {
      if (this.#bytes <= keptBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(path: string): void {
    this.#bytes -= this.#known.get(path)?.end ?? 0;
    this.#known.delete(path);
  }

  /** Tells the owner of a journal that a session was taken over. A torn line tells nothing, so it is written again. */
  claim(journal: Foreign, name: string, epoch: number): void {
    const { path, instance } = journal;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const { version, claims } = this.read(journal) ?? {};
      if (claims === undefined || claims.newest(name) >= epoch) return;
      const line = (version === 1 ? sealLine : claimLine)(instance, { name, epoch });
      if (!appendLines(this.#place, path, [line])) return;
    }
    throw unwritable(path);
  }

  /**
   * A journal in its final state for one session. Sets the missing bounds of its claims. A claim made later also looks
   * later, so an unchanged claim count makes the result final. It is synced first, because nobody may act on what a
   * power failure could undo.
   */
  decided(journal: Foreign, name: string): JournalContents | undefined {
    const { path, instance } = journal;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const seen = this.read(journal);
      if (seen === undefined) return undefined;
      const open = seen.claims.open(name);
      if (open.length > 0) {
        const lines = open.map((epoch) => boundLine(instance, { name, epoch, at: seen.end }));
        if (!appendLines(this.#place, path, lines)) return undefined;
        continue;
      }
      if (seen.claims.newest(name) > 0 && !syncJournal(this.#place, path)) return undefined;
      const now = this.#open(path, (source) => readClaims(source, seen.room, instance));
      if (now === undefined) return undefined;
      if (now.count(name) === seen.claims.count(name)) return seen;
    }
    throw unwritable(path);
  }

  /** The highest epoch of a session in any journal. */
  newest(name: string): number {
    const epochs = this.others().flatMap((journal) => {
      const { entries = [], claims } = this.read(journal) ?? {};
      return [claims?.newest(name) ?? 0, ...entries.flatMap((entry) => (entry.name === name ? [entry.epoch] : []))];
    });
    return epochs.reduce((most, epoch) => Math.max(most, epoch), 0);
  }

  /** Asks the owners of journals with records of an erased session to remove them; returns those journals. */
  askToForget(name: string): Foreign[] {
    return this.others().filter(({ path, instance }) => {
      const contents = this.read({ path, instance });
      return contents?.names.has(name) === true && appendLines(this.#place, path, [erasedLine(instance, name)]);
    });
  }

  /** Removes a journal that nobody needs. If its owner still lives, the seal line tells it. */
  remove({ path, instance }: Foreign): void {
    this.#forget(path);
    try {
      appendLines(this.#place, path, [sealLine(instance, { name: '*', epoch: 0 })]);
    } catch {
      // On a full disk the line cannot be written, and removal matters even more.
    }
    discard(this.#place.files, path);
  }

  /** Removes incomplete journals of dead openings. */
  removeUnmade(): void {
    const { files, environment } = this.#place;
    for (const { path, instance } of this.#named(unmadeName)) {
      const owner = this.#open(path, (source) => readHeader(source, instance).owner);
      const age = environment.now() - (files.look(path)?.changedMs ?? environment.now());
      if (owner === undefined ? age > unmadeMs : environment.alive(owner) === false) discard(files, path);
    }
  }

  #open<T>(path: string, action: (source: Source) => T): T | undefined {
    return readIfThere(this.#place.files, path, action);
  }

  #forget(path: string): void {
    this.#drop(path);
    this.#owners.delete(path);
  }
}

/** Whether nothing was added: neither behind the end nor where the next group would start. */
function isSame(known: JournalContents, source: Source): boolean {
  if (known.size !== source.size || known.room === 0) return known.size === source.size;
  return !known.begun && (known.followed >= known.room || readBytes(source, known.followed, 1)[0] === 0);
}

export const unwritable = (path: string): StoreError =>
  new StoreError('io', `the journal ${path} does not contain what was just written to it; check the disk`, { path });
