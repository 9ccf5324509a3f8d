import type { Entry, Fault, Place } from '@rethread/formats';

import { ROW_KINDS, UNSENT_BIT, type Mark, type RowKind, type ToolUse, type Usage } from '../api.ts';
import { bytesColumn, countsColumn, type Column } from './columns.ts';
import { markOf } from './marks.ts';
import { placeKey } from './place-key.ts';
import { readSaid, timeOf, type Said } from './said.ts';
import { usageOf } from './usage.ts';
import { optional } from './value.ts';

/** What the walk knows of an entry: a bit each. */
const SENT = 1;
const SAID = 2;

/** More marks or steps with usage than this are not kept: charts and lists could not show them. */
const MOST_KEPT = 20_000;

type OpenCall = { readonly row: number; readonly tool: string; readonly at: string | undefined };
type Tally = { calls: number; failures: number; ms: number };

/** Faults that stand for a line that is no record. */
const UNREAD: ReadonlySet<string> = new Set(['torn', 'not-json', 'nul', 'too-deep', 'too-long', 'bad-utf8', 'glued']);

/**
 * The rows of a timeline, made in one walk over the records. A row is what a user said, or a step: an answer with its
 * calls and their results. Records that say nothing to the model stay in the row that they stand in.
 */
export class SessionIndex {
  /** The first entry of each row. */
  readonly rowStart: Column<Uint32Array> = countsColumn();
  readonly rowByte: Column<Uint8Array> = bytesColumn();
  readonly entryBits: Column<Uint8Array> = bytesColumn();
  readonly marks: Mark[] = [];
  readonly usage: Usage[] = [];
  /** For rows with a fault in the place of records: which one. */
  readonly faultRows: Map<number, Fault> = new Map();
  /** Where calls of a row are answered, and where results of a row were called for, in other rows. */
  readonly elsewhere: Map<number, Map<string, number>> = new Map();
  /** The first entry after the last compaction; entries before it may be compacted. */
  lastCompaction = -1;
  /** The entry of each place that the next request is made of. */
  readonly entryOfPlace: Map<string, number> = new Map();

  readonly #wanted: ReadonlySet<string>;
  readonly #faults: Fault[];
  readonly #open: Map<string, OpenCall> = new Map();
  readonly #tools: Map<string, Tally> = new Map();
  #rowSize = 0;
  #hasResults = false;
  #usageId: string | undefined;

  constructor(sent: readonly Place[], faults: readonly Fault[]) {
    this.#wanted = new Set(sent.map(placeKey));
    this.#faults = faults
      .filter(({ kind, place }) => UNREAD.has(kind) && place.kind === 'line')
      .sort((a, b) => lineOf(a) - lineOf(b));
  }

  get rows(): number {
    return this.rowStart.length;
  }

  add({ value, place }: Entry): void {
    const entry = this.entryBits.length;
    if (place.kind === 'line') this.#addFaultsBefore(place.line, entry);
    const key = placeKey(place);
    const isSent = this.#wanted.has(key);
    if (isSent) this.entryOfPlace.set(key, entry);
    const said = readSaid(value);
    const mark = markOf(value, said);
    this.entryBits.push((isSent ? SENT : 0) | (said === undefined ? 0 : SAID));
    const at = timeOf(value);
    if (said !== undefined) this.#addSaid(entry, { said, isSent, at });
    else if (isSent) this.#begin(entry, 'records', true);
    else if (mark !== undefined) this.#begin(entry, 'mark', false);
    else if (this.rows === 0) this.#begin(entry, 'records', true);
    if (mark !== undefined && this.marks.length < MOST_KEPT) this.marks.push({ row: this.rows - 1, kind: mark.kind });
    if (mark?.kind === 'compaction') this.lastCompaction = entry;
    const usage = usageOf(value);
    if (usage !== undefined) this.#addUsage(usage, at);
  }

