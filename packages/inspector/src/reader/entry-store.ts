import { open, type FileHandle } from 'node:fs/promises';

import type { Entry, ToolSession } from '@rethread/formats';

import { bytesColumn, countsColumn, placesColumn } from './columns.ts';
import { isObject, type JsonObject } from './value.ts';

/** Values are held up to this many characters of JSON, where they cannot be read again by their place. */
const MOST_HELD = 128 * 1024 * 1024;

/** Zstandard's magic number: places in such a file are places in what it unpacks to. */
const ZSTD = 0xfd2fb528;

/**
 * The records of a session by their number. Of a log only the places are kept, and a record is read again when it is
 * wanted; records of documents and databases are held.
 */
export class EntryStore {
  readonly #session: ToolSession;
  readonly #files: string[] = [];
  readonly #handles: Map<string, Promise<FileHandle>> = new Map();
  readonly #file = bytesColumn();
  readonly #byte = placesColumn();
  readonly #bytes = countsColumn();
  readonly #held: Map<number, Entry> = new Map();
  readonly #packed: Set<string>;
  #heldCharacters = 0;

  private constructor(session: ToolSession, packed: Set<string>) {
    this.#session = session;
    this.#packed = packed;
  }

  static async of(session: ToolSession): Promise<EntryStore> {
    const isPacked = (await magicOf(session.path)) === ZSTD;
    return new EntryStore(session, new Set(isPacked ? [session.path] : []));
  }

  get length(): number {
    return this.#byte.length;
  }

  /** Takes the next record; `characters` is about how large it is. */
  add(entry: Entry): void {
    const { place } = entry;
    const isLine = place.kind === 'line' && !this.#packed.has(place.file);
    this.#file.push(isLine ? this.#fileNumber(place.file) : 0);
    this.#byte.push(isLine ? place.byte : -1);
    this.#bytes.push(isLine ? place.bytes : 0);
    if (isLine) return;
    this.#heldCharacters += JSON.stringify(entry.value).length;
    if (this.#heldCharacters <= MOST_HELD) this.#held.set(this.length - 1, entry);
  }

  #fileNumber(path: string): number {
    const known = this.#files.lastIndexOf(path);
    if (known !== -1) return known;
    this.#files.push(path);
    return this.#files.length - 1;
  }

  /** The values of some records in a row; undefined for one that has changed since. */
  async range(from: number, to: number): Promise<(JsonObject | undefined)[]> {
    const values: (JsonObject | undefined)[] = [];
    for (let index = from; index < Math.min(to, this.length); index += 1) {
      const isLine = this.#byte.at(index) >= 0;
      values.push(isLine ? await this.#readLine(index) : this.#held.get(index)?.value);
    }
    if (values.every((value) => value !== undefined) || this.#heldCharacters <= MOST_HELD) return values;
    return this.#walkAgain(from, values);
  }

  async #readLine(index: number): Promise<JsonObject | undefined> {
    const path = this.#files[this.#file.at(index)];
    if (path === undefined) return undefined;
    try {
      const handle = await this.#handleOf(path);
      const bytes = Buffer.alloc(this.#bytes.at(index));
      await handle.read(bytes, 0, bytes.length, this.#byte.at(index));
      const value: unknown = JSON.parse(bytes.toString('utf8'));
      return isObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  async #handleOf(path: string): Promise<FileHandle> {
    const known = this.#handles.get(path) ?? open(path, 'r');
    this.#handles.set(path, known);
    return known;
  }

  async #walkAgain(from: number, values: (JsonObject | undefined)[]): Promise<(JsonObject | undefined)[]> {
    let index = 0;
    for await (const { value } of this.#session.entries()) {
      if (index >= from + values.length) break;
      if (index >= from) values[index - from] = value;
      index += 1;
    }
    return values;
  }

  async close(): Promise<void> {
    for (const handle of this.#handles.values()) await (await handle).close();
    this.#handles.clear();
  }
}

async function magicOf(path: string): Promise<number> {
  const head = Buffer.alloc(4);
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.read(head, 0, 4, 0);
  await handle?.close();
  return head.readUInt32LE(0);
}
