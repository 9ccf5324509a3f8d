import { checkOptions } from './arguments.ts';
import { type Context, checkId, writerOf } from './context.ts';
import type { Appended, Batch, Entry, Lease, NewSession } from './driver.ts';
import { Digest } from './digest.ts';
import type { ExportEnd, ExportHeader } from './export.ts';
import { type ByteSource, linesOf } from './lines.ts';
import { type StoredRecord, decodeRecord, highestSeq, isObject } from './record.ts';
import { textOfBytes } from './search-text.ts';
import { StoreError, type StoreErrorCode } from './store-error.ts';

export type ImportOptions = {
  /** Replaces the exported id. */
  readonly id?: string;
};

/** The digest equals that of the export. */
export type Imported = { readonly id: string; readonly records: number; readonly digest: string };

const mostRecords = 256;
const mostBytes = 1024 * 1024;
/** How many batches may be in flight: memory stays bounded, and the disk is not awaited for each. */
const mostBatches = 16;

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

function toHeader(bytes: Uint8Array | undefined): ExportHeader {
  const value = bytes === undefined ? undefined : parse(bytes);
  if (!isObject(value) || value['rethread'] !== 'session' || typeof value['id'] !== 'string') {
    throw new StoreError('not-ours', 'not an exported session: the first line is not an export header');
  }
  if (value['v'] !== 1)
    throw new StoreError('unsupported', 'a newer version exported this session; update rethread to import it');
  const { id, createdAt, title, parent, archived } = value;
  return {
    rethread: 'session',
    v: 1,
    id,
    createdAt: typeof createdAt === 'string' ? createdAt : new Date(0).toISOString(),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof parent === 'string' ? { parent } : {}),
    ...(archived === true ? { archived } : {}),
  };
}

/** Recognises the last line by its name. */
function toEnd(bytes: Uint8Array): ExportEnd | undefined {
  if (bytes.length > 1000) return undefined;
  const value = parse(bytes);
  if (!isObject(value) || value['rethread'] !== 'end') return undefined;
  return { rethread: 'end', records: Number(value['records']), digest: String(value['digest']) };
}

type Flight = { readonly batch: Batch; readonly done: Promise<Appended> };

/**
 * Groups records into batches. Records of one operation form a batch of their own, so that the operation stays known.
 */
class Intake {
  readonly digest = new Digest();
  readonly #context: Context;
  readonly #lease: Lease;
  readonly #header: ExportHeader;
  #entries: Entry[] = [];
  #bytes = 0;
  #op: string | undefined;
  #at: string;
  #head = 0;
  readonly #flights: Flight[] = [];

