import { constants } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';

import type { FaultLog } from '../fault.ts';
import { wholeFile } from '../place.ts';

/** A regular file, opened to be read. */
export type OpenedFile = { readonly handle: FileHandle; readonly bytes: number; readonly modified: number };

// A pipe would block whoever opens it, and a link may lead anywhere; Windows knows neither flag.
export const READ_FLAGS: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file. Links, pipes, devices and folders are refused, and reported like what cannot be read. */
export async function openFile(path: string, faults: FaultLog): Promise<OpenedFile | undefined> {
  const refuse = (kind: 'link' | 'not-a-file' | 'unreadable', note: string): undefined => {
    faults.add(kind, wholeFile(path), note);
  };
  try {
    const named = await lstat(path);
    if (named.isSymbolicLink()) return refuse('link', 'This is a link. Name the file that it leads to.');
    if (!named.isFile()) return refuse('not-a-file', 'This is not a regular file.');
    const handle = await open(path, READ_FLAGS);
    const stat = await handle.stat();
    if (stat.isFile()) return { handle, bytes: stat.size, modified: stat.mtimeMs };
    await handle.close();
    return refuse('not-a-file', 'This is not a regular file.');
  } catch (error) {
    return refuse('unreadable', `This file cannot be opened: ${reasonOf(error)}.`);
  }
}

/** Why a call of the system failed, in its own short words. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : 'unknown error';
};
