import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of our own that holds what came through a pipe, because readers go back and forth in a file. */
export interface Spooled {
  readonly path: string;
  readonly remove: () => void;
}

/** Writes what came through a pipe to a file that only this user can read. It goes away with the process. */
export function spool(chunks: readonly Uint8Array[]): Spooled {
  const folder = mkdtempSync(join(tmpdir(), 'rethread-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const path = join(folder, 'session');
  writeFileSync(path, Buffer.concat(chunks), { mode: 0o600 });
  return { path, remove };
}