  constructor(context: Context, lease: Lease, header: ExportHeader) {
    [this.#context, this.#lease, this.#header, this.#at] = [context, lease, header, header.createdAt];
  }

  get newest(): number {
    return this.#entries.at(-1)?.seq ?? this.#head;
  }

  async add({ seq, id, kind, at, op }: StoredRecord, bytes: Uint8Array): Promise<void> {
    const full = this.#entries.length >= mostRecords || this.#bytes + bytes.length > mostBytes;
    if (this.#entries.length > 0 && (op !== this.#op || (full && op === undefined))) await this.send();
    this.#op = op;
    this.#at = at;
    this.#entries.push({ seq, id, kind, bytes, text: () => textOfBytes(bytes) });
    this.#bytes += bytes.length;
    this.digest.add(bytes);
  }

  /** Sends the pending records. `last` marks the batch that completes the import. */
  async send(last?: 'last'): Promise<void> {
    const { archived } = this.#header;
    const end = last === undefined ? {} : { imported: true as const };
    const batch: Batch = {
      entries: this.#entries,
      lease: this.#lease,
      expect: this.#head,
      info: { updatedAt: this.#at, ...(archived === true ? { archived } : {}), ...end },
      ...(this.#op === undefined ? {} : { op: this.#op }),
    };
    this.#head = this.newest;
    [this.#entries, this.#bytes] = [[], 0];
    this.#fly(batch);
    if (this.#flights.length >= mostBatches) await this.#land();
  }

  #fly(batch: Batch): void {
    const done = this.#context.driver.append(batch);
    done.catch(() => undefined);
    this.#flights.push({ batch, done });
  }

  /**
   * Waits for the oldest batch. A fork may reuse an operation name from the records it shares, so an export can contain
   * a name twice. The driver then skips the second batch, returns the first one's head and refuses the batches behind
   * it. They are sent again without the name.
   */
  async #land(): Promise<void> {
    const flight = this.#flights.shift();
    if (flight === undefined || (await flight.done).seq === flight.batch.entries.at(-1)?.seq) return;
    const behind = this.#flights.splice(0);
    await Promise.allSettled(behind.map(({ done }) => done));
    const { op: _known, ...nameless } = flight.batch;
    for (const batch of [nameless, ...behind.map((each) => each.batch)]) this.#fly(batch);
  }

  /** Called after the digest was verified, because the last batch completes the session. */
  async end(): Promise<void> {
    await this.send('last');
    while (this.#flights.length > 0) await this.#land();
  }
}

const damaged = (line: number, what: string): StoreError =>
  new StoreError('damaged', `line ${line} of the export ${what}; nothing was imported`);

type Lines = AsyncIterator<Uint8Array>;
type Sum = Omit<Imported, 'id'>;

/** Checks at the last line that every record arrived and that nothing follows. */
async function proveEnd(end: ExportEnd, at: { lines: Lines; line: number }, digest: Digest): Promise<Sum> {
  const sum = { records: digest.records, digest: digest.end() };
  if (end.digest !== sum.digest || end.records !== sum.records) {
    throw damaged(at.line, 'has a digest that does not match the records');
  }
  if ((await at.lines.next()).done !== true) throw damaged(at.line + 1, 'comes after the end of the export');
  return sum;
}

/** Imports the records, starting with the one already read. */
async function takeIn(lines: Lines, first: Uint8Array, intake: Intake): Promise<Sum> {
  for (let [line, bytes] = [2, first]; ; line += 1) {
    const end = toEnd(bytes);
    if (end !== undefined) {
      const sum = await proveEnd(end, { lines, line }, intake.digest);
      await intake.end();
      return sum;
    }
    const record = decodeRecord(bytes);
    if (record === undefined) throw damaged(line, 'is not a record');
    if (record.seq > highestSeq) throw damaged(line, `has number ${record.seq}, which is too high`);
    if (record.op !== undefined && typeof record.op !== 'string')
      throw damaged(line, 'has an operation name that is not a string');
    if (record.seq <= intake.newest) throw damaged(line, `has number ${record.seq} out of order`);
    await intake.add(record, bytes);
    const next = await lines.next();
    if (next.done === true) throw damaged(line + 1, 'is missing: the export was cut off');
    bytes = next.value;
  }
}

const unread = (error: unknown): StoreError =>
  error instanceof StoreError
    ? error
    : new StoreError('io', 'the export could not be read; nothing was imported', { cause: error });

async function nextOf(lines: Lines): Promise<Uint8Array | undefined> {
  const next = await lines.next();
  return next.done === true ? undefined : next.value;
}

const hasCode = (error: unknown, code: StoreErrorCode): boolean => error instanceof StoreError && error.code === code;

/** Removes an interrupted import; false if the session is not one. */
async function removeHalf(context: Context, id: string): Promise<boolean> {
  const { driver } = context;
  if ((await driver.info(id))?.importing !== true) return false;
  const writer = writerOf(context, id);
  try {
    // The lease is free only when no import is running. Meanwhile another import may have completed the session.
    const removed = await writer.exclusively(async (lease) => {
      if ((await driver.info(id))?.importing !== true) return false;
      await driver.erase(lease);
      return true;
    });
    if (removed) writer.retire();
    return removed;
  } catch (error) {
    if (hasCode(error, 'missing')) return true;
    throw error;
  } finally {
    await writer.release();
  }
}

const mostTries = 3;

/** Creates the session, replacing an interrupted import. */
async function make(context: Context, id: string, about: NewSession): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await context.driver.create(id, about);
      return;
    } catch (error) {
      if (!hasCode(error, 'exists') || tries === mostTries || !(await removeHalf(context, id))) throw error;
    }
  }
}

const overtaken = (id: string, cause: unknown): StoreError => {
  const sentence = `another import replaced session ${JSON.stringify(id)}; nothing was imported; try again`;
  return new StoreError('conflict', sentence, { session: id, cause });
};

type Begun = { readonly id: string; readonly header: ExportHeader; readonly lines: Lines; readonly first: Uint8Array };

/**
 * Fills the marked session. If the process ends before the last batch, the session stays marked: nobody can append to
 * it, and the next import replaces it.
 */
async function fill(context: Context, { id, header, lines, first }: Begun): Promise<Imported> {
  const { driver } = context;
  const writer = writerOf(context, id);
  try {
    const work = async (lease: Lease): Promise<Sum> => takeIn(lines, first, new Intake(context, lease, header));
    return { id, ...(await writer.exclusively(work)) };
  } catch (error) {
    const gone = hasCode(error, 'missing');
    // Whoever removed our session owns what is there now.
    if (!gone) await writer.exclusively((lease) => driver.erase(lease)).catch(() => undefined);
    writer.retire();
    throw gone ? overtaken(id, error) : unread(error);
  } finally {
    await writer.release();
  }
}

/** Imports an exported session byte for byte, or imports nothing. */
export async function importSession(context: Context, source: ByteSource, options: ImportOptions): Promise<Imported> {
  checkOptions(options);
  const lines = linesOf(source, context.recordLimit);
  try {
    const header = toHeader(await nextOf(lines));
    const { rethread: _kind, v: _version, id: exported, archived: _archived, ...fixed } = header;
    const { id = exported } = options;
    checkId(id);
    const first = await nextOf(lines);
    if (first === undefined) throw damaged(2, 'is missing: the export was cut off');
    const about = { ...fixed, base: 0 };
    const end = toEnd(first);
    if (end === undefined) {
      await make(context, id, { ...about, importing: true });
      return await fill(context, { id, header, lines, first });
    }
    const sum = await proveEnd(end, { lines, line: 2 }, new Digest());
    await make(context, id, about);
    return { id, ...sum };
  } catch (error) {
    throw unread(error);
  } finally {
    await lines.return(undefined);
  }
}
