import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StoreError } from '../store-error.ts';

function refused(url: string, why: string, cause?: unknown): StoreError {
  return new StoreError('unsupported', `the URL ${JSON.stringify(url)} names no place: ${why}`, { cause });
}

/** The path of a complete URL, with its escapes decoded. */
function pathOfWhole(url: string, whole: string): string {
  if (whole.includes('#')) throw refused(url, 'a place has no part after a #');
  try {
    return fileURLToPath(whole);
  } catch (cause) {
    throw refused(url, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/**
 * The path in a store URL. `scheme:path` is relative to the working directory; `scheme:///path` is a complete URL. An
 * unknown setting is refused rather than taken for part of the name.
 */
export function pathInUrl(url: string): string {
  const path = url.slice(url.indexOf(':') + 1);
  if (path === '') throw refused(url, 'it has no path');
  if (path.includes('\0'))
    throw new StoreError('unsafe', `the URL ${JSON.stringify(url)} names no place: remove the NUL from the path`);
  if (path.includes('?'))
    throw refused(url, 'durability is the only setting; write a ? in a name as %3F in a complete URL');
  return path.startsWith('//') ? pathOfWhole(url, `file:${path}`) : resolve(path);
}
