import { join } from 'node:path';

import type { Damage, Lease } from '../../driver.ts';
import { StoreError } from '../../store-error.ts';
import { openIfThere } from './files.ts';
import type { Journals } from './journal-file.ts';
import type { JournalEntry } from './journal-lines.ts';
import { folderOf, nameOf, type Place, sessionsOf, writeFully } from './layout.ts';
import { isHolder, staleLease } from './lease-file.ts';
import { nextSound } from './inspect.ts';
import type { Tip } from './line.ts';
import { headerDamaged, type LogHeader, logPath, readHeader } from './log-file.ts';
import { quarantine } from './quarantine.ts';
import { endedOnce, firstLine, planRedo, type Redo, standing } from './redo.ts';
import { BackwardScan } from './scan.ts';
import { type HeadNote, readHeadNote } from './side-file.ts';
import { fileSource, type Patch, patched, readBytes, type Source } from './source.ts';

/** Shorter logs are read as a whole when somebody wants to write; of longer ones, what the head does not vouch for. */
const smallLog = 4 * 1024 * 1024;

export const isTip = (source: Source, tip: Tip, header: LogHeader): boolean => {
  if (tip.offset > source.size || tip.offset < header.tip.offset) return false;
  if (tip.offset === header.tip.offset) return tip.crc === header.tip.crc;
  let found = false;
  new BackwardScan(source, tip, header.tip.offset).step(() => {
    found = true;
    return false;
  });
  return found;
};

/**
 * From where a log has to be followed to find its end. A note beside the log may be durable before the bytes that it
 * vouches for are, but not before the journals have them: these bytes are followed from the first batch on.
 */
export function soundTip(
  source: Source,
  header: LogHeader,
  { head, entries }: { readonly head: HeadNote | undefined; readonly entries: readonly JournalEntry[] },
): Tip {
  if (head === undefined || head.log !== header.tip.crc || !isTip(source, head, header)) return header.tip;
  const [first] = entries.filter(({ offset }) => offset < head.offset).sort((a, b) => a.offset - b.offset);
  if (first === undefined) return { offset: head.offset, seq: head.seq, crc: head.crc };
  const line = firstLine(first);
  const tip = { offset: first.offset, seq: (line?.seq ?? 0) - 1, crc: line?.link ?? 0 };
  return isTip(source, tip, header) ? tip : header.tip;
}

/**
 * Batches of a session in the journals of others. Who only reads trusts a living owner to write its logs; who acts on
 * them makes sure first that they will always count.
 */
export function entriesOf(
  place: Place,
  journals: Journals,
  { name, purpose }: { readonly name: string; readonly purpose: 'read' | 'act' },
): JournalEntry[] {
  return journals.others().flatMap((journal) => {
    if (purpose === 'read') {
      const owner = journals.owner(journal);
      if (owner !== undefined && place.environment.alive(owner) === true) return [];
    }
    const contents = purpose === 'read' ? journals.read(journal) : journals.decided(journal, name);
    return contents?.entries.filter((entry) => entry.name === name) ?? [];
  });
}

/** What stands behind the end of a log: nothing, what a crash tore, or damage, which is behind the last sound line. */
export function judgeTail(source: Source, { end, reached }: Redo, head: HeadNote | undefined): Damage | undefined {
  const bytes = source.size - end.offset;
  const { offset, seq } = reached;
  if (bytes > 0 && nextSound(source, offset) !== undefined) {
    const sentence = `the log is damaged at byte ${offset}, behind record ${seq}, and goes on behind that`;
    return { kind: 'damaged', sentence, offset, seq: seq + 1 };
  }
  if (head !== undefined && head.offset > end.offset) {
    const sentence = `records ${seq + 1} to ${head.seq} are gone from the end of the log`;
    return { kind: 'tail-lost', sentence, offset, seq: seq + 1 };
  }
  if (bytes <= 0) return undefined;
  const sentence = `a write that was never acknowledged left ${bytes} bytes`;
  return { kind: 'torn-tail', sentence, offset: end.offset, seq: end.seq + 1, bytes };
}

export const asError = (session: string, path: string, damage: Damage): StoreError =>
  new StoreError('damaged', `session ${JSON.stringify(session)}: ${damage.sentence}`, {
    session,
    path,
    ...(damage.seq === undefined ? {} : { seq: damage.seq }),
    ...(damage.offset === undefined ? {} : { offset: damage.offset }),
  });

/** A log that is open to be written, with everything that the journals had for it. */
export type Recovered = {
  readonly file: number;
  readonly header: LogHeader | undefined;
  readonly tip: Tip;
  /** Torn bytes behind the tip, which are in quarantine now. */
  readonly pad: number;
  /** Why nothing may be appended until it is mended. */
  readonly damage: StoreError | undefined;
};

