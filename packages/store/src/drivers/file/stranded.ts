import { Buffer } from 'node:buffer';

import { firstSound, inspect } from './inspect.ts';
import type { JournalEntry } from './journal-lines.ts';
import type { Place } from './layout.ts';
import type { Tip } from './line.ts';
import { logPath, readHeader } from './log-file.ts';
import { setAside } from './quarantine.ts';
import { fitting, rewrite } from './recover.ts';
import { firstLine, newestFirst, ownOf, patchOf, tipBehind } from './redo.ts';
import { type HeadNote, readHeadNote } from './side-file.ts';
import { fileSource, type Patch, readBytes, type Source } from './source.ts';

/** A stretch of a log that a sound line fills. */
type Filled = { readonly at: number; readonly end: number; readonly crc: number };

/** Batches that stand in a journal only, because the log is damaged somewhere before their place. */
type Stranded = {
  /** What has to be written to the log. */
  readonly patches: readonly Patch[];
  /** Batches of which nothing in the log says any more that they are its own. */
  readonly unproved: readonly JournalEntry[];
};

/** The sound lines of a log in their order, from the last before a place on. */
async function linesFrom(source: Source, from: Tip, place: number): Promise<Filled[]> {
  const lines: Filled[] = [{ at: from.offset, end: from.offset, crc: from.crc }];
  await inspect(source, from, ({ offset, end, fields: { crc } }) => {
    if (end <= place) lines.length = 0;
    lines.push({ at: offset, end, crc });
  });
  return lines;
}

/** What says where the log ended: a note beside it, and batches that name it. */
type Known = { readonly head: HeadNote | undefined; readonly own: ReadonlySet<JournalEntry> };

/** Is shown the batches in the order of their places, so that one walk over the lines does for all. */
class Search {
  readonly patches: Patch[] = [];
  readonly unproved: JournalEntry[] = [];
  readonly #source: Source;
  readonly #lines: readonly Filled[];
  readonly #head: HeadNote | undefined;
  /** Batches that name this log. */
  readonly #own: ReadonlySet<JournalEntry>;
  /** The first line that ends behind the place of the batch. */
  #next = 0;
  /** The batch that was found last. */
  #found: Filled = { at: -1, end: -1, crc: 0 };
  /** The last one that is none of this log, or stands in it. */
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

  /** Whether something else, or the batch itself, stands in its place. */
  #isTaken({ at, bytes }: Patch): boolean {
    if (this.#found.end > at || readBytes(this.#source, at, bytes.length).equals(bytes)) return true;
    for (let index = this.#next; (this.#lines[index]?.at ?? Number.POSITIVE_INFINITY) < at + bytes.length; index += 1) {
      const line = this.#lines[index] ?? this.#found;
      const own = bytes.subarray(Math.max(0, line.at - at), line.end - at);
      if (!readBytes(this.#source, line.at, line.end - line.at).equals(own)) return true;
    }
    return false;
  }

  /** What says that a batch follows the line that ends, or ended once, where it starts. */
  #proofAt(entry: JournalEntry, link: number): 'found' | 'none' | 'void' {
    const { offset: at } = entry;
    const line = this.#lines[this.#next - 1];
    const before = [this.#found, line, this.#head && { ...this.#head, end: this.#head.offset }];
    const known = before.find((each) => each?.end === at);
    if (known !== undefined) return known.crc === link ? 'found' : 'void';
    if (this.#void?.end === at && this.#void.crc === link) return 'void';
    if (this.#own.has(entry)) return 'found';
    // Of a damaged line the checksum may be left, which stands before all else in it.
    const from = Math.max(0, this.#found.end, line?.end ?? 0);
    const damaged = readBytes(this.#source, from, at - from);
    return damaged.includes(`${link.toString(16).padStart(8, '0')}",`, 0, 'latin1') ? 'found' : 'none';
  }
}

/**
 * Finds the batches in the journals that a damaged log lacks. Batches whose place is taken, or that follow another line
 * than the one before their place, are none of this log: it was written anew or made anew since.
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
 * Writes to a damaged log what stands in the journals only, so that nobody needs them once it is mended: the bytes and
 * their places are given, and no sound line is changed. What cannot be told to be of this log is set aside.
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
      const sentence = `nothing at byte ${offset} of its log says that records in a journal follow`;
      environment.tell({ kind: 'batch-aside', session, sentence: `${sentence}; they are in ${name}` });
    }
  } finally {
    files.close(file);
  }
}
