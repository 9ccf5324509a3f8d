import type { Codec } from './model/codec.ts';
import type { History } from './model/history.ts';
import { textPart, type Message, type ResultPart } from './model/part.ts';
import { salvageEntries } from './model/read-safely.ts';
import type { SessionRecord } from './model/record.ts';
import type { Evidence, EvidenceKind } from './model/synthetic.ts';
import { isRecord } from './model/value.ts';

type Codecs = Readonly<Record<string, Codec>>;

/** A history, and for each of its messages the numbers of the first and the last record that it stands for. */
export type Projection<D extends string = string> = History<D> & {
  readonly sources: readonly number[];
  readonly ends: readonly number[];
  /** The records that each message is made of; none for a message that a checkpoint holds itself. */
  readonly records: readonly (readonly number[])[];
  /** Places of the messages that are pinned. */
  readonly pins: readonly number[];
};

/** A projection before its messages are brought into one dialect: each was read in its own. */
export type Recorded<D extends string = string> = Projection<D> & { readonly dialects: readonly string[] };

/**
 * The messages that a log stands for, as they were recorded; the dialect of all is that of the first. Undefined while
 * the log holds no message. Total: every prefix of every log gives a history, whatever the records hold.
 */
export function projectRecords(records: readonly SessionRecord[], codecs: Codecs): Recorded | undefined {
  const alive = surviving(records);
  const held = compactedIn(alive);
  const codec = firstCodec(alive, held, codecs);
  if (codec === undefined) return undefined;
  const pinned = pinnedIn(alive);
  const list = new ProjectedList({ codec, codecs }, alive, pinned);
  let [next, covered] = [0, -1];
  for (const record of alive) {
    for (let range = held[next]; range !== undefined && range.from <= record.seq; range = held[next]) {
      list.addCompacted(range);
      covered = Math.max(covered, range.to);
      next += 1;
    }
    if (record.seq > covered || (pinned.has(record.seq) && !list.has(record.seq))) list.addRecord(record);
  }
  const { messages, sources, ends, pins, records: made, dialects } = list;
  return { dialect: codec.dialect, messages, sources, ends, records: made, pins, dialects };
}

/** The codec that a log begins in, and all that its messages may be in. */
type Speech = { readonly codec: Codec; readonly codecs: Codecs };

/** Where a message stands in a log: the codec that reads it, and the records that it is of. */
type Standing = { readonly codec: Codec; readonly from: number; readonly to: number; readonly of: readonly number[] };

/** The messages so far, each with the records that it stands for. */
class ProjectedList {
  readonly messages: Message[] = [];
  readonly sources: number[] = [];
  readonly ends: number[] = [];
  readonly records: (readonly number[])[] = [];
  readonly dialects: string[] = [];
  readonly pins: number[] = [];
  readonly #speech: Speech;
  /** The codecs of calls in other dialects than the first, by their ids: a result is told in the words of its call. */
  readonly #callers = new Map<unknown, Codec>();
  readonly #records: readonly SessionRecord[];
  readonly #pinned: ReadonlySet<number>;
  /** The records by their numbers, made when a checkpoint names some that stay. */
  #bySeq: ReadonlyMap<number, SessionRecord> | undefined;
  readonly #kept = new Set<number>();

  constructor(speech: Speech, records: readonly SessionRecord[], pinned: ReadonlySet<number>) {
    this.#speech = speech;
    this.#records = records;
    this.#pinned = pinned;
  }

