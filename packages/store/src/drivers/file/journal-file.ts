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
import { readBytes, readIfThere, type Source } from './source.ts';

/** A journal of somebody else. */
export type Foreign = { readonly path: string; readonly instance: string };

const journalName = /^([a-z0-9]+)\.\d+\.journal$/;
/** One that is not whole yet, which nobody but its owner touches. */
const unmadeName = /^([a-z0-9]+)\.\d+\.journal\.new$/;

export const journalPath = (place: Place, number: number): string =>
  join(journalsOf(place), `${place.instance}.${number}.journal`);

/** Does something with a journal that may have gone; false when it has. */
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

/** Writes lines behind the end of a journal; false when it is gone. */
export const appendLines = (place: Place, path: string, lines: readonly Buffer[]): boolean =>
  withJournal(place, path, (file) => {
    for (const bytes of lines) writeFully(place.files, file, { bytes });
  });

const syncJournal = (place: Place, path: string): boolean =>
  withJournal(place, path, (file) => {
    if (place.durability !== 'os') place.files.sync(file);
  });

/** So many bytes of what others have in their journals are kept, so that they need not be read again. */
const keptBytes = 32 * 1024 * 1024;
/** A line may fall apart, or others may be at it at the same time. */
export const mostTries = 8;
/** What is left of a journal that was never whole goes after this time, if nothing tells whose it is. */
const unmadeMs = 3_600_000;

/** The journals of a directory that others write, each read again only when something was added. */
export class Journals {
  readonly #place: Place;
  readonly #owners = new Map<string, Owner>();
  /** Those that were read last are at the end. */
  readonly #known = new Map<string, JournalContents>();
  #bytes = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** All journals but those of this opening. */
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

  /** How much is kept in memory, for measurements. */
  get kept(): { readonly journals: number; readonly owners: number; readonly bytes: number } {
    return { journals: this.#known.size, owners: this.#owners.size, bytes: this.#bytes };
  }

  /** Who writes a journal, from its first line alone; undefined when it is gone or cannot tell. */
  owner({ path, instance }: Foreign): Owner | undefined {
    const known = this.#owners.get(path);
    if (known !== undefined) return known;
    const owner = this.#open(path, (source) => readHeader(source, instance).owner);
    if (owner !== undefined) this.#owners.set(path, owner);
    return owner;
  }

  /** What is in a journal now; undefined when it is gone, because then its owner has written everything to the logs. */
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

  /** Tells the owner of a journal that a session was taken over. Halves of a line that fell apart tell nothing. */
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
   * A journal as it will always read, as far as a session is concerned. For claims of which nobody has said what
   * counts, it is said here. That nothing was claimed while the groups were read makes what was read final, because who
   * claims later looks later. Nobody acts on what a power cut could take back, so it is synced before.
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

  /** The highest epoch of a session that any journal tells of. */
  newest(name: string): number {
    const epochs = this.others().flatMap((journal) => {
      const { entries = [], claims } = this.read(journal) ?? {};
      return [claims?.newest(name) ?? 0, ...entries.flatMap((entry) => (entry.name === name ? [entry.epoch] : []))];
    });
    return epochs.reduce((most, epoch) => Math.max(most, epoch), 0);
  }

  /** Asks those who hold records of an erased session to let go of them; gives the journals that have some. */
  askToForget(name: string): Foreign[] {
    return this.others().filter(({ path, instance }) => {
      const contents = this.read({ path, instance });
      return contents?.names.has(name) === true && appendLines(this.#place, path, [erasedLine(instance, name)]);
    });
  }

  /** Takes a journal away that nobody needs. Were its owner alive after all, it would find that it has lost it. */
  remove({ path, instance }: Foreign): void {
    this.#forget(path);
    try {
      appendLines(this.#place, path, [sealLine(instance, { name: '*', epoch: 0 })]);
    } catch {
      // On a full disk it cannot be told, and has to go all the more.
    }
    discard(this.#place.files, path);
  }

  /** Removes what dead openings have left of journals that never were whole. */
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

/** Whether nothing was added to a journal: neither behind its end nor where its next group goes. */
function isSame(known: JournalContents, source: Source): boolean {
  if (known.size !== source.size || known.room === 0) return known.size === source.size;
  return !known.begun && (known.followed >= known.room || readBytes(source, known.followed, 1)[0] === 0);
}

export const unwritable = (path: string): StoreError =>
  new StoreError('io', `what is written to the journal ${path} does not stand there`, { path });
