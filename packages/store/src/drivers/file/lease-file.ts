import { errorCode, ifThere } from '../system-failure.ts';
import { join } from 'node:path';

import type { Lease } from '../../driver.ts';
import type { Owner } from '../../owner.ts';
import { stale } from '../../refusals.ts';
import type { StoreError } from '../../store-error.ts';

import { discard, folderOf, type Place } from './layout.ts';
import { encodeLine, readLine, seedOf } from './line.ts';
import { replace, writeBeside } from './replace.ts';
import { readBytes, readIfThere } from './byte-source.ts';

/** A lease on disk. Its file name contains the epoch, so each epoch has one holder. */
export type LeaseNote = {
  readonly epoch: number;
  readonly owner: Owner;
  readonly ttlMs: number;
  readonly expires: number;
  /** The opening whose journals hold the records written under it. */
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

/** The contents of a lease file; undefined if it is gone. */
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
 * Whether a lease is in a folder and `newest` is the newest epoch (default: its own). A session created anew may reuse
 * epochs, so the owner is compared too.
 */
export function standsIn(place: Place, { epoch, owner }: Lease, where: { folder: string; newest?: number }): boolean {
  const { folder, newest = epoch } = where;
  const stands = ifThere(() => {
    const read = readFile(place, fileOf(folder, epoch));
    if (read === undefined || (read.note !== undefined && read.note.owner.id !== owner.id)) return false;
    // Listed last, so that nothing comes between this check and the caller's action.
    return Math.max(...epochsIn(place, folder)) === newest;
  });
  return stands === true;
}

/** Whether a lease is the newest of the session that has the name now. */
export const isHolder = (place: Place, lease: Lease): boolean =>
  standsIn(place, lease, { folder: folderOf(place, lease.session) });

/** The newest lease in a folder; undefined if there is none or it is unreadable. */
export function newestIn(place: Place, folder: string): LeaseNote | undefined {
  const newest = Math.max(0, ...epochsIn(place, folder));
  return readFile(place, fileOf(folder, newest))?.note;
}

/** All leases of a session, oldest first. An unreadable one has only its epoch. */
export function readLeases(
  place: Place,
  session: string,
): { readonly epoch: number; readonly note: LeaseNote | undefined }[] {
  const folder = folderOf(place, session);
  return epochsIn(place, folder)
    .sort((a, b) => a - b)
    .flatMap((epoch) => {
      const read = readFile(place, fileOf(folder, epoch));
      // Its successor has removed it meanwhile.
      if (read === undefined) return [];
      return [{ epoch, note: read.link === seedOf(session) ? read.note : undefined }];
    });
}

/** Claims an epoch: true for exactly one of all claimants. */
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
 * Removes a known lease. It is renamed first and checked again: in a session created anew, the file belongs to another
 * lease and gets its name back.
 */
export function removeLease(place: Place, session: string, known: { epoch: number; owner: string | undefined }): void {
  const { files, environment } = place;
  const path = leasePath(place, session, known.epoch);
  const aside = `${path}.${environment.id()}.tmp`;
  ifThere(() => {
    files.rename(path, aside);
    if (readFile(place, aside)?.note?.owner.id === known.owner) discard(files, aside);
    else files.rename(aside, path);
  });
}

/** Rewrites a lease that was renewed or released; false if it was lost before. */
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

/** Whether the lease blocks others. An expiry far in the future comes from a wrong clock. */
export function isHeld(place: Place, note: LeaseNote): boolean {
  const left = note.expires - place.environment.now();
  if (note.released || left <= 0 || left > note.ttlMs * 2) return false;
  return place.environment.alive(note.owner) !== false;
}

/** Whether somebody may be writing to the session now. */
export function isWrittenTo(place: Place, session: string): boolean {
  const newest = readLeases(place, session).at(-1)?.note;
  return newest !== undefined && isHeld(place, newest);
}

/** The error of a lost lease; names the new owner if it can be read. */
export function staleLease(place: Place, { lease }: { readonly lease: Lease }): StoreError {
  let owner: Owner | undefined;
  try {
    owner = readLeases(place, lease.session).findLast(({ epoch }) => epoch > lease.epoch)?.note?.owner;
  } catch {
    // The lease is lost even if its new owner cannot be read.
  }
  return stale(lease.session, { owner });
}
