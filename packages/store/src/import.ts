import { type Context, checkId, writerOf } from './context.ts';
import type { Batch, Entry, Lease } from './driver.ts';
import { Digest } from './digest.ts';
import type { ExportEnd, ExportHeader } from './export.ts';
import { type ByteSource, linesOf } from './lines.ts';
import { type StoredRecord, decodeRecord, highestSeq } from './record.ts';
import { textOfBytes } from './search-text.ts';
import { StoreError } from './store-error.ts';

export type ImportOptions = {
  /** Another id than the one it was exported with. */
  readonly id?: string;
};

/** What was imported. The digest is that of the export. */
export type Imported = { readonly id: string; readonly records: number; readonly digest: string };

const mostRecords = 256;
const mostBytes = 1024 * 1024;
/** Batches that may be under way at once, so that memory stays bounded and the disk is not waited for each time. */
const mostBatches = 16;

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function toHeader(bytes: Uint8Array | undefined): ExportHeader {
  const value = bytes === undefined ? undefined : parse(bytes);
  if (!isObject(value) || value['rethread'] !== 'session' || typeof value['id'] !== 'string') {
    throw new StoreError('not-ours', 'this is no exported session: its first line is not the header of one');
  }
  if (value['v'] !== 1) throw new StoreError('unsupported', 'this session was exported by a newer version');
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

/** The last line, told from a record by its name. */
function toEnd(bytes: Uint8Array): ExportEnd | undefined {
  if (bytes.length > 1000) return undefined;
  const value = parse(bytes);
  if (!isObject(value) || value['rethread'] !== 'end') return undefined;
  return { rethread: 'end', records: Number(value['records']), digest: String(value['digest']) };
}

/** Gathers records into batches: those of one operation together and alone, so that it stays known. */
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
  readonly #flights: Promise<unknown>[] = [];

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

  async send(): Promise<void> {
    if (this.#entries.length === 0) return;
    const { archived } = this.#header;
    const batch: Batch = {
      entries: this.#entries,
      lease: this.#lease,
      expect: this.#head,
      info: { updatedAt: this.#at, ...(archived === true ? { archived } : {}) },
      ...(this.#op === undefined ? {} : { op: this.#op }),
    };
    this.#head = this.newest;
    [this.#entries, this.#bytes] = [[], 0];
    const newest = this.#head;
    const flight = this.#context.driver.append(batch).then(({ seq }) => {
      // An operation that was stored before writes nothing, and its records would be missing.
      if (seq !== newest) throw twice(batch);
      return seq;
    });
    flight.catch(() => undefined);
    this.#flights.push(flight);
    if (this.#flights.length >= mostBatches) await this.#flights.shift();
  }

  async end(): Promise<void> {
    await this.send();
    await Promise.all(this.#flights);
  }
}

const twice = ({ op }: Batch): StoreError =>
  new StoreError('damaged', `operation ${JSON.stringify(op)} stands in the export twice; nothing was imported`);

const damaged = (line: number, what: string): StoreError =>
  new StoreError('damaged', `line ${line} of the export ${what}; nothing was imported`);

async function takeIn(lines: AsyncIterator<Uint8Array>, intake: Intake): Promise<Omit<Imported, 'id'>> {
  for (let line = 2; ; line += 1) {
    const { value, done } = await lines.next();
    if (done === true) throw damaged(line, 'is missing: the export was cut off');
    const end = toEnd(value);
    if (end !== undefined) {
      await intake.end();
      const { records } = intake.digest;
      const digest = intake.digest.end();
      if (end.digest !== digest || end.records !== records) throw damaged(line, 'has another digest than the records');
      if ((await lines.next()).done !== true) throw damaged(line + 1, 'stands behind the end');
      return { records, digest };
    }
    const record = decodeRecord(value);
    if (record === undefined) throw damaged(line, 'is no record');
    if (record.seq > highestSeq) throw damaged(line, `has number ${record.seq}, which is too high`);
    if (record.op !== undefined && typeof record.op !== 'string') throw damaged(line, 'has no name for its operation');
    if (record.seq <= intake.newest) throw damaged(line, `has number ${record.seq} out of order`);
    await intake.add(record, value);
  }
}

const unread = (error: unknown): StoreError =>
  error instanceof StoreError
    ? error
    : new StoreError('io', 'the export could not be read; nothing was imported', { cause: error });

async function firstOf(lines: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    const first = await lines.next();
    return first.done === true ? undefined : first.value;
  } catch (error) {
    throw unread(error);
  }
}

/** Makes a session from an export, byte for byte, or nothing at all. */
export async function importSession(context: Context, source: ByteSource, options: ImportOptions): Promise<Imported> {
  const { driver, recordLimit } = context;
  const lines = linesOf(source, recordLimit);
  const header = toHeader(await firstOf(lines));
  const id = options.id ?? header.id;
  checkId(id);
  const { createdAt, title, parent } = header;
  await driver.create(id, {
    createdAt,
    base: 0,
    ...(title === undefined ? {} : { title }),
    ...(parent === undefined ? {} : { parent }),
  });
  const writer = writerOf(context, id);
  try {
    return { id, ...(await writer.exclusively(async (lease) => takeIn(lines, new Intake(context, lease, header)))) };
  } catch (error) {
    await writer.exclusively((lease) => driver.erase(lease)).catch(() => undefined);
    writer.retire();
    throw unread(error);
  } finally {
    await lines.return(undefined);
    await writer.release();
  }
}
