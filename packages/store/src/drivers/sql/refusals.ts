import { type Owner, ownerName } from '../../owner.ts';
import { StoreError, type StoreErrorDetails } from '../../store-error.ts';

const named = (session: string): string => `session ${JSON.stringify(session)}`;

export function exists(session: string): StoreError {
  return new StoreError('exists', `${named(session)} exists already`, { session });
}

/** What is known about the one who stands in the way. */
type Standing = { readonly head: number; readonly owner: Owner | undefined };

const details = (session: string, { head, owner }: Standing): StoreErrorDetails => ({
  session,
  head,
  ...(owner === undefined ? {} : { owner }),
});

export function stale(session: string, standing: Standing): StoreError {
  const by = standing.owner === undefined ? '' : ` by ${ownerName(standing.owner)}`;
  return new StoreError('stale', `${named(session)} was taken over${by}`, details(session, standing));
}

export function held(session: string, standing: { readonly head: number; readonly owner: Owner }): StoreError {
  return new StoreError(
    'conflict',
    `${named(session)} is written by ${ownerName(standing.owner)}`,
    details(session, standing),
  );
}

/** Told to whoever holds the lease, so that nobody else stands in the way. */
export function moved(session: string, at: { readonly head: number; readonly expected: number }): StoreError {
  const sentence = `${named(session)}: expected record ${at.expected} to be the newest, found ${at.head}`;
  return new StoreError('conflict', sentence, { session, ...at });
}

export function closed(url: string): StoreError {
  return new StoreError('closed', `the store ${url} is closed`);
}
