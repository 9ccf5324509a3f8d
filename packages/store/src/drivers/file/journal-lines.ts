import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

import type { Owner } from '../../owner.ts';
import { Claims } from './journal-claims.ts';
import { encodeLine, findLine, type Meta, readLine, seedOf, type Sheet } from './line.ts';
import { readBytes, type Source } from './byte-source.ts';

/** One batch of one session in a journal: its lines, and their place in the log. */
export type JournalEntry = {
  readonly name: string;
  /** Where the log ended. The lines follow after `pad` torn bytes, which are blanked. */
  readonly offset: number;
  readonly pad: number;
  readonly epoch: number;
  /** Rises with every write attempt, so that the newer of two batches for one place is known. */
  readonly attempt: number;
  /**
   * The checksum of the log's first line: proof that the log once ended at `offset`. Present only if each batch is
   * synced before the next; otherwise a later batch may reach the disk first.
   */
  readonly log: number | undefined;
  readonly lines: Uint8Array;
  readonly end: number;
};

export type JournalContents = {
  readonly owner: Owner | undefined;
  /** In version 1, everybody appends to the whole file; 0 if the first line is unreadable. */
  readonly version: number;
  /** Groups are before this place, lines of others behind it; 0 if lines may be anywhere. */
  readonly room: number;
  readonly size: number;
  /** The batches that count. */
  readonly entries: readonly JournalEntry[];
  readonly claims: Claims;
  /** All sessions that were written, including batches that do not count. */
  readonly names: ReadonlySet<string>;
  readonly end: number;
  /** Behind the last group without a gap before it. Something may have been started there. */
  readonly followed: number;
  readonly begun: boolean;
};

const nothing = Buffer.from('null');
const headerMost = 4096;

const lineOf = (instance: string, meta: Meta): Buffer =>
  encodeLine({ seq: 0, record: nothing, meta }, seedOf(instance)).bytes;

/** The first line of a journal: its owner, and the room for groups. */
export const headerLine = (instance: string, { owner, room }: { owner: Owner; room: number }): Buffer =>
  lineOf(instance, { journal: 2, room, instance, owner });

type Claim = { readonly name: string; readonly epoch: number };

export const claimLine = (instance: string, { name, epoch }: Claim): Buffer =>
  lineOf(instance, { claim: name, e: epoch });

/** Sets the bound up to which batches of earlier leases count. The first bound of a claim decides. */
export const boundLine = (instance: string, { name, epoch, at }: Claim & { readonly at: number }): Buffer =>
  lineOf(instance, { bound: name, e: epoch, at });

/** Journal version 1: no earlier lease counts behind this line. `*` means that the journal was removed. */
export const sealLine = (instance: string, { name, epoch }: Claim): Buffer =>
  lineOf(instance, { seal: name, e: epoch });

/** Asks the owner of a journal to remove it, because it contains records of an erased session. */
export const erasedLine = (instance: string, name: string): Buffer => lineOf(instance, { erased: name });

/** Bytes per batch in the group line, without the session name. */
const toldMost = 90;
const groupLineMost = 160;

/** A buffer for the lines of a group, with room before them for the group line. */
export function startGroup(batches: readonly { readonly name: string; readonly bytes: number }[]): Sheet {
  let [before, behind] = [groupLineMost, 0];
  for (const { name, bytes } of batches) {
    before += name.length + toldMost;
    behind += bytes;
  }
  return { bytes: Buffer.allocUnsafe(before + behind), end: before };
}

/**
 * Completes a group: one line that describes the batches, followed by their lines. The line contains their length and
 * checksum, so a group is complete or absent.
 */
export function endGroup(
  { bytes, end }: Sheet,
  instance: string,
  entries: readonly Omit<JournalEntry, 'end'>[],
): Buffer {
  let from = end;
  const told = entries.map(({ name, offset, pad, epoch, attempt, log, lines: { length } }) => {
    from -= length;
    return log === undefined
      ? [name, offset, pad, epoch, attempt, length]
      : [name, offset, pad, epoch, attempt, length, log];
  });
  const data = bytes.subarray(from, end);
  const line = lineOf(instance, { g: told, n: data.length, k: crc32(data) });
  if (line.length > from) return Buffer.concat([line, data]);
  bytes.set(line, from - line.length);
  return bytes.subarray(from - line.length, end);
}

