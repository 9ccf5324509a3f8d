import type { Lease } from '../../driver.ts';
import { type Owner, ownerName } from '../../owner.ts';
import { StoreError } from '../../store-error.ts';
import type { Place } from './layout.ts';
import { readLeases } from './lease-file.ts';
import type { Tip } from './line.ts';

/** Somebody else has the session now. */
export function staleLease(place: Place, { lease }: { readonly lease: Lease }): StoreError {
  const { session } = lease;
  let owner: Owner | undefined;
  try {
    owner = readLeases(place, session).findLast(({ epoch }) => epoch > lease.epoch)?.note?.owner;
  } catch {
    // The name of the new owner is an extra: the lease is lost whether it can be read or not.
  }
  const by = owner === undefined ? '' : ` by ${ownerName(owner)}`;
  return new StoreError('stale', `session ${JSON.stringify(session)} was taken over${by}`, {
    session,
    ...(owner === undefined ? {} : { owner }),
  });
}

export function headMoved({ lease, tip }: { lease: Lease; tip: Tip }, expected: number): StoreError {
  const { session } = lease;
  const sentence = `session ${JSON.stringify(session)}: expected record ${expected} to be the newest, found ${tip.seq}`;
  return new StoreError('conflict', sentence, { session, head: tip.seq, expected });
}
