import { Buffer } from 'node:buffer';

import type { JournalEntry } from './journal-lines.ts';
import { findLine, type Line, readLine, type Tip } from './line.ts';
import { scanAll } from './scan.ts';
import { patched, readBytes, type Patch, type Source } from './byte-source.ts';
import { blank } from './writer.ts';

/** The end of a log with its journals applied, and the writes that are needed. */
export type Redo = {
  readonly end: Tip;
  /** Behind the last linked line, which lies further on if a batch is incomplete. */
  readonly reached: Tip;
  readonly patches: readonly Patch[];
};

const nowhere: Source = { size: 0, read: () => 0 };

export const patchOf = ({ offset, pad, lines }: JournalEntry): Patch => ({
  at: offset,
  bytes: pad === 0 ? lines : Buffer.concat([blank(pad), lines]),
});

/** The first line of an entry; undefined if it is not sound. */
export function firstLine({ lines }: JournalEntry): Line | undefined {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
  const found = findLine(bytes, 0);
  return found?.at === 0 ? readLine(bytes, 0, found.to) : undefined;
}

/** The tip behind an entry; undefined if its lines do not follow the given tip. */
export function tipBehind(entry: JournalEntry, from: Tip): Tip | undefined {
  const source = patched(nowhere, [patchOf(entry)]);
  const { whole } = scanAll(source, from);
  return whole.offset === source.size ? whole : undefined;
}

export const newestFirst = (a: JournalEntry, b: JournalEntry): number => b.epoch - a.epoch || b.attempt - a.attempt;

/**
 * Follows a log from a sound tip. Linked lines in the log count. At the end of the log, the newest journal entry that
 * continues it counts. An entry whose place is taken is void.
 */
export function planRedo(source: Source, from: Tip, entries: readonly JournalEntry[]): Redo {
  const patches: Patch[] = [];
  const waiting = new Map<number, JournalEntry[]>();
  for (const entry of entries) waiting.set(entry.offset, [...(waiting.get(entry.offset) ?? []), entry]);
  let scan = scanAll(source, from);
  let end = scan.whole;
  for (;;) {
    const candidates = (waiting.get(end.offset) ?? []).sort(newestFirst);
    const before = end;
    let next: Tip | undefined;
    for (const entry of candidates) {
      next = tipBehind(entry, before);
      if (next === undefined) continue;
      patches.push(patchOf(entry));
      end = next;
      break;
    }
    if (next === undefined) return { end, reached: scan.tip, patches };
    if (waiting.has(end.offset)) continue;
    scan = scanAll(source, end);
    end = scan.whole;
  }
}

/** How far behind the end the remains of lines are searched. */
const searchedBytes = 1024 * 1024;
const lineHead = /\["[0-9a-f]{8}([0-9a-f]{8})",/g;

/**
 * Where the log once ended, according to a journal batch behind its present end. The bytes between are then damage, not
 * a torn write.
 */
export function endedOnce(
  source: Source,
  end: Tip,
  of: { readonly log: number; readonly entries: readonly JournalEntry[] },
): Tip | undefined {
  const behind = of.entries.filter(({ offset }) => offset > end.offset);
  if (behind.length === 0) return undefined;
  const own = new Set(ownOf(source, of));
  const left = readBytes(source, end.offset, searchedBytes).toString('latin1');
  // A batch of another log follows none of these lines.
  const sums = new Set([...left.matchAll(lineHead)].map(([, crc]) => Number.parseInt(crc ?? '', 16)));
  const [first] = behind
    .flatMap((entry) => {
      const line = firstLine(entry);
      return line !== undefined && (own.has(entry) || sums.has(line.link)) ? [{ line, entry }] : [];
    })
    .sort((a, b) => a.entry.offset - b.entry.offset);
  return first && { offset: first.entry.offset, seq: first.line.seq - 1, crc: first.line.link };
}

/**
 * The batches that name this log, except those overwritten later. A log that is shorter than a batch's place may be a
 * complete older copy, so that batch proves nothing.
 */
export function ownOf(
  source: Source,
  { log, entries }: { readonly log: number; readonly entries: readonly JournalEntry[] },
): JournalEntry[] {
  let before = Number.POSITIVE_INFINITY;
  return entries
    .filter((entry) => entry.log === log)
    .sort(newestFirst)
    .filter(({ offset }) => {
      const stands = offset < before && offset <= source.size;
      before = Math.min(before, offset);
      return stands;
    });
}

/**
 * Entries already in the log. They are written again before the journal is removed: after a failed sync, a system may
 * show bytes that it will never write.
 */
export function standing(source: Source, entries: readonly JournalEntry[]): Patch[] {
  return entries
    .map(patchOf)
    .filter(({ at, bytes }) => at + bytes.length <= source.size && readBytes(source, at, bytes.length).equals(bytes));
}