  #add(some: readonly Message[], { codec, from, to, of }: Standing): void {
    for (const message of some) {
      this.messages.push(message);
      this.sources.push(from);
      this.ends.push(to);
      this.records.push(of);
      this.dialects.push(codec.dialect);
    }
  }

  /** The codec of a dialect; what is in no known one is read as far as it can be, as if it were in the first. */
  #codecOf(dialect: unknown): Codec {
    const { codec, codecs } = this.#speech;
    return dialect === codec.dialect ? codec : (codecNamed(dialect, codecs) ?? codec);
  }

  /** Whether a checkpoint has kept the record. */
  has(seq: number): boolean {
    return this.#kept.has(seq);
  }

  addRecord(record: SessionRecord): void {
    const { seq } = record;
    const codec = this.#codecFor(record);
    const some = toMessages(record, codec, this.messages.length);
    if (codec !== this.#speech.codec || this.#callers.size > 0) this.#noteCalls(some, codec);
    if (this.#pinned.has(seq)) this.pins.push(...some.map((_, index) => this.messages.length + index));
    this.#add(some, { codec, from: seq, to: seq, of: [seq] });
  }

  #codecFor({ kind, data }: SessionRecord): Codec {
    if (!isRecord(data)) return this.#speech.codec;
    if (kind === 'message') return this.#codecOf(data['dialect']);
    const { callId }: Readonly<Record<string, unknown>> = data;
    return this.#callers.get(callId) ?? this.#speech.codec;
  }

  #noteCalls(messages: readonly Message[], codec: Codec): void {
    for (const { parts } of messages) {
      for (const part of parts) if (part.kind === 'call') this.#callers.set(part.callId, codec);
    }
  }

  /** What a checkpoint made is told as coming from the first record that it stands for. */
  addCompacted({ from, to, summary, messages, dialect }: Compacted): void {
    const all = Array.isArray(messages) ? (messages as unknown[]) : [{ wire: summary }];
    const codec = this.#codecOf(dialect);
    for (const each of all) {
      if (!isRecord(each)) continue;
      const { seq, wire } = each;
      const place = { codec, index: this.messages.length };
      if ('wire' in each) this.#add(toStandIn(wire, dialect, place), { codec, from, to, of: [] });
      else if (typeof seq === 'number' && from <= seq && seq <= to) this.#keep(seq);
    }
  }

  #keep(seq: number): void {
    this.#bySeq ??= new Map(this.#records.map((record) => [record.seq, record]));
    const record = this.#bySeq.get(seq);
    if (record === undefined || this.#kept.has(seq)) return;
    this.#kept.add(seq);
    this.addRecord(record);
  }
}

/** What the records tell about calls without a result: those that were started, and those of which more is known. */
export function evidenceIn(records: readonly SessionRecord[]): Evidence {
  const started = new Map<string, EvidenceKind>();
  for (const { kind, data } of surviving(records)) {
    if (!isRecord(data) || typeof data['callId'] !== 'string') continue;
    if (kind === 'call.started') started.set(data['callId'], 'started');
    if (kind === 'call.settled') started.delete(data['callId']);
  }
  return Object.fromEntries(started);
}

const codecNamed = (name: unknown, codecs: Codecs): Codec | undefined =>
  typeof name === 'string' && Object.hasOwn(codecs, name) ? codecs[name] : undefined;

function firstCodec(records: readonly SessionRecord[], held: readonly Compacted[], codecs: Codecs): Codec | undefined {
  for (const { kind, data } of records) {
    const codec = kind === 'message' && isRecord(data) ? codecNamed(data['dialect'], codecs) : undefined;
    if (codec !== undefined) return codec;
  }
  return held.map(({ dialect }) => codecNamed(dialect, codecs)).find((codec) => codec !== undefined);
}

function readWire(
  wire: unknown,
  dialect: unknown,
  { codec, index }: { codec: Codec; index: number },
): readonly Message[] {
  return dialect === codec.dialect ? [codec.read(wire, index)] : salvageEntries(codec, wire, index);
}

/** A summary may be plain text: it is then a message of the user. */
function toStandIn(wire: unknown, dialect: unknown, place: { codec: Codec; index: number }): readonly Message[] {
  if (typeof wire !== 'string') return readWire(wire, dialect, place);
  return [{ role: 'user', parts: [textPart(wire, wire.length)], at: place.index }];
}

/** What was noted about where a message came from goes with it. */
function withOrigin(messages: readonly Message[], origin: unknown): readonly Message[] {
  const digest = isRecord(origin) ? origin['prefixDigest'] : undefined;
  if (typeof digest !== 'string') return messages;
  return messages.map((message) => ({ ...message, origin: { prefixDigest: digest } }));
}

