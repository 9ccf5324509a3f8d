import type { Codec } from './model/codec.ts';
import type { History } from './model/history.ts';
import { type Message, type ResultPart, textPart } from './model/part.ts';
import { salvageEntries } from './model/read-safely.ts';
import type { SessionRecord } from './model/record.ts';
import type { Evidence, EvidenceKind } from './model/synthetic.ts';
import { isRecord } from './model/value.ts';
import { type Compacted, compactedIn, pinnedIn } from './project/compacted.ts';
import { surviving } from './project/surviving.ts';

type Codecs = Readonly<Record<string, Codec>>;

/** A history, and for each of its messages the numbers of the first and the last record that it stands for. */
export type Projection<D extends string = string> = History<D> & {
  readonly sources: readonly number[];
  readonly ends: readonly number[];
  /** Places of the messages that are pinned. */
  readonly pins: readonly number[];
};

/**
 * The history that a log stands for, in the dialect of its first message; undefined while it holds no message. Total:
 * every prefix of every log gives a history, whatever the records hold.
 */
export function projectRecords(records: readonly SessionRecord[], codecs: Codecs): Projection | undefined {
  const alive = surviving(records);
  const held = compactedIn(alive);
  const codec = firstCodec(alive, held, codecs);
  if (codec === undefined) return undefined;
  const pinned = pinnedIn(alive);
  const list = new ProjectedList(codec, alive, pinned);
  let [next, covered] = [0, -1];
  for (const record of alive) {
    for (let range = held[next]; range !== undefined && range.from <= record.seq; range = held[next]) {
      list.addCompacted(range);
      covered = Math.max(covered, range.to);
      next += 1;
    }
    if (record.seq > covered || (pinned.has(record.seq) && !list.has(record.seq))) list.addRecord(record);
  }
  const { messages, sources, ends, pins } = list;
  return { dialect: codec.dialect, messages, sources, ends, pins };
}

/** The messages so far, each with the records that it stands for. */
class ProjectedList {
  readonly messages: Message[] = [];
  readonly sources: number[] = [];
  readonly ends: number[] = [];
  readonly pins: number[] = [];
  readonly #codec: Codec;
  readonly #records: readonly SessionRecord[];
  readonly #pinned: ReadonlySet<number>;
  /** The records by their numbers, made when a checkpoint names some that stay. */
  #bySeq: ReadonlyMap<number, SessionRecord> | undefined;
  readonly #kept = new Set<number>();

  constructor(codec: Codec, records: readonly SessionRecord[], pinned: ReadonlySet<number>) {
    this.#codec = codec;
    this.#records = records;
    this.#pinned = pinned;
  }

  #add(some: readonly Message[], from: number, to: number): void {
    for (const message of some) {
      this.messages.push(message);
      this.sources.push(from);
      this.ends.push(to);
    }
  }

  /** Whether a checkpoint has kept the record. */
  has(seq: number): boolean {
    return this.#kept.has(seq);
  }

  addRecord(record: SessionRecord): void {
    const some = toMessages(record, this.#codec, this.messages.length);
    if (this.#pinned.has(record.seq)) this.pins.push(...some.map((_, index) => this.messages.length + index));
    this.#add(some, record.seq, record.seq);
  }

  /** What a checkpoint made is told as coming from the first record that it stands for. */
  addCompacted({ from, to, summary, messages, dialect }: Compacted): void {
    const [codec, all] = [this.#codec, Array.isArray(messages) ? (messages as unknown[]) : [{ wire: summary }]];
    for (const each of all) {
      if (!isRecord(each)) continue;
      const { seq, wire } = each;
      if ('wire' in each) this.#add(toStandIn(wire, dialect, { codec, index: this.messages.length }), from, to);
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

function toMessages({ kind, data }: SessionRecord, codec: Codec, index: number): readonly Message[] {
  if (!isRecord(data)) return [];
  if (kind === 'message') return readWire(data['wire'], data['dialect'], { codec, index });
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
