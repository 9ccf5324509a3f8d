import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StoreError } from '../store-error.ts';

function refused(url: string, why: string, cause?: unknown): StoreError {
  return new StoreError('unsupported', `${JSON.stringify(url)} names no place: ${why}`, { cause });
}

/** The path of a whole URL; its escapes are read, as everywhere. */
function pathOfWhole(url: string, whole: string): string {
  if (whole.includes('#')) throw refused(url, 'a place has no part behind a #');
  try {
    return fileURLToPath(whole);
  } catch (cause) {
    throw refused(url, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/**
 * The path that a URL names on any system: `scheme:path` is taken as it stands, relative to the working directory, and
 * `scheme:///path` is a whole URL. A setting that is left in it is known to nobody, and is not taken for a name.
 */
export function pathInUrl(url: string): string {
  const path = url.slice(url.indexOf(':') + 1);
  if (path === '') throw refused(url, 'it has no path');
  if (path.includes('\0')) throw new StoreError('unsafe', `${JSON.stringify(url)} names no place: a path has no NUL`);
  if (path.includes('?')) throw refused(url, 'the only setting is durability; a ? in a name is %3F in a whole URL');
  return path.startsWith('//') ? pathOfWhole(url, `file:${path}`) : resolve(path);
}
