import { closeSync, openSync, rmSync } from 'node:fs';

import { Unreadable, reasonOf, systemCode } from '../unreadable.ts';
import { writeBytes } from './pieces.ts';
import { uninterrupted } from './uninterrupted.ts';

function unsaved(path: string, error: unknown): Unreadable {
  const reason = systemCode(error) === 'EEXIST' ? 'is there already; name another file' : undefined;
  return new Unreadable(reason ?? `cannot be written: ${reasonOf(error)}`, { cause: error, about: path });
}

function create(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    throw unsaved(path, error);
  }
}

/** Writes a file that is not there yet, or nothing: what a command makes never takes the place of a session. */
export function saveNew(path: string, chunks: Iterable<Uint8Array>): void {
  uninterrupted(() => {
    const fd = create(path);
    try {
      writeBytes(fd, chunks);
    } catch (error) {
      rmSync(path, { force: true });
      throw error instanceof Unreadable ? error : unsaved(path, error);
    } finally {
      closeSync(fd);
    }
  });
}
