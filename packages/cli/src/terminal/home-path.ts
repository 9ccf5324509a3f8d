import { homedir } from 'node:os';
import { sep } from 'node:path';

/** A path as people write it: `~` stands for the home folder. */
export function homePath(path: string): string {
  const home = homedir();
  if (home === '' || home === sep) return path;
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
