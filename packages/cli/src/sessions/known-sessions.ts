import { type SessionRef, type SessionsOptions, sessions } from '@rethread/formats';

import { openCache } from './session-cache.ts';

/** The sessions of every tool on this machine, the newest first. Files that have not changed are not read again. */
export async function* knownSessions(options: Pick<SessionsOptions, 'tools'> = {}): AsyncGenerator<SessionRef> {
  const cache = await openCache<readonly SessionRef[]>('heads', '');
  try {
    const heads = {
      get: (file: CachedFile) => cache.get({ ...file, id: '' }),
      set: (file: CachedFile, found: readonly SessionRef[]) => cache.set({ ...file, id: '' }, found),
    };
    yield* sessions({ ...options, heads });
  } finally {
    cache.close();
  }
}

type CachedFile = Pick<SessionRef, 'path' | 'bytes' | 'modified'>;
