import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

import { reasonOf, systemCode } from '../unreadable.ts';

/** The path of something below a folder, links followed; anything outside, and anything hidden, is refused. */
export async function below(folder: string, path: unknown): Promise<string> {
  if (typeof path !== 'string' || path.includes('\0')) throw new Error('a path has to be a text');
  const root = await realpath(folder);
  const wanted = resolve(root, path);
  // Before the disk is asked, so that nobody learns what is there outside of the folder.
  requireInside(root, wanted);
  try {
    const real = await realpath(wanted);
    requireInside(root, real);
    return real;
  } catch (error) {
    throw systemCode(error) === undefined ? error : new Error(`${path}: ${reasonOf(error)}`);
  }
}

function requireInside(root: string, path: string): void {
  const inside = relative(root, path);
  const steps = inside.split(sep);
  if (isAbsolute(inside) || steps[0] === '..') throw new Error('only what lies in the working directory can be read');
  if (steps.some((step) => step.startsWith('.'))) throw new Error('hidden files are not read');
}

/** Opens a plain file; pipes and devices would wait for ever, and a link may have been put there since. */
export async function openPlain(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error('that is no file');
}
