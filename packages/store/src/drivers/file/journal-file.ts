import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import type { Owner } from '../../owner.ts';
import { errorCode, openIfThere } from './files.ts';
import { journalsOf, type Place, writeFully } from './layout.ts';
import { encodeLine, findLine, type Meta, readLine, seedOf, type Sheet } from './line.ts';
import { fileSource, readBytes, type Source } from './source.ts';

/** One batch of one session as it stands in a journal: the lines, and where in the session's log they belong. */
export type JournalEntry = {
  readonly name: string;
  /** Where the log ended; so many torn bytes are blanked there, and the lines follow them. */
  readonly offset: number;
  readonly pad: number;
  readonly epoch: number;
  /** Rises with every try to write to the session, so that of two batches for one place the newer is known. */
  readonly attempt: number;
  readonly lines: Buffer;
  /** Where in the journal it ends. */
  readonly end: number;
};

export type JournalContents = {
  readonly path: string;
  readonly instance: string;
  readonly owner: Owner | undefined;
  readonly entries: readonly JournalEntry[];
  /** The highest epoch that a session is sealed for: older leases write nothing behind the seal. */
  readonly seals: ReadonlyMap<string, number>;
  /** Every session that something was written of, also behind a seal. */
  readonly names: ReadonlySet<string>;
  /** Sessions that were erased by others, who ask that the journal goes as soon as it can. */
  readonly erased: ReadonlySet<string>;
};

const nothing = Buffer.from('null');
const everySession = '*';
const headerMost = 4096;

/** Behind this line no lease with a lower epoch writes to the session; `*` stands for all of them. */
export const sealLine = (instance: string, name: string, epoch: number): Buffer =>
  encodeLine({ seq: 0, record: nothing, meta: { seal: name, e: epoch } }, seedOf(instance)).bytes;

/** Asks the owner of a journal to let go of it, because a session that it holds records of was erased. */
const erasedLine = (instance: string, name: string): Buffer =>
  encodeLine({ seq: 0, record: nothing, meta: { erased: name } }, seedOf(instance)).bytes;

export const headerLine = (instance: string, owner: Owner): Buffer =>
  encodeLine({ seq: 0, record: nothing, meta: { journal: 1, instance, owner } }, seedOf(instance)).bytes;

/** So much of what tells a batch does not hang on the name of its session. */
const toldMost = 90;
const groupLineMost = 160;

/** A sheet for the lines of a group, with room before them for the line that tells its batches. */
export function startGroup(batches: readonly { readonly name: string; readonly bytes: number }[]): Sheet {
  let [before, behind] = [groupLineMost, 0];
  for (const { name, bytes } of batches) {
    before += name.length + toldMost;
    behind += bytes;
  }
  return { bytes: Buffer.allocUnsafe(before + behind), end: before };
}

/**
 * What is written for a group: one line that tells the batches, and behind it their lines, one after the other. The
 * line has the length and the checksum of what follows, so that a group is there wholly or not at all.
 */
export function endGroup(
  { bytes, end }: Sheet,
  instance: string,
  entries: readonly Omit<JournalEntry, 'end'>[],
): Buffer {
  let from = end;
  const told = entries.map(({ name, offset, pad, epoch, attempt, lines: { length } }) => {
    from -= length;
    return [name, offset, pad, epoch, attempt, length];
  });
  const data = bytes.subarray(from, end);
  const meta = { g: told, n: data.length, k: crc32(data) };
  const { bytes: line } = encodeLine({ seq: 0, record: nothing, meta }, seedOf(instance));
  if (line.length > from) return Buffer.concat([line, data]);
  bytes.set(line, from - line.length);
  return bytes.subarray(from - line.length, end);
}

const asNumber = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

type Told = readonly [name: string, offset: number, pad: number, epoch: number, attempt: number, length: number];

/** The batches of a group whose line was sound; nothing when what follows the line is not what it says. */
function readGroup({ g, n, k }: Meta, bytes: Buffer, from: number): JournalEntry[] {
  const data = bytes.subarray(from, from + asNumber(n));
  if (!Array.isArray(g) || data.length !== n || crc32(data) !== k) return [];
  let end = from;
  return (g as readonly Told[]).map(([name, offset, pad, epoch, attempt, length]) => {
    end += length;
    return { name, offset, pad, epoch, attempt, lines: bytes.subarray(end - length, end), end };
  });
}

