import { type Owner, ownerName } from './owner.ts';
import { StoreError } from './store-error.ts';

const named = (session: string): string => `session ${JSON.stringify(session)}`;

/** What is known about the current writer. */
type Standing = { readonly head?: number | undefined; readonly owner?: Owner | undefined };

const known = ({ head, owner }: Standing): { head?: number; owner?: Owner } => ({
  ...(head === undefined ? {} : { head }),
  ...(owner === undefined ? {} : { owner }),
});

export function missing(session: string): StoreError {
  return new StoreError('missing', `there is no ${named(session)}`, { session });
}

export function exists(session: string): StoreError {
  return new StoreError('exists', `${named(session)} exists already`, { session });
}

export function held(session: string, standing: Standing & { readonly owner: Owner }): StoreError {
  const sentence = `${named(session)} is written by ${ownerName(standing.owner)}`;
  return new StoreError('conflict', sentence, { session, ...known(standing) });
}

/** The caller holds the lease, so no other writer is named. */
export function moved(session: string, at: { readonly head: number; readonly expected: number }): StoreError {
  const sentence = `${named(session)}: expected record ${at.expected} to be the newest, found ${at.head}`;
  return new StoreError('conflict', sentence, { session, ...at });
}

export function stale(session: string, standing: Standing): StoreError {
  const by = standing.owner === undefined ? '' : ` by ${ownerName(standing.owner)}`;
  return new StoreError('stale', `${named(session)} was taken over${by}`, { session, ...known(standing) });
}

/** Erasing or cutting the session would make these forks unreadable. */
export function sharedRecords(session: string, forks: readonly string[]): StoreError {
  const names = forks.map((id) => JSON.stringify(id)).join(', ');
  return new StoreError('conflict', `${named(session)} shares its records with ${names}; erase those forks first`, {
    session,
    sessions: forks,
  });
}

/** An interrupted import. It must not pass for the whole session. */
export function halfImported(session: string): StoreError {
  const what = 'is an incomplete import; import it again, or erase it';
  return new StoreError('damaged', `${named(session)} ${what}`, { session });
}

export function closed(url: string): StoreError {
  return new StoreError('closed', `the store ${url} is closed`);
}
