import { Buffer } from 'node:buffer';

import {
  emptyFields,
  endByHead,
  type Fields,
  isSound,
  lineFeed,
  type Meta,
  readFields,
  readHead,
  readMeta,
  type Tip,
} from './line.ts';
import { Run, type RunProof, runProof } from './line-group-proof.ts';
import { readBytes, type Source } from './byte-source.ts';

const chunkBytes = 256 * 1024;
/** Chunks of this size die at the first garbage collection; longer ones may survive it. */
export const givenBytes: number = 64 * 1024;
/** From this length on, lines are proved in groups. */
const longBytes = 1024 * 1024;
const space = 0x20;

const isBlank = (bytes: Buffer, from: number, to: number): boolean => {
  for (let index = from; index < to; index += 1) if (bytes[index] !== space) return false;
  return true;
};

/** A line as a scan shows it; valid until the visitor returns. */
export type Seen = {
  readonly bytes: Buffer;
  readonly fields: Readonly<Fields>;
  readonly meta: Meta | undefined;
  /** The place of `bytes[0]` in the source. */
  readonly start: number;
  /** The start and end of the line in the source, line feed included. */
  readonly offset: number;
  readonly end: number;
};

/** Scans a log forward and stops at the first line that does not follow. The caller decides what is wrong there. */
export class ForwardScan implements Seen {
  /** `end`: nothing follows the tip. `stopped`: something follows that does not belong there. */
  state: 'going' | 'end' | 'stopped' = 'going';
  bytes: Buffer = Buffer.alloc(0);
  readonly fields: Fields = emptyFields();
  meta: Meta | undefined;
  start = 0;
  offset = 0;
  end = 0;
  /** Behind the last line, and behind the last complete batch. */
  tip: Tip;
  whole: Tip;
  readonly #source: Source;
  /** The read size, unless a line is longer. */
  readonly #usual: number;
  /** The buffer holds the source from `#start`; lines before `#at` are done. */
  #buffer: Buffer = Buffer.alloc(0);
  #start: number;
  #filled = 0;
  #at = 0;
  #pad = 0;
  /** Only for long logs. */
  readonly #proof: RunProof | undefined;
  readonly #run = new Run();
  /** Whether the head of the current line was readable. */
  #headed = false;

  constructor(source: Source, from: Tip, atOnce: number = chunkBytes) {
    this.#source = source;
    this.tip = this.whole = from;
    this.#start = from.offset;
    this.#proof = source.size - from.offset < longBytes ? undefined : runProof();
    this.#usual = Math.min(atOnce, Math.max(4096, source.size - from.offset));
  }