/** Reads what is sound in a journal, in its order, without what was written behind a seal. */
export function parseJournal(path: string, instance: string, bytes: Buffer): JournalContents {
  const entries: JournalEntry[] = [];
  const seals = new Map<string, number>();
  const [names, erased] = [new Set<string>(), new Set<string>()];
  const seed = seedOf(instance);
  let owner: Owner | undefined;
  for (let at = 0; ;) {
    const found = findLine(bytes, at);
    if (found === undefined) break;
    const line = readLine(bytes, found.at, found.to);
    at = found.end;
    const { meta } = line ?? {};
    if (line === undefined || meta === undefined || line.link !== seed) continue;
    if (typeof meta['journal'] === 'number') owner = meta['owner'] as Owner;
    if (typeof meta['erased'] === 'string') erased.add(meta['erased']);
    if (typeof meta['seal'] === 'string') {
      seals.set(meta['seal'], Math.max(asNumber(meta['e']), seals.get(meta['seal']) ?? 0));
    }
    for (const entry of readGroup(meta, bytes, found.end)) {
      at = entry.end;
      names.add(entry.name);
      const sealed = Math.max(seals.get(entry.name) ?? 0, seals.get(everySession) ?? 0);
      if (entry.epoch >= sealed) entries.push(entry);
    }
  }
  return { path, instance, owner, entries, seals, names, erased };
}

const journalName = /^([a-z0-9]+)\.\d+\.journal$/;

export const journalPath = (place: Place, number: number): string =>
  join(journalsOf(place), `${place.instance}.${number}.journal`);

/** Appends a line to the journal of somebody else, who notices it at the next commit; false when it is gone. */
export function sealJournal(place: Place, path: string, line: Buffer): boolean {
  const { files, durability } = place;
  const file = openIfThere(files, path, 'append');
  if (file === undefined) return false;
  try {
    writeFully(files, file, { bytes: line });
    if (durability !== 'os') files.sync(file);
    return true;
  } finally {
    files.close(file);
  }
}

/** So many bytes of what others have in their journals are kept, so that they need not be read again. */
const keptBytes = 32 * 1024 * 1024;

/** Reads the journals of a directory, each again only when it has grown. */
export class Journals {
  readonly #place: Place;
  readonly #owners = new Map<string, Owner>();
  /** Those that were read last are at the end. */
  readonly #known = new Map<string, { readonly size: number; readonly contents: JournalContents }>();
  #bytes = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** The instances and paths of all journals but those of this opening. */
  others(): { readonly path: string; readonly instance: string }[] {
    const folder = journalsOf(this.#place);
    const others = this.#place.files.names(folder).flatMap((name) => {
      const instance = journalName.exec(name)?.[1];
      return instance === undefined || this.#place.isThis(instance) ? [] : [{ path: join(folder, name), instance }];
    });
    const there = new Set(others.map(({ path }) => path));
    for (const path of [...this.#owners.keys(), ...this.#known.keys()]) if (!there.has(path)) this.forget(path);
    return others;
  }

  /** How much is kept in memory, for measurements. */
  get kept(): { readonly journals: number; readonly owners: number; readonly bytes: number } {
    return { journals: this.#known.size, owners: this.#owners.size, bytes: this.#bytes };
  }

  /** Who writes a journal, from its first line alone; undefined when it is gone or cannot tell. */
  owner(path: string, instance: string): Owner | undefined {
    const known = this.#owners.get(path);
    if (known !== undefined) return known;
    const owner = this.#open(path, (source) => {
      return parseJournal(path, instance, readBytes(source, 0, headerMost)).owner;
    });
    if (owner !== undefined) this.#owners.set(path, owner);
    return owner;
  }

  /** What is in a journal now; undefined when it is gone, because then its owner has written everything to the logs. */
  read(path: string, instance: string): JournalContents | undefined {
    return this.#open(path, (source) => {
      const known = this.#known.get(path);
      if (known?.size === source.size) return known.contents;
      const contents = parseJournal(path, instance, readBytes(source, 0, source.size));
      this.#keep(path, { size: source.size, contents });
      return contents;
    });
  }

  #keep(path: string, known: { readonly size: number; readonly contents: JournalContents }): void {
    this.#drop(path);
    this.#known.set(path, known);
    this.#bytes += known.size;
    for (const oldest of this.#known.keys()) {
      if (this.#bytes <= keptBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(path: string): void {
    this.#bytes -= this.#known.get(path)?.size ?? 0;
    this.#known.delete(path);
  }

  /** Asks those who hold records of an erased session to let go of them; gives the journals that have some. */
  askToForget(name: string): { readonly path: string; readonly instance: string }[] {
    return this.others().filter(({ path, instance }) => {
      const contents = this.read(path, instance);
      return contents?.names.has(name) === true && sealJournal(this.#place, path, erasedLine(instance, name));
    });
  }

  #open<T>(path: string, action: (source: Source) => T): T | undefined {
    const { files } = this.#place;
    let file: number;
    try {
      file = files.open(path, 'read');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    try {
      return action(fileSource(files, file));
    } finally {
      files.close(file);
    }
  }

  forget(path: string): void {
    this.#drop(path);
    this.#owners.delete(path);
  }
}