  /** Ends the last row, and gives what was found over all. */
  finish(): { readonly tools: readonly ToolUse[] } {
    this.#addFaultsBefore(Infinity, this.entryBits.length);
    this.#endRow();
    for (const [id, { row }] of this.#open) this.#note(row, id, -1);
    const tools = Array.from(this.#tools, ([tool, tally]) => ({ tool, ...tally }));
    return { tools: tools.sort((a, b) => b.calls - a.calls) };
  }

  isSent(entry: number): boolean {
    return (this.entryBits.at(entry) & SENT) !== 0;
  }

  isSaid(entry: number): boolean {
    return (this.entryBits.at(entry) & SAID) !== 0;
  }

  rowOf(entry: number): number {
    return this.rowStart.findLastAtMost(entry);
  }

  /** The entries of a row: from the first up to, and without, the second. */
  entriesOf(row: number): readonly [from: number, to: number] {
    const to = row + 1 < this.rows ? this.rowStart.at(row + 1) : this.entryBits.length;
    return [this.rowStart.at(row), to];
  }

  kindOf(row: number): RowKind {
    return ROW_KINDS[this.rowByte.at(row) & 7] ?? 'records';
  }

  #addSaid(entry: number, { said, isSent, at }: { said: Said; isSent: boolean; at: string | undefined }): void {
    const kind = this.#kindFor(said);
    const last = this.rows === 0 ? undefined : this.kindOf(this.rows - 1);
    const wasSent = this.rows > 0 && (this.rowByte.at(this.rows - 1) & UNSENT_BIT) === 0;
    const isAnswer = kind === 'step' && last === 'step' && !this.#hasResults;
    const isItsResult = kind === 'result' && last === 'step';
    const goesOn = isItsResult ? this.#answers(said) : isAnswer && wasSent === isSent;
    if (!goesOn) this.#begin(entry, kind, isSent);
    else if (isSent) this.rowByte.set(this.rows - 1, this.rowByte.at(this.rows - 1) & ~UNSENT_BIT);
    for (const part of said.parts) {
      this.#rowSize += part.kind === 'media' || part.kind === 'call' ? 200 : part.text.length;
      if (part.kind === 'call') this.#call(part.id, { row: this.rows - 1, tool: part.tool, at });
      else if (part.kind === 'result') this.#result(part, at);
    }
  }

  #kindFor({ role, parts }: Said): RowKind {
    if (role === 'tool' || (parts.length > 0 && parts.every(({ kind }) => kind === 'result' || kind === 'media'))) {
      if (parts.some(({ kind }) => kind === 'result')) return 'result';
    }
    return role === 'assistant' ? 'step' : role === 'system' ? 'system' : 'user';
  }

  /** Whether the results of a record are those of calls in the row that is being made. */
  #answers({ parts }: Said): boolean {
    return parts.some((part) => part.kind === 'result' && this.#open.get(part.id)?.row === this.rows - 1);
  }

  #call(id: string, call: OpenCall): void {
    // Ids are used again: what was open under this one stays open.
    const before = this.#open.get(id);
    if (before !== undefined && before.row !== call.row) this.#note(before.row, id, -1);
    this.#open.set(id, call);
    const tally = this.#tools.get(call.tool) ?? { calls: 0, failures: 0, ms: 0 };
    tally.calls += 1;
    if (this.#tools.size < 1000) this.#tools.set(call.tool, tally);
  }

  #result({ id, outcome }: { readonly id: string; readonly outcome: string }, at: string | undefined): void {
    this.#hasResults = true;
    const row = this.rows - 1;
    const call = this.#open.get(id);
    if (call === undefined) {
      this.#note(row, id, -1);
      return;
    }
    this.#open.delete(id);
    const tally = this.#tools.get(call.tool);
    if (tally !== undefined) {
      tally.failures += outcome === 'error' ? 1 : 0;
      const ms = at === undefined || call.at === undefined ? 0 : Date.parse(at) - Date.parse(call.at);
      tally.ms += ms > 0 && ms < 86_400_000 ? ms : 0;
    }
    if (call.row === row) return;
    this.#note(call.row, id, row);
    this.#note(row, id, call.row);
  }

  #note(row: number, id: string, other: number): void {
    const notes = this.elsewhere.get(row) ?? new Map<string, number>();
    notes.set(id, other);
    this.elsewhere.set(row, notes);
  }

  #begin(entry: number, kind: RowKind, isSent: boolean): void {
    this.#endRow();
    this.rowStart.push(entry);
    this.rowByte.push(ROW_KINDS.indexOf(kind) | (isSent ? 0 : UNSENT_BIT));
    this.#rowSize = 0;
    this.#hasResults = false;
  }

  /** The upper four bits say how much text there is in a row, so that its height can be guessed. */
  #endRow(): void {
    if (this.rows === 0) return;
    const bucket = Math.min(15, Math.max(0, Math.round(Math.log2(this.#rowSize / 32 + 1))));
    this.rowByte.set(this.rows - 1, this.rowByte.at(this.rows - 1) | (bucket << 4));
  }

  #addFaultsBefore(line: number, entry: number): void {
    for (let fault = this.#faults[0]; fault !== undefined && lineOf(fault) <= line; fault = this.#faults[0]) {
      this.#faults.shift();
      this.#begin(entry, 'fault', false);
      this.faultRows.set(this.rows - 1, fault);
    }
  }

  #addUsage({ id, ...usage }: NonNullable<ReturnType<typeof usageOf>>, at: string | undefined): void {
    const row = Math.max(0, this.rows - 1);
    if (id !== undefined && id === this.#usageId) this.usage.pop();
    this.#usageId = id;
    if (this.usage.length < MOST_KEPT) this.usage.push({ row, ...optional('at', at), ...usage });
  }
}

const lineOf = ({ place }: Fault): number => (place.kind === 'line' ? place.line : 0);
