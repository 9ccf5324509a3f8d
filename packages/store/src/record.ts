import { Buffer } from 'node:buffer';

import type { SessionRecord } from '@rethread/core';

import { StoreError } from './store-error.ts';

/**
 * A record as the caller gives it; `append` adds number, id and time. The data is stored as `JSON.stringify` writes it,
 * so a Map or NaN comes back as what JSON makes of it.
 */
export type NewRecord = { readonly kind: string; readonly data: unknown };

/** One immutable item of a session's log. Unknown kinds and versions are carried. */
export type StoredRecord = NewRecord & {
  readonly v: number;
  readonly seq: number;
  readonly id: string;
  readonly at: string;
  /** The operation that wrote it. */
  readonly op?: string;
};

export const recordVersion = 1;

/** The highest record number: fifteen digits, which every driver stores exactly. */
export const highestSeq = 999_999_999_999_999;

/** The default limit of one record, in bytes. */
export const defaultRecordLimit: number = 64 * 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A record captured as JSON when it was given, so that later changes by the caller have no effect. */
export type TakenRecord = {
  readonly kind: string;
  /** A JSON object that contains only the data. */
  readonly content: string;
};

const refused = (what: string): StoreError => new StoreError('unstorable', `record not stored: ${what}`);

function notJson(kind: string, cause: unknown): StoreError {
  const reason =
    cause instanceof RangeError ? 'is too long or nested too deeply' : 'contains a value that JSON cannot represent';
  return new StoreError('unstorable', `a ${JSON.stringify(kind)} record ${reason}`, { cause });
}

/** Reads the fields of a record once. */
function partsOf(record: NewRecord): NewRecord {
  try {
    const { kind, data } = record;
    return { kind, data };
  } catch (cause) {
    throw new StoreError('unstorable', 'record not stored: reading it throws an error', { cause });
  }
}

/**
 * Captures a record. A value that `JSON.stringify` refuses is `unstorable`. Values that it changes are not detected,
 * because checking each one would dominate the cost of an append.
 */
export function takeRecord(record: NewRecord): TakenRecord {
  const { kind, data } = partsOf(record);
  // Without these checks the record would be stored and never be readable.
  if (typeof kind !== 'string') throw refused('its kind must be a string');
  if (typeof data === 'function' || typeof data === 'symbol')
    throw refused(`its data is a ${typeof data}, which JSON cannot represent`);
  try {
    return { kind, content: JSON.stringify({ data: data ?? null }) };
  } catch (cause) {
    throw notJson(kind, cause);
  }
}

type Given = Omit<StoredRecord, 'v' | 'kind' | 'data'>;

function bytesOf({ kind, content }: TakenRecord, { seq, id, at, op }: Given): Uint8Array {
  const head = `{"v":${recordVersion},"seq":${seq},"id":${JSON.stringify(id)},"at":${JSON.stringify(at)}`;
  const named = op === undefined ? '' : `,"op":${JSON.stringify(op)}`;
  // `undefined` data leaves an empty object.
  const rest = content === '{}' ? '}' : `,${content.slice(1)}`;
  try {
    return Buffer.from(`${head},"kind":${JSON.stringify(kind)}${named}${rest}`);
  } catch (cause) {
    throw notJson(kind, cause);
  }
}

/**
 * Encodes a record once; every driver, export and digest uses these bytes. NUL and lone surrogates become escapes, so
 * the bytes are valid UTF-8.
 */
export function encodeTaken(taken: TakenRecord, given: Given, limit: number): Uint8Array {
  const { seq, op } = given;
  if (op !== undefined && typeof op !== 'string') throw refused('the name of its operation must be a string');
  if (seq > highestSeq) throw refused('the session has used the highest record number');
  const bytes = bytesOf(taken, given);
  if (bytes.length <= limit) return bytes;
  const sizes = `${bytes.length} bytes; the limit is ${limit}`;
  throw new StoreError('unstorable', `a ${JSON.stringify(taken.kind)} record has ${sizes}`, { seq });
}

/** Encodes a record that was not captured before. */
export function encodeRecord(record: Omit<StoredRecord, 'v'>, limit: number = defaultRecordLimit): Uint8Array {
  return encodeTaken(takeRecord(record), record, limit);
}

export type Keys = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a record's data; empty if the data is not an object. */
export const keysOf = ({ data }: NewRecord): Keys => (isObject(data) ? data : {});

/** A stored record as core reads it. Core checks the data itself and ignores what it does not know. */
export const toSessionRecord = (record: StoredRecord): SessionRecord => record as SessionRecord;

/** Decodes a record; undefined if the bytes are not a record of any version. */
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
  // The required keys were checked; keys of newer versions are carried.
  return sound ? (value as StoredRecord) : undefined;
}
