import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

import type { Owner } from '../../owner.ts';
import { Claims } from './claims.ts';
import { encodeLine, findLine, type Meta, readLine, seedOf, type Sheet } from './line.ts';
import { readBytes, type Source } from './source.ts';

/** One batch of one session as it stands in a journal: the lines, and where in the session's log they belong. */
export type JournalEntry = {
  readonly name: string;
  /** Where the log ended; so many torn bytes are blanked there, and the lines follow them. */
  readonly offset: number;
  readonly pad: number;
  readonly epoch: number;
  /** Rises with every try to write to the session, so that of two batches for one place the newer is known. */
  readonly attempt: number;
  /**
   * The checksum of the first line of its log: it ended there, even when nothing else says so any more. Only where a
   * batch is synced before the next is written; elsewhere one may be on the disk before another.
   */
  readonly log: number | undefined;
  readonly lines: Uint8Array;
  /** Where in the journal it ends. */
  readonly end: number;
};

export type JournalContents = {
  readonly owner: Owner | undefined;
  /** In the first version everybody appends to the whole file; 0 when the first line cannot tell. */
  readonly version: number;
  /** Groups stand before this place, and what others write behind it; 0 when lines are looked for everywhere. */
  readonly room: number;
  /** How long the file was. */
  readonly size: number;
  /** The batches that count. */
  readonly entries: readonly JournalEntry[];
  readonly claims: Claims;
  /** Every session that something was written of, also what does not count. */
  readonly names: ReadonlySet<string>;
  /** Behind the last group. */
  readonly end: number;
  /** Behind the last group that follows another without a gap; something may have been begun there. */
  readonly followed: number;
  readonly begun: boolean;
};

const nothing = Buffer.from('null');
const headerMost = 4096;

const lineOf = (instance: string, meta: Meta): Buffer =>
  encodeLine({ seq: 0, record: nothing, meta }, seedOf(instance)).bytes;

/** The first line of a journal: whose it is, and how much room there is in it for groups. */
export const headerLine = (instance: string, { owner, room }: { owner: Owner; room: number }): Buffer =>
  lineOf(instance, { journal: 2, room, instance, owner });

type Claim = { readonly name: string; readonly epoch: number };

/** Says that somebody takes a session over. */
export const claimLine = (instance: string, { name, epoch }: Claim): Buffer =>
  lineOf(instance, { claim: name, e: epoch });

/** Says up to where in the journal batches of earlier leases count; the first such line for a claim decides. */
export const boundLine = (instance: string, { name, epoch, at }: Claim & { readonly at: number }): Buffer =>
  lineOf(instance, { bound: name, e: epoch, at });

/** In a journal of the first version: behind this line no earlier lease counts. With `*` for all, it was taken away. */
export const sealLine = (instance: string, { name, epoch }: Claim): Buffer =>
  lineOf(instance, { seal: name, e: epoch });

/** Asks the owner of a journal to let go of it, because a session that it holds records of was erased. */
export const erasedLine = (instance: string, name: string): Buffer => lineOf(instance, { erased: name });

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

/** The batches of a group whose line was sound; nothing when what follows the line is not what it says. */
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

/** Everything sound in a stretch of a journal that begins at `base`, in its order. */
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

/** What others have written into a journal that has so much room. */
export const readClaims = (source: Source, room: number, instance: string): Claims =>
  walk(readBytes(source, room, source.size - room), room, instance).claims;

/** Who writes a journal, and how much room there is in it, from its first line alone. */
export function readHeader(source: Source, instance: string): Pick<Walked, 'owner' | 'version' | 'room'> {
  const { owner, version, room } = walk(readBytes(source, 0, headerMost), 0, instance);
  // A power cut may leave less, where nothing was ever synced; then lines are looked for everywhere.
  return { owner, version, room: room <= source.size ? room : 0 };
}

const zeros = Buffer.alloc(64 * 1024);

/** The groups of a journal. What is not written yet is zeros, and where many follow one another there is no more. */
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
 * Reads what is sound in a journal. The claims are read before the groups: whoever says what counts for a claim must
 * have looked for groups after it was made.
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
