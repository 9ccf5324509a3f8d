import { Buffer } from 'node:buffer';

import type { SessionRecord } from '@rethread/core';

import { StoreError } from './store-error.ts';

/**
 * A record as it is given to `append`; number, id and time are added. The data is stored as `JSON.stringify` writes it:
 * whoever gives something that is no JSON, such as a Map or NaN, gets back what that makes of it.
 */
export type NewRecord = { readonly kind: string; readonly data: unknown };

/** One immutable item of a session's log, as it is read. Kinds and versions that are not known are carried. */
export type StoredRecord = NewRecord & {
  readonly v: number;
  readonly seq: number;
  readonly id: string;
  readonly at: string;
  /** The operation that it was written by. */
  readonly op?: string;
};

/** The version of the records that this release writes. */
export const recordVersion = 1;

/** The highest number that a record can have: fifteen digits, which every driver holds exactly. */
export const highestSeq = 999_999_999_999_999;

/** The longest record in bytes, unless a store is opened with another limit. */
export const defaultRecordLimit: number = 64 * 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A record as it was when it was given: its content is JSON, so that nobody can change it before it is written. */
export type TakenRecord = {
  readonly kind: string;
  /** An object with the data alone. */
  readonly content: string;
};

const refused = (what: string): StoreError => new StoreError('unstorable', `a record cannot be stored: ${what}`);

function notJson(kind: string, cause: unknown): StoreError {
  const reason =
    cause instanceof RangeError ? 'is too long or nested too deeply' : 'holds a value that JSON cannot hold';
  return new StoreError('unstorable', `a ${JSON.stringify(kind)} record ${reason}`, { cause });
}

/** What stands in a record, looked at once. */
function partsOf(record: NewRecord): NewRecord {
  try {
    const { kind, data } = record;
    return { kind, data };
  } catch (cause) {
    throw new StoreError('unstorable', 'a record cannot be stored: it throws when it is looked at', { cause });
  }
}

/**
 * Takes what is given as it is now. What `JSON.stringify` refuses is `unstorable`; what it changes is not looked for,
 * because a look at every value would cost more than all the rest of an append.
 */
export function takeRecord(record: NewRecord): TakenRecord {
  const { kind, data } = partsOf(record);
  // What is no record would be stored and could never be read again.
  if (typeof kind !== 'string') throw refused('its kind is no text');
  if (typeof data === 'function' || typeof data === 'symbol') throw refused(`its data is a ${typeof data}`);
  try {
    return { kind, content: JSON.stringify({ data: data ?? null }) };
  } catch (cause) {
    throw notJson(kind, cause);
  }
}

/** What a record gets when it is written. */
type Given = Omit<StoredRecord, 'v' | 'kind' | 'data'>;

function bytesOf({ kind, content }: TakenRecord, { seq, id, at, op }: Given): Uint8Array {
  const head = `{"v":${recordVersion},"seq":${seq},"id":${JSON.stringify(id)},"at":${JSON.stringify(at)}`;
  const named = op === undefined ? '' : `,"op":${JSON.stringify(op)}`;
  // Data that stands for nothing leaves an object without it.
  const rest = content === '{}' ? '}' : `,${content.slice(1)}`;
  try {
    return Buffer.from(`${head},"kind":${JSON.stringify(kind)}${named}${rest}`);
  } catch (cause) {
    throw notJson(kind, cause);
  }
}

/**
 * The bytes of a record, made once and never again: every driver, export and digest has these. Lone surrogates and NUL
 * are written as escapes, so that the bytes are always UTF-8.
 */
export function encodeTaken(taken: TakenRecord, given: Given, limit: number): Uint8Array {
  const { seq, op } = given;
  if (op !== undefined && typeof op !== 'string') throw refused('the name of its operation is no text');
  if (seq > highestSeq) throw refused('there is no number for it any more');
  const bytes = bytesOf(taken, given);
  if (bytes.length <= limit) return bytes;
  const sizes = `${bytes.length} bytes, over the limit of ${limit}`;
  throw new StoreError('unstorable', `a ${JSON.stringify(taken.kind)} record has ${sizes}`, { seq });
}

/** The bytes of a record whose content was not taken before. */
export function encodeRecord(record: Omit<StoredRecord, 'v'>, limit: number = defaultRecordLimit): Uint8Array {
  return encodeTaken(takeRecord(record), record, limit);
}

export type Keys = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands under the keys of a record's data; nothing where it has none. */
export const keysOf = ({ data }: NewRecord): Keys => (isObject(data) ? data : {});

/** A stored record as the core reads it; the core looks at the data itself and leaves what it does not know. */
export const toSessionRecord = (record: StoredRecord): SessionRecord => record as SessionRecord;

/** Reads the bytes of a record; undefined for what is no record of any version. */
export function decodeRecord(bytes: Uint8Array): StoredRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { v, seq, id, at, kind } = value;
  const sound =
    typeof v === 'number' &&
    Number.isSafeInteger(seq) &&
    typeof id === 'string' &&
    typeof at === 'string' &&
    typeof kind === 'string';
  // The keys were just looked at; whatever else a newer version has is carried along.
  return sound ? (value as StoredRecord) : undefined;
}
