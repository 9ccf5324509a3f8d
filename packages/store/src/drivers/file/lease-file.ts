import { join } from 'node:path';

import type { Owner } from '../../owner.ts';
import { errorCode } from './files.ts';
import { discard, folderOf, type Place, writeFully } from './layout.ts';
import { encodeLine, readLine, seedOf } from './line.ts';
import { fileSource, readBytes } from './source.ts';

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

export const leasePath = (place: Place, session: string, epoch: number): string =>
  join(folderOf(place, session), `lease-${epoch}.json`);

function encodeNote(session: string, note: LeaseNote): Buffer {
  return encodeLine({ seq: note.epoch, record: nothing, meta: { lease: note } }, seedOf(session)).bytes;
}

function readNote(place: Place, session: string, epoch: number): LeaseNote | undefined {
  const { files } = place;
  const file = files.open(leasePath(place, session, epoch), 'read');
  try {
    const source = fileSource(files, file);
    const bytes = readBytes(source, 0, Math.min(source.size, 65_536));
    const line = readLine(bytes, 0, bytes.length - 1);
    return line?.link === seedOf(session) ? (line.meta?.['lease'] as LeaseNote | undefined) : undefined;
  } finally {
    files.close(file);
  }
}

const epochsOf = (place: Place, session: string): number[] =>
  place.files.names(folderOf(place, session)).flatMap((name) => {
    const epoch = leaseName.exec(name)?.[1];
    return epoch === undefined ? [] : [Number(epoch)];
  });

/** Whether somebody has claimed a later epoch; the newest lease is always written down, those between may be gone. */
export const isFollowed = (place: Place, session: string, epoch: number): boolean =>
  epochsOf(place, session).some((other) => other > epoch);

/** All leases that are written down for a session, the newest last. One that cannot be read is only its number. */
export function readLeases(
  place: Place,
  session: string,
): { readonly epoch: number; readonly note: LeaseNote | undefined }[] {
  return epochsOf(place, session)
    .sort((a, b) => a - b)
    .flatMap((epoch) => {
      try {
        return [{ epoch, note: readNote(place, session, epoch) }];
      } catch (error) {
        // Its successor removed it in the meantime.
        if (errorCode(error) === 'ENOENT') return [];
        throw error;
      }
    });
}

function writeBeside(place: Place, path: string, bytes: Buffer): string {
  const { files, environment } = place;
  const beside = `${path}.${environment.id()}.tmp`;
  const file = files.open(beside, 'create');
  try {
    writeFully(files, file, { bytes, at: 0 });
  } finally {
    files.close(file);
  }
  return beside;
}

/** Takes an epoch: true for exactly one of all who try. */
export function claimEpoch(place: Place, session: string, note: LeaseNote): boolean {
  const path = leasePath(place, session, note.epoch);
  const beside = writeBeside(place, path, encodeNote(session, note));
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

/** Writes a lease down anew, when it was prolonged or given back. */
export function rewriteLease(place: Place, session: string, note: LeaseNote): void {
  const path = leasePath(place, session, note.epoch);
  const beside = writeBeside(place, path, encodeNote(session, note));
  place.files.rename(beside, path);
}

/** Whether somebody else must wait. A lease far in the future was written by a clock that went wrong. */
export function isHeld(place: Place, note: LeaseNote): boolean {
  const left = note.expires - place.environment.now();
  if (note.released || left <= 0 || left > note.ttlMs * 2) return false;
  return place.environment.alive(note.owner) !== false;
}
