import { errorCode } from '../system-failure.ts';
import { join } from 'node:path';

import type { Lease } from '../../driver.ts';
import type { Owner } from '../../owner.ts';
import { stale } from '../../refusals.ts';
import type { StoreError } from '../../store-error.ts';

import { discard, folderOf, type Place } from './layout.ts';
import { encodeLine, readLine, seedOf } from './line.ts';
import { replace, writeBeside } from './replace.ts';
import { readBytes, readIfThere } from './source.ts';

/** A lease as it is written down. The name of its file has the epoch, so that each epoch has one holder. */
export type LeaseNote = {
  readonly epoch: number;
  readonly owner: Owner;
  readonly ttlMs: number;
  readonly expires: number;
  /** Whose journals hold what was written under it. */
  readonly instance: string;
  readonly released: boolean;
};

const leaseName = /^lease-(\d{1,15})\.json$/;
const nothing = Buffer.from('null');

const fileOf = (folder: string, epoch: number): string => join(folder, `lease-${epoch}.json`);

export const leasePath = (place: Place, session: string, epoch: number): string =>
  fileOf(folderOf(place, session), epoch);

function encodeNote(session: string, note: LeaseNote): Buffer {
  return encodeLine({ seq: note.epoch, record: nothing, meta: { lease: note } }, seedOf(session)).bytes;
}

type Read = { readonly link: number; readonly note: LeaseNote | undefined };

/** What a lease file says, and the session that it is of; undefined when it is gone. */
function readFile({ files }: Place, path: string): Read | undefined {
  return readIfThere(files, path, (source) => {
    const bytes = readBytes(source, 0, Math.min(source.size, 65_536));
    const line = readLine(bytes, 0, bytes.length - 1);
    return { link: line?.link ?? 0, note: line?.meta?.['lease'] as LeaseNote | undefined };
  });
}

const epochsIn = ({ files }: Place, folder: string): number[] =>
  files.names(folder).flatMap((name) => {
    const epoch = leaseName.exec(name)?.[1];
    return epoch === undefined ? [] : [Number(epoch)];
  });

/**
 * Whether a lease stands in a folder, and the newest is `newest`: itself where nothing is said. The newest is always
 * written down. A session that was made anew has leases of its own, which may have the same numbers.
 */
export function standsIn(place: Place, { epoch, owner }: Lease, where: { folder: string; newest?: number }): boolean {
  const { folder, newest = epoch } = where;
  try {
    const read = readFile(place, fileOf(folder, epoch));
    if (read === undefined || (read.note !== undefined && read.note.owner.id !== owner.id)) return false;
    // Last, so that nothing lies between this look and what is done then.
    return Math.max(...epochsIn(place, folder)) === newest;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Whether a lease is the newest of the session that has its name now. */
export const isHolder = (place: Place, lease: Lease): boolean =>
  standsIn(place, lease, { folder: folderOf(place, lease.session) });

/** The newest lease in a folder, whichever session it is of; undefined when there is none that can be read. */
export function newestIn(place: Place, folder: string): LeaseNote | undefined {
  const newest = Math.max(0, ...epochsIn(place, folder));
  return readFile(place, fileOf(folder, newest))?.note;
}

/** All leases that are written down for a session, the newest last. One that cannot be read is only its number. */
export function readLeases(
  place: Place,
  session: string,
): { readonly epoch: number; readonly note: LeaseNote | undefined }[] {
  const folder = folderOf(place, session);
  return epochsIn(place, folder)
    .sort((a, b) => a - b)
    .flatMap((epoch) => {
      const read = readFile(place, fileOf(folder, epoch));
      // Its successor removed it in the meantime.
      if (read === undefined) return [];
      return [{ epoch, note: read.link === seedOf(session) ? read.note : undefined }];
    });
}

/** Takes an epoch: true for exactly one of all who try. */
export function claimEpoch(place: Place, session: string, note: LeaseNote): boolean {
  const path = leasePath(place, session, note.epoch);
  const beside = writeBeside(place, { path, bytes: encodeNote(session, note), sync: false });
  try {
    place.files.link(beside, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    discard(place.files, beside);
  }
}

/**
 * Removes a lease that is known. It is looked at once more when it has no name any more that others read: in a session
 * that was made anew, the lease with that number is another's, and gets its name back.
 */
export function removeLease(place: Place, session: string, known: { epoch: number; owner: string | undefined }): void {
  const { files, environment } = place;
  const path = leasePath(place, session, known.epoch);
  const aside = `${path}.${environment.id()}.tmp`;
  try {
    files.rename(path, aside);
    if (readFile(place, aside)?.note?.owner.id === known.owner) discard(files, aside);
    else files.rename(aside, path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Writes a lease down anew, when it was prolonged or given back; false when it was lost before. */
export function rewriteLease(
  place: Place,
  lease: Lease,
  change: { expires: number; ttlMs: number; released: boolean },
): boolean {
  const { session, epoch, owner } = lease;
  const path = leasePath(place, session, epoch);
  const bytes = encodeNote(session, { epoch, owner, instance: place.instance, ...change });
  return replace(place, { path, bytes, sync: false }, () => isHolder(place, lease));
}

/** Whether somebody else must wait. A lease far in the future was written by a clock that went wrong. */
export function isHeld(place: Place, note: LeaseNote): boolean {
  const left = note.expires - place.environment.now();
  if (note.released || left <= 0 || left > note.ttlMs * 2) return false;
  return place.environment.alive(note.owner) !== false;
}

/** Whether somebody may be writing to a session at this moment. */
export function isWrittenTo(place: Place, session: string): boolean {
  const newest = readLeases(place, session).at(-1)?.note;
  return newest !== undefined && isHeld(place, newest);
}

/** Somebody else has the session now; whose name is told where it can be read. */
export function staleLease(place: Place, { lease }: { readonly lease: Lease }): StoreError {
  let owner: Owner | undefined;
  try {
    owner = readLeases(place, lease.session).findLast(({ epoch }) => epoch > lease.epoch)?.note?.owner;
  } catch {
    // The lease is lost whether its new owner can be read or not.
  }
  return stale(lease.session, { owner });
}
