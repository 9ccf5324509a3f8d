import { Buffer } from 'node:buffer';

import type { JournalEntry } from './journal-lines.ts';
import { findLine, type Line, readLine, type Tip } from './line.ts';
import { scanAll } from './scan.ts';
import { patched, readBytes, type Patch, type Source } from './source.ts';
import { blank } from './writer.ts';

/** Where a log ends once the journals are taken into account, and what has to be written for that. */
export type Redo = {
  readonly end: Tip;
  /** Behind the last line that follows, which is further on when a batch is not whole. */
  readonly reached: Tip;
  readonly patches: readonly Patch[];
};

const nowhere: Source = { size: 0, read: () => 0 };

export const patchOf = ({ offset, pad, lines }: JournalEntry): Patch => ({
  at: offset,
  bytes: pad === 0 ? lines : Buffer.concat([blank(pad), lines]),
});

/** The first line of an entry; undefined when it is not sound. */
export function firstLine({ lines }: JournalEntry): Line | undefined {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
  const found = findLine(bytes, 0);
  return found?.at === 0 ? readLine(bytes, 0, found.to) : undefined;
}

/** The tip behind an entry whose lines follow the given one; undefined when they do not. */
export function tipBehind(entry: JournalEntry, from: Tip): Tip | undefined {
  const source = patched(nowhere, [patchOf(entry)]);
  const { whole } = scanAll(source, from);
  return whole.offset === source.size ? whole : undefined;
}

export const newestFirst = (a: JournalEntry, b: JournalEntry): number => b.epoch - a.epoch || b.attempt - a.attempt;

/**
 * Follows the log from a tip that is known to be sound. What stands in the log and follows counts; where it ends, the
 * newest entry of the journals that continues it does. An entry for a place where the log has something else is void.
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

/** As far behind the end of a log as what is left of its lines is looked for. */
const searchedBytes = 1024 * 1024;
const lineHead = /\["[0-9a-f]{8}([0-9a-f]{8})",/g;

/**
 * Where the log ended once, as a batch in a journal tells that belongs behind its end: what stood between is damaged,
 * and was not torn by a write that nobody was told of.
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
 * The batches that name this log, without those in whose place, or before it, another was written afterwards. A log
 * that ends before their place says nothing: it may be a copy that was taken meanwhile, and is whole as such.
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
 * Entries that stand in the log as they are. They are written once more before the journal goes: after a sync that
 * failed, a system may show bytes that it never wrote to the disk and will not write unless they are new.
 */
export function standing(source: Source, entries: readonly JournalEntry[]): Patch[] {
  return entries
    .map(patchOf)
    .filter(({ at, bytes }) => at + bytes.length <= source.size && readBytes(source, at, bytes.length).equals(bytes));
}
