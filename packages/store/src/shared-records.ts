import { StoreError } from './store-error.ts';

/** Whatever was to be done to a session would leave forks that nobody can read. */
export function sharedRecords(session: string, forks: readonly string[]): StoreError {
  const names = forks.map((id) => JSON.stringify(id)).join(', ');
  const sentence = `session ${JSON.stringify(session)} shares its records with ${names}`;
  return new StoreError('conflict', sentence, { session, sessions: forks });
}