/** Brings a log up to date, durably, for the holder of a new lease. Nothing in it is shortened or changed. */
export async function recoverLog(place: Place, lease: Lease, entries: readonly JournalEntry[]): Promise<Recovered> {
  const { files } = place;
  const { session } = lease;
  const path = logPath(place, session);
  const file = files.open(path, 'write');
  try {
    const source = fileSource(files, file);
    const header = readHeader(source, session);
    if (header === undefined) {
      if (!isHolder(place, lease)) throw staleLease(place, { lease });
      return {
        file,
        header,
        tip: { offset: 0, seq: 0, crc: 0 },
        pad: 0,
        damage: headerDamaged(place, session, source),
      };
    }
    const head = fitting(readHeadNote(place, session), header);
    const from = source.size <= smallLog ? header.tip : soundTip(source, header, { head, entries });
    const { end, now, tail } = await redoLog(place, file, { source, from, header, head, entries });
    const torn = readBytes(now, end.offset, tail?.kind === 'torn-tail' ? now.size - end.offset : 0);
    // What looks torn or lost may have been written since, by whoever holds a later lease; the log may be another's.
    if (!isHolder(place, lease)) throw staleLease(place, { lease });
    if (torn.length > 0) quarantine(place, session, { offset: end.offset, bytes: torn });
    const isDamaged = tail !== undefined && tail.kind !== 'torn-tail';
    return { file, header, tip: end, pad: torn.length, damage: isDamaged ? asError(session, path, tail) : undefined };
  } catch (error) {
    files.close(file);
    throw error;
  }
}

/** The note if it is about this log. Who has no lease reads it before the log, which may grow in between. */
export function fitting(head: HeadNote | undefined, header: LogHeader | undefined): HeadNote | undefined {
  return head?.log === header?.tip.crc ? head : undefined;
}

/** Where the log is known to have ended: as noted beside it, or further on as a batch tells that follows damage. */
export function endKnown(source: Source, redo: Pick<Redo, 'end'>, of: Known): HeadNote | undefined {
  const { header, head, entries } = of;
  const once = endedOnce(source, redo.end, { log: header.tip.crc, entries });
  if (once === undefined || (head !== undefined && head.offset >= once.offset)) return head;
  return { ...once, log: header.tip.crc, epoch: head?.epoch ?? 0 };
}

type Known = {
  readonly header: LogHeader;
  readonly head: HeadNote | undefined;
  readonly entries: readonly JournalEntry[];
};

/** Writes to a log what the journals have for it; gives where it then ends, and what stands behind that. */
async function redoLog(
  place: Place,
  file: number,
  of: Known & { readonly source: Source; readonly from: Tip },
): Promise<{ readonly end: Tip; readonly now: Source; readonly tail: Damage | undefined }> {
  const { source, from, entries } = of;
  const redo = planRedo(source, from, entries);
  await rewrite(place, file, [...redo.patches, ...standing(source, entries)]);
  const now = patched(source, redo.patches);
  return { end: redo.end, now, tail: judgeTail(now, redo, endKnown(now, redo, of)) };
}

/** Writes bytes to their places in a log, durably. */
export async function rewrite(place: Place, file: number, patches: readonly Patch[]): Promise<void> {
  for (const { at, bytes } of patches) writeFully(place.files, file, { bytes, at });
  if (place.durability !== 'os') await place.files.syncLater(file);
}

/**
 * Writes to the logs what is left in the journals of openings that are proved dead, and removes those journals. It
 * needs no lease: the bytes and their places are given, so that writing them twice or late changes nothing.
 */
export async function sweepJournals(
  place: Place,
  journals: Journals,
  ids: (name: string) => string | undefined,
): Promise<void> {
  journals.removeUnmade();
  for (const journal of journals.others()) {
    const contents = journals.read(journal);
    if (contents?.owner === undefined || place.environment.alive(contents.owner) !== false) continue;
    const names = new Set(contents.entries.map(({ name }) => name));
    let done = true;
    for (const name of names) {
      done = (await settleName(place, journals, { name, session: ids(name) })) && done;
    }
    // A damaged log cannot take what belongs behind the damage; until it is mended the journal keeps it.
    if (done) journals.remove(journal);
  }
}

async function settleName(
  place: Place,
  journals: Journals,
  of: { name: string; session: string | undefined },
): Promise<boolean> {
  const { name, session } = of;
  // A session that was erased needs nothing any more; one that cannot tell its id may be mended.
  if (place.files.look(join(sessionsOf(place), name)) === undefined) return true;
  if (session === undefined || nameOf(session) !== name) return false;
  const noted = readHeadNote(place, session);
  const entries = entriesOf(place, journals, { name, purpose: 'act' });
  const file = openIfThere(place.files, logPath(place, session), 'write');
  // Erased at this moment; a log that somebody took away may be brought back.
  if (file === undefined) return place.files.look(folderOf(place, session)) === undefined;
  try {
    const source = fileSource(place.files, file);
    const header = readHeader(source, session);
    if (header === undefined) return false;
    const head = fitting(noted, header);
    const from = soundTip(source, header, { head, entries });
    const { tail } = await redoLog(place, file, { source, from, header, head, entries });
    return tail === undefined || tail.kind === 'torn-tail';
  } finally {
    place.files.close(file);
  }
}