type Told = readonly [
  name: string,
  offset: number,
  pad: number,
  epoch: number,
  attempt: number,
  length: number,
  log?: number,
];

/** The batches of a group; empty if its data does not match the group line. */
function readGroup({ g, n, k }: Meta, bytes: Buffer, from: number): JournalEntry[] {
  if (!Array.isArray(g) || typeof n !== 'number') return [];
  const data = bytes.subarray(from, from + n);
  if (data.length !== n || crc32(data) !== k) return [];
  let end = from;
  return (g as readonly Told[]).map(([name, offset, pad, epoch, attempt, length, log]) => {
    end += length;
    return { name, offset, pad, epoch, attempt, log, lines: bytes.subarray(end - length, end), end };
  });
}

type Walked = Pick<JournalContents, 'owner' | 'version' | 'room' | 'entries' | 'claims' | 'end' | 'followed'>;

/** Everything sound in a stretch of a journal that starts at `base`. */
function walk(bytes: Buffer, base: number, instance: string): Walked {
  const entries: JournalEntry[] = [];
  const claims = new Claims();
  const seed = seedOf(instance);
  let owner: Owner | undefined;
  let [version, room, end, followed, at] = [0, 0, 0, 0, 0];
  for (;;) {
    const found = findLine(bytes, at);
    if (found === undefined) break;
    const follows = followed === at && found.at === at;
    const line = readLine(bytes, found.at, found.to);
    at = found.end;
    const { meta } = line ?? {};
    if (line === undefined || meta === undefined || line.link !== seed) continue;
    claims.add(meta, base + found.at);
    if (typeof meta['journal'] === 'number') {
      owner = meta['owner'] as Owner;
      version = meta['journal'];
      room = typeof meta['room'] === 'number' ? meta['room'] : 0;
    }
    const group = readGroup(meta, bytes, found.end);
    for (const entry of group) {
      at = entry.end;
      entries.push(base === 0 ? entry : { ...entry, end: base + entry.end });
    }
    if (group.length > 0) end = base + at;
    if (follows && (group.length > 0 || meta['g'] === undefined)) followed = at;
  }
  return { owner, version, room, entries, claims, end, followed };
}

/** The lines that others appended behind the room for groups. */
export const readClaims = (source: Source, room: number, instance: string): Claims =>
  walk(readBytes(source, room, source.size - room), room, instance).claims;

/** The owner and the room of a journal, from its first line. */
export function readHeader(source: Source, instance: string): Pick<Walked, 'owner' | 'version' | 'room'> {
  const { owner, version, room } = walk(readBytes(source, 0, headerMost), 0, instance);
  // Without syncs, a power failure may leave a shorter file; then lines may be anywhere.
  return { owner, version, room: room <= source.size ? room : 0 };
}

const zeros = Buffer.alloc(64 * 1024);

/** The groups of a journal. Unwritten parts are zeros, and a long run of zeros is the end. */
function readGroups(source: Source, room: number): Buffer {
  let bytes = readBytes(source, 0, Math.min(room, 4 * zeros.length));
  while (bytes.length < room && !bytes.subarray(-zeros.length).equals(zeros)) {
    const more = readBytes(source, bytes.length, Math.min(room - bytes.length, bytes.length));
    if (more.length === 0) break;
    bytes = Buffer.concat([bytes, more]);
  }
  return bytes;
}

/**
 * Reads what is sound in a journal. It reads the claims before the groups: a bound must cover every group written
 * before it.
 */
export function readJournal(source: Source, instance: string): JournalContents {
  const { owner, version, room } = readHeader(source, instance);
  const claims = readClaims(source, room, instance);
  const bytes = room === 0 ? readBytes(source, 0, source.size) : readGroups(source, room);
  const { entries, end, followed } = walk(bytes, 0, instance);
  return {
    owner,
    version,
    room,
    size: source.size,
    entries: entries.filter((entry) => claims.allows(entry)),
    claims,
    names: new Set(entries.map(({ name }) => name)),
    end,
    followed,
    begun: (bytes[followed] ?? 0) !== 0,
  };
}
