import { Buffer } from 'node:buffer';

import { firstSound, inspect } from './find-damage.ts';
import type { JournalEntry } from './journal-lines.ts';
import type { Place } from './layout.ts';
import type { Tip } from './line.ts';
import { logPath, readHeader } from './log-file.ts';
import { setAside } from './quarantine.ts';
import { fitting, rewrite } from './recover.ts';
import { firstLine, newestFirst, ownOf, patchOf, tipBehind } from './apply-journal.ts';
import { type HeadNote, readHeadNote } from './side-file.ts';
import { fileSource, type Patch, readBytes, type Source } from './byte-source.ts';

/** A stretch of a log with a sound line. */
type Filled = { readonly at: number; readonly end: number; readonly crc: number };

/** Batches that are only in a journal, because the log is damaged before their place. */
type Stranded = {
  readonly patches: readonly Patch[];
  /** Batches that nothing in the log proves to be its own. */
  readonly unproved: readonly JournalEntry[];
};

/** The sound lines of a log from the last one before a place. */
async function linesFrom(source: Source, from: Tip, place: number): Promise<Filled[]> {
  const lines: Filled[] = [{ at: from.offset, end: from.offset, crc: from.crc }];
  await inspect(source, from, ({ offset, end, fields: { crc } }) => {
    if (end <= place) lines.length = 0;
    lines.push({ at: offset, end, crc });
  });
  return lines;
}

/** Evidence of where the log ended: the head note, and batches that name the log. */
type Known = { readonly head: HeadNote | undefined; readonly own: ReadonlySet<JournalEntry> };

/** Examines batches in order of their places, in one pass over the lines. */
class Search {
  readonly patches: Patch[] = [];
  readonly unproved: JournalEntry[] = [];
  readonly #source: Source;
  readonly #lines: readonly Filled[];
  readonly #head: HeadNote | undefined;
  readonly #own: ReadonlySet<JournalEntry>;
  /** The first line that ends behind the batch's place. */
  #next = 0;
  /** The batch found last. */
  #found: Filled = { at: -1, end: -1, crc: 0 };
  /** The last batch that belongs to another log, or is already in this one. */
  #void: Filled | undefined;

  constructor(source: Source, lines: readonly Filled[], known: Known) {
    this.#source = source;
    this.#lines = lines;
    this.#head = known.head;
    this.#own = known.own;
  }

  add(entry: JournalEntry): void {
    const first = firstLine(entry);
    if (first === undefined) return;
    const { offset } = entry;
    const behind = tipBehind(entry, { offset, seq: first.seq - 1, crc: first.link });
    const patch = patchOf(entry);
    while ((this.#lines[this.#next]?.end ?? Number.POSITIVE_INFINITY) <= offset) this.#next += 1;
    if (behind === undefined) return;
    const proof = this.#isTaken(patch) ? 'void' : this.#proofAt(entry, first.link);
    const filled = { at: offset, end: behind.offset, crc: behind.crc };
    if (proof === 'none') this.unproved.push(entry);
    if (proof === 'void') this.#void = filled;
    if (proof !== 'found') return;
    this.patches.push(patch);
    this.#found = filled;
  }

  /** Whether the place is taken, by other bytes or by the batch itself. */
  #isTaken({ at, bytes }: Patch): boolean {
    if (this.#found.end > at || readBytes(this.#source, at, bytes.length).equals(bytes)) return true;
    for (let index = this.#next; (this.#lines[index]?.at ?? Number.POSITIVE_INFINITY) < at + bytes.length; index += 1) {
      const line = this.#lines[index] ?? this.#found;
      const own = bytes.subarray(Math.max(0, line.at - at), line.end - at);
      if (!readBytes(this.#source, line.at, line.end - line.at).equals(own)) return true;
    }
    return false;
  }

  /** The evidence that a batch follows the line that ends, or once ended, at its place. */
  #proofAt(entry: JournalEntry, link: number): 'found' | 'none' | 'void' {
    const { offset: at } = entry;
    const line = this.#lines[this.#next - 1];
    const before = [this.#found, line, this.#head && { ...this.#head, end: this.#head.offset }];
    const known = before.find((each) => each?.end === at);
    if (known !== undefined) return known.crc === link ? 'found' : 'void';
    if (this.#void?.end === at && this.#void.crc === link) return 'void';
    if (this.#own.has(entry)) return 'found';
    // The checksum comes first in a line, so it may have survived the damage.
    const from = Math.max(0, this.#found.end, line?.end ?? 0);
    const damaged = readBytes(this.#source, from, at - from);
    return damaged.includes(`${link.toString(16).padStart(8, '0')}",`, 0, 'latin1') ? 'found' : 'none';
  }
}

/**
 * Finds the journal batches that a damaged log lacks. A batch whose place is taken, or that follows another line,
 * belongs to an earlier log.
 */
async function findStranded(source: Source, head: HeadNote | undefined, of: Waiting): Promise<Stranded> {
  const sorted = [...of.entries].sort((a, b) => a.offset - b.offset || newestFirst(a, b));
  const header = readHeader(source, of.session);
  const own = new Set(header === undefined ? [] : ownOf(source, { log: header.tip.crc, entries: of.entries }));
  const lines = await linesFrom(source, header?.tip ?? firstSound(source), sorted[0]?.offset ?? 0);
  const search = new Search(source, lines, { head, own });
  for (const entry of sorted) search.add(entry);
  return search;
}

type Waiting = { readonly session: string; readonly entries: readonly JournalEntry[] };

/**
 * Writes to a damaged log what only the journals have, so that nobody needs them after the mend. No sound line changes.
 * Batches without evidence are quarantined.
 */
export async function takeStranded(place: Place, of: Waiting): Promise<void> {
  if (of.entries.length === 0) return;
  const { files, environment } = place;
  const { session } = of;
  const noted = readHeadNote(place, session);
  const file = files.open(logPath(place, session), 'write');
  try {
    const source = fileSource(files, file);
    const head = fitting(noted, readHeader(source, session));
    const { patches, unproved } = await findStranded(source, head, of);
    if (patches.length > 0) await rewrite(place, file, patches);
    for (const { offset, lines } of unproved) {
      const name = setAside(place, session, { offset, bytes: Buffer.from(lines) });
      const sentence = `nothing at byte ${offset} of its log proves that records in a journal belong there`;
      environment.tell({ kind: 'batch-aside', session, sentence: `${sentence}; they are now in ${name}` });
    }
  } finally {
    files.close(file);
  }
}
