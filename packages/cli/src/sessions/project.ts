import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

import type { SessionRef } from '@rethread/formats';

/** The nearest folder that holds a repository, or else the folder itself. */
function rootOf(folder: string): string {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (existsSync(join(at, '.git'))) return at;
  return folder;
}

const real = (folder: string): string => {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
};

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Tells whether a session belongs to the project of a folder: it was begun in its repository, or in the folder. */
export function belongsTo(folder: string): (session: Pick<SessionRef, 'cwd' | 'cwdHash'>) => boolean {
  const roots = new Set([rootOf(folder), rootOf(real(folder))]);
  const hashes = new Set([folder, real(folder), ...roots].map(hash));
  return ({ cwd, cwdHash }) => {
    if (cwdHash !== undefined && hashes.has(cwdHash)) return true;
    return cwd !== undefined && [...roots].some((root) => cwd === root || cwd.startsWith(root.replace(/[/\\]?$/, sep)));
  };
}
