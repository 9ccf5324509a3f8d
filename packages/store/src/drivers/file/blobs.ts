import { errorCode } from '../system-failure.ts';
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import type { Entry } from '../../driver.ts';
import { StoreError } from '../../store-error.ts';

import { blobsOf, discard, ensureFolder, folderOf, type Place, writeNew } from './layout.ts';
import type { BlobPlace } from './line.ts';
import { readBytes, readIfThere } from './byte-source.ts';
import { asPrepared, type Prepared } from './writer.ts';

/** A longer string inside a record's JSON is stored in a file of its own. */
const longest = 64 * 1024;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const standIn = (hash: string): Buffer => Buffer.from(`"sha256-${hash}"`);
const standInLength = 73;

export const blobsName = 'blobs';
const ownBlobs = (place: Place, session: string): string => join(folderOf(place, session), blobsName);

/** Finds the long strings of a JSON text, quotation marks included. */
function longStrings(bytes: Buffer): { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let from = bytes.indexOf(0x22); from >= 0;) {
    let to = bytes.indexOf(0x22, from + 1);
    // After an odd number of backslashes, a quotation mark is part of the string.
    while (to >= 0 && isEscaped(bytes, to)) to = bytes.indexOf(0x22, to + 1);
    if (to < 0) break;
    if (to + 1 - from > longest) found.push({ from, to: to + 1 });
    from = bytes.indexOf(0x22, to + 1);
  }
  return found;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let slashes = 0;
  while (bytes[at - 1 - slashes] === 0x5c) slashes += 1;
  return slashes % 2 === 1;
}

/** Stores the long strings of a record durably and returns the record with hashes in their place. */
export function spill(place: Place, session: string, entry: Entry): Prepared {
  if (entry.bytes.length <= longest) return asPrepared(entry);
  const bytes = Buffer.from(entry.bytes.buffer, entry.bytes.byteOffset, entry.bytes.length);
  const strings = longStrings(bytes);
  if (strings.length === 0) return asPrepared(entry);
  const parts: Buffer[] = [];
  const blobs: BlobPlace[] = [];
  let [taken, length] = [0, 0];
  for (const { from, to } of strings) {
    const text = bytes.subarray(from, to);
    const hash = hashOf(text);
    putBlob(place, session, { hash, bytes: text });
    const before = bytes.subarray(taken, from);
    parts.push(before, standIn(hash));
    blobs.push([length + before.length, text.length, hash]);
    length += before.length + standInLength;
    taken = to;
  }
  parts.push(bytes.subarray(taken));
  return { seq: entry.seq, record: Buffer.concat(parts), blobs, bytes: entry.bytes.length };
}

type Blob = { readonly hash: string; readonly bytes: Buffer };

/**
 * Each session has its own hard link to a blob, and the file system counts the links. Erasing the last session
 * therefore frees the bytes. The pool only helps the next session to find the file.
 */
function putBlob(place: Place, session: string, { hash, bytes }: Blob): void {
  const { files, environment } = place;
  const folder = ownBlobs(place, session);
  const own = join(folder, hash);
  if (files.look(folder)?.kind !== 'folder') ensureFolder(files, folder);
  const pool = join(blobsOf(place), hash);
  // A failed attempt may have left an unsynced file, so an existing one is synced again.
  const there = readBlob(place, own, hash) !== undefined;
  if (!there && (readBlob(place, pool, hash) === undefined || !tryLink(place, pool, own))) {
    const beside = `${own}.${environment.id()}.tmp`;
    writeNew(place, beside, bytes);
    files.rename(beside, own);
    if (files.look(pool) === undefined) tryLink(place, own, pool);
  } else if (place.durability !== 'os') {
    syncBlob(place, own);
  }
  files.syncFolder(folder);
  files.syncFolder(folderOf(place, session));
}

function syncBlob({ files }: Place, path: string): void {
  const file = files.open(path, 'write');
  try {
    files.sync(file);
  } finally {
    files.close(file);
  }
}

/** On a file system without hard links, each session keeps a copy. */
function tryLink({ files }: Place, from: string, to: string): boolean {
  try {
    files.link(from, to);
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

/** The bytes of a blob; undefined if they do not match their hash. */
function readBlob({ files }: Place, path: string, hash: string): Buffer | undefined {
  const bytes = readIfThere(files, path, (source) => readBytes(source, 0, source.size));
  return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
}

/** A record refers to a long string whose blob is missing or damaged. */
export class BlobLost extends Error {
  readonly hash: string;
  constructor(hash: string) {
    super(`the text with the SHA-256 ${hash} is missing or damaged`);
    this.hash = hash;
  }
}

/** Restores the original record, byte for byte. */
export function unspill(
  place: Place,
  session: string,
  stored: { record: Buffer; blobs: readonly BlobPlace[] },
): Buffer {
  const parts: Buffer[] = [];
  let taken = 0;
  for (const [at, length, hash] of stored.blobs) {
    const bytes = readBlob(place, join(ownBlobs(place, session), hash), hash);
    if (bytes === undefined || bytes.length !== length) throw new BlobLost(hash);
    parts.push(stored.record.subarray(taken, at), bytes);
    taken = at + standInLength;
  }
  parts.push(stored.record.subarray(taken));
  return Buffer.concat(parts);
}

/** The length of the original record, computed without reading its blobs. */
export const fullLength = (record: number, blobs: readonly BlobPlace[]): number =>
  blobs.reduce((sum, [, length]) => sum + length - standInLength, record);

/** Removes pool entries that no session links to any more. */
export function sweepPool(place: Place, hashes: Iterable<string>): void {
  for (const hash of hashes) {
    const path = join(blobsOf(place), hash);
    if (place.files.look(path)?.links === 1) discard(place.files, path);
  }
}

export function blobDamaged(session: string, seq: number, cause: BlobLost): StoreError {
  const sentence = `session ${JSON.stringify(session)}: record ${seq} is damaged: ${cause.message}`;
  return new StoreError('damaged', sentence, { session, seq, cause });
}
