import { StoreError } from './store-error.ts';

/** A session that an import was cut off in: whoever took it for the whole one would lose the rest of it. */
export function halfImported(session: string): StoreError {
  const what = 'is only a part of what was imported; import it again, or erase it';
  return new StoreError('damaged', `session ${JSON.stringify(session)} ${what}`, { session });
}