  /** Scans the lines of one chunk; false at the end. */
  step(visit: (seen: Seen) => void): boolean {
    if (this.state !== 'going') return false;
    const more = this.#fill();
    for (;;) {
      if (this.#takeRun(visit)) continue;
      const to = this.#nextEnd();
      if (to < 0 || to >= this.#filled) break;
      if (!this.#take(to)) {
        this.state = 'stopped';
        return false;
      }
      if (this.#pad === 0) visit(this);
    }
    if (!more) this.state = this.#at < this.#filled || this.#pad > 0 ? 'stopped' : 'end';
    return more;
  }

  /** Where the current line ends: as its head says, else at the next line feed. */
  #nextEnd(): number {
    const { fields } = this;
    fields.from = this.#at;
    this.#headed = readHead(this.#buffer, fields);
    const to = this.#headed ? endByHead(this.#buffer, fields, this.#filled) : -1;
    if (to >= 0) return to;
    // Searches only the unread part; the buffer may be long.
    const length = this.#buffer.subarray(this.#at, this.#filled).indexOf(lineFeed);
    return length < 0 ? -1 : this.#at + length;
  }

  /** Reads more into the buffer; false at the end of the source. */
  #fill(): boolean {
    const left = this.#filled - this.#at;
    // A line that fills the buffer needs a longer one.
    let length = this.#usual;
    while (left > length / 2) length *= 2;
    const room = length > this.#buffer.length ? Buffer.allocUnsafeSlow(length) : this.#buffer;
    this.#buffer.copy(room, 0, this.#at, this.#filled);
    this.#buffer = room;
    this.#start += this.#at;
    this.#at = 0;
    this.#filled = left;
    while (this.#filled < length) {
      const count = this.#source.read(room.subarray(this.#filled, length), this.#start + this.#filled);
      if (count === 0) return false;
      this.#filled += count;
    }
    return true;
  }

  #take(to: number): boolean {
    const from = this.#at;
    const bytes = this.#buffer;
    if (bytes[from] !== 0x5b && isBlank(bytes, from, to)) {
      this.#pad += to + 1 - from;
      this.#at = to + 1;
      return true;
    }
    const { fields } = this;
    fields.to = to;
    if (!this.#headed || fields.link !== this.tip.crc || !isSound(bytes, fields)) return false;
    const meta = fields.recordEnd === to - 1 ? undefined : readMeta(bytes, fields.recordEnd, to);
    const follows = meta?.gap === true ? fields.seq > this.tip.seq : fields.seq === this.tip.seq + 1;
    if (!follows || (meta?.torn ?? 0) !== this.#pad) return false;
    this.#pad = 0;
    this.#accept(meta);
    return true;
  }

  /**
   * Takes a group of common, linked lines at once. If there are too few or the proof fails, it takes none, and they are
   * checked one by one.
   */
  #takeRun(visit: (seen: Seen) => void): boolean {
    const proof = this.#proof;
    if (proof === undefined || this.#pad > 0) return false;
    const from = this.#at;
    const run = this.#run;
    run.gather(this.#buffer, { from, filled: this.#filled, seq: this.tip.seq + 1, link: this.tip.crc });
    const { count } = run;
    if (count < 2 || !proof.holds(this.#buffer, run)) return false;
    for (let index = 0; index < count; index += 1) {
      this.#accept(run.show(index, this.fields));
      visit(this);
    }
    return true;
  }

  #accept(meta: Meta | undefined): void {
    const { fields } = this;
    const { from, to } = fields;
    this.#at = to + 1;
    this.bytes = this.#buffer;
    this.meta = meta;
    this.start = this.#start;
    this.offset = this.#start + from;
    this.end = this.#start + to + 1;
    this.tip = { offset: this.end, seq: fields.seq, crc: fields.crc };
    if (meta?.more === undefined) this.whole = this.tip;
  }
}

/** Runs a scan to its end at once; for short stretches. */
export function scanAll(source: Source, from: Tip, visit: (seen: Seen) => void = () => undefined): ForwardScan {
  const scan = new ForwardScan(source, from);
  while (scan.step(visit));
  return scan;
}

/** Scans a log backward and stops at the first line that does not precede the one behind it. */
export class BackwardScan {
  state: 'going' | 'end' | 'stopped' = 'going';
  /** The current place: everything from here to the tip is sound. */
  offset: number;
  readonly #source: Source;
  readonly #first: number;
  #crc: number;
  #seq: number;
  #gap = false;
  #torn = 0;
  #step = givenBytes;
  readonly #fields: Fields = emptyFields();
  /** Whether the visitor wants another line. */
  #wanted = true;

  /** `first` is where the first record of the log starts. */
  constructor(source: Source, tip: Tip, first: number) {
    this.#source = source;
    this.#first = first;
    this.offset = tip.offset;
    this.#crc = tip.crc;
    this.#seq = tip.seq;
  }

  /** Scans the lines that end in one chunk, newest first, until the visitor returns false. Returns false at the end. */
  step(visit: (seen: Seen) => boolean): boolean {
    if (this.offset <= this.#first) this.state = this.#torn > 0 ? 'stopped' : 'end';
    if (this.state !== 'going') return false;
    const start = Math.max(this.#first, this.offset - this.#step);
    const bytes = readBytes(this.#source, start, this.offset - start);
    let to = bytes.length - 1;
    this.#wanted = true;
    while (to >= 0) {
      const before = to === 0 ? -1 : bytes.lastIndexOf(lineFeed, to - 1);
      if (before < 0 && start > this.#first) break;
      if (!this.#take({ bytes, from: before + 1, to, start }, visit)) {
        this.state = 'stopped';
        return false;
      }
      if (!this.#wanted) return true;
      to = before;
    }
    // The line is longer than the chunk, so the next chunk is larger.
    if (to === bytes.length - 1) this.#step *= 2;
    return true;
  }

  #take(
    at: { readonly bytes: Buffer; readonly from: number; readonly to: number; readonly start: number },
    visit: (seen: Seen) => boolean,
  ): boolean {
    const { bytes, from, to, start } = at;
    const fields = this.#fields;
    this.offset = start + from;
    if (this.#torn > 0) {
      this.#torn -= to + 1 - from;
      return this.#torn >= 0 && isBlank(bytes, from, to);
    }
    fields.from = from;
    fields.to = to;
    if (bytes[to] !== lineFeed || !readFields(bytes, fields) || fields.crc !== this.#crc) return false;
    if (this.#gap ? fields.seq > this.#seq : fields.seq !== this.#seq) return false;
    const meta = readMeta(bytes, fields.recordEnd, to);
    this.#crc = fields.link;
    this.#gap = meta?.gap === true;
    this.#seq = fields.seq - 1;
    this.#torn = meta?.torn ?? 0;
    this.#wanted = visit({ bytes, fields, meta, start, offset: start + from, end: start + to + 1 });
    return true;
  }
}
