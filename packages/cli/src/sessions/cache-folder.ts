import { homedir, platform } from 'node:os';
import { join } from 'node:path';

/** The folder for what can be made again at any time; nothing is lost when it is deleted. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const { RETHREAD_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = env;
  if (RETHREAD_CACHE !== undefined && RETHREAD_CACHE !== '') return RETHREAD_CACHE;
  if (XDG_CACHE_HOME !== undefined && XDG_CACHE_HOME !== '') return join(XDG_CACHE_HOME, 'rethread');
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Caches', 'rethread');
  if (platform() === 'win32') return join(LOCALAPPDATA ?? homedir(), 'rethread', 'cache');
  return join(homedir(), '.cache', 'rethread');
}