function toMessages({ kind, data }: SessionRecord, codec: Codec, index: number): readonly Message[] {
  if (!isRecord(data)) return [];
  if (kind === 'message') {
    return withOrigin(readWire(data['wire'], data['dialect'], { codec, index }), data['origin']);
  }
  const { callId, tool, text, error }: Readonly<Record<string, unknown>> = data;
  if (kind !== 'call.settled' || typeof callId !== 'string' || typeof text !== 'string') return [];
  const result: ResultPart = {
    kind: 'result',
    callId,
    // Some dialects want the name beside every result.
    ...(typeof tool === 'string' ? { tool } : {}),
    outcome: error === true ? 'error' : 'ok',
    text,
    server: false,
    characters: text.length,
  };
  return [{ role: codec.results, parts: [result], at: index }];
}

/** A summary and the records that it stands for, both ends included. */
export type Compacted = {
  readonly from: number;
  readonly to: number;
  readonly summary: unknown;
  /** What stands there instead of one summary. */
  readonly messages: unknown;
  readonly dialect: unknown;
};

/** The checkpoints that hold: not undone, and not covered by a newer one. Sorted by where they begin. */
export function compactedIn(records: readonly SessionRecord[]): readonly Compacted[] {
  const held: Compacted[] = [];
  const undone = new Set<unknown>();
  for (const record of records.toReversed()) {
    if (record.kind !== 'checkpoint' || !isRecord(record.data) || undone.has(record.seq)) continue;
    const data: Readonly<Record<string, unknown>> = record.data;
    if ('undo' in data) undone.add(data['undo']);
    const [from, to] = [earlier(data['from'], record), earlier(data['to'], record)];
    if (from === undefined || to === undefined || from > to) continue;
    if (held.some((newer) => newer.from <= from && to <= newer.to)) continue;
    const { summary, messages, dialect } = data;
    held.push({ from, to, summary, messages, dialect });
  }
  return held.sort((one, two) => one.from - two.from || one.to - two.to);
}

/** The numbers of the records that are pinned. */
export function pinnedIn(records: readonly SessionRecord[]): ReadonlySet<number> {
  const pinned = new Set<number>();
  for (const record of records) {
    if (record.kind !== 'pin' || !isRecord(record.data)) continue;
    const data: Readonly<Record<string, unknown>> = record.data;
    const seq = earlier(data['seq'], record);
    if (seq === undefined) continue;
    if (data['pinned'] === false) pinned.delete(seq);
    else pinned.add(seq);
  }
  return pinned;
}

/** The number of a record that came before this one; undefined for anything else. */
export function earlier(value: unknown, { seq }: SessionRecord): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < seq ? value : undefined;
}

/** The records of a log without anything in it that is none. */
function soundIn(log: unknown): readonly SessionRecord[] {
  if (!Array.isArray(log)) return [];
  return (log.every(isSound) ? log : log.filter(isSound)) as SessionRecord[];
}

const isSound = (record: unknown): boolean => isRecord(record) && typeof record['seq'] === 'number';

/** The last of the first `count` records whose number is not above `seq`; -1 if there is none. */
function lastUpTo(records: readonly SessionRecord[], count: number, seq: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const record = records[middle];
    if (record !== undefined && record.seq <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The records that no revert took back, in their order. Every record follows the one before it, and a revert follows
 * the record it goes back to; so the way back from the newest one meets exactly what survives. A revert that is itself
 * taken back is not met, and with it its effect is gone.
 */
export function surviving(all: readonly SessionRecord[]): readonly SessionRecord[] {
  const records = soundIn(all);
  const met: SessionRecord[] = [];
  let index = records.length - 1;
  for (let record = records[index]; record !== undefined; record = records[index]) {
    const to = record.kind === 'revert' && isRecord(record.data) ? earlier(record.data['to'], record) : undefined;
    if (to === undefined) {
      met.push(record);
      index -= 1;
    } else {
      index = lastUpTo(records, index, to);
    }
  }
  return met.length === records.length ? records : met.reverse();
}
