import { join } from 'node:path';

import type { Damage, Lease } from '../../driver.ts';
import { StoreError } from '../../store-error.ts';
import { openIfThere } from './files.ts';
import type { Journals } from './journal-file.ts';
import type { JournalEntry } from './journal-lines.ts';
import { folderOf, nameOf, type Place, sessionsOf, writeFully } from './layout.ts';
import { isHolder, staleLease } from './lease-file.ts';
import { nextSound } from './find-damage.ts';
import type { Tip } from './line.ts';
import { headerDamaged, type LogHeader, logPath, readHeader } from './log-file.ts';
import { quarantine } from './quarantine.ts';
import { endedOnce, firstLine, planRedo, type Redo, standing } from './apply-journal.ts';
import { BackwardScan } from './scan.ts';
import { type HeadNote, readHeadNote } from './side-file.ts';
import { fileSource, type Patch, patched, readBytes, type Source } from './byte-source.ts';

/** A shorter log is read whole before it is written; a longer one from its head note on. */
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
 * Where to start looking for the end of a log. The head note may be durable before the bytes it describes, but the
 * journals always have them. So the scan starts at the first journal batch before it.
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
 * Batches of a session in other journals. A reader leaves live owners to write their own logs. With `act`, the bounds
 * are decided first, so that the batches will always count.
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

/** Judges the bytes behind the end of a log: nothing, a torn write, or damage. */
export function judgeTail(source: Source, { end, reached }: Redo, head: HeadNote | undefined): Damage | undefined {
  const bytes = source.size - end.offset;
  const { offset, seq } = reached;
  if (bytes > 0 && nextSound(source, offset) !== undefined) {
    const sentence = `the log is damaged at byte ${offset}, behind record ${seq}, and continues after that`;
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

/** A log open for writing, with everything the journals had for it. */
export type Recovered = {
  readonly file: number;
  readonly header: LogHeader | undefined;
  readonly tip: Tip;
  /** Torn bytes behind the tip, already in quarantine. */
  readonly pad: number;
  /** Set if the log must be mended before anything is appended. */
  readonly damage: StoreError | undefined;
};

/** Brings a log up to date, durably, for the holder of a new lease. It neither shortens nor changes existing lines. */
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
    // Torn or lost bytes may be a later holder's writes, or the log may be another one.
    if (!isHolder(place, lease)) throw staleLease(place, { lease });
    if (torn.length > 0) quarantine(place, session, { offset: end.offset, bytes: torn });
    const isDamaged = tail !== undefined && tail.kind !== 'torn-tail';
    return { file, header, tip: end, pad: torn.length, damage: isDamaged ? asError(session, path, tail) : undefined };
  } catch (error) {
    files.close(file);
    throw error;
  }
}

/** The head note if it describes this log. Without a lease, read it before the log, which may grow. */
export function fitting(head: HeadNote | undefined, header: LogHeader | undefined): HeadNote | undefined {
  return head?.log === header?.tip.crc ? head : undefined;
}

/** The known end of a log: from the head note, or from a journal batch that follows damage. */
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

/** Writes to a log what the journals have for it; returns its end and what follows. */
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

export async function rewrite(place: Place, file: number, patches: readonly Patch[]): Promise<void> {
  for (const { at, bytes } of patches) writeFully(place.files, file, { bytes, at });
  if (place.durability !== 'os') await place.files.syncLater(file);
}

/**
 * Moves records from the journals of dead openings to the logs and removes the journals. It needs no lease, because
 * bytes and places are fixed: a repeated or late write changes nothing.
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
    // A damaged log cannot take batches behind the damage; the journal keeps them until it is mended.
    if (done) journals.remove(journal);
  }
}

async function settleName(
  place: Place,
  journals: Journals,
  of: { name: string; session: string | undefined },
): Promise<boolean> {
  const { name, session } = of;
  // An erased session needs nothing. A session without a readable id may be mended later.
  if (place.files.look(join(sessionsOf(place), name)) === undefined) return true;
  if (session === undefined || nameOf(session) !== name) return false;
  const noted = readHeadNote(place, session);
  const entries = entriesOf(place, journals, { name, purpose: 'act' });
  const file = openIfThere(place.files, logPath(place, session), 'write');
  // The session was erased at this moment. A deleted log may be restored later.
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
