import {
  copyFileSync,
  constants,
  fsyncSync,
  openSync,
  closeSync,
  linkSync,
  lstatSync,
  readdirSync,
  utimesSync,
  chmodSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { systemCode } from '../unreadable.ts';

type Kind = 'backup' | 'undone';

const nameOf = (path: string, kind: Kind, number: number): string =>
  `${path}.rethread-${kind}${number === 1 ? '' : `.${number}`}`;

/** Makes what was renamed or created in a folder survive a power cut. */
export function syncFolder(path: string): void {
  const fd = openSync(dirname(path), constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } catch (error) {
    // Windows has no such call for folders, and needs none.
    if (process.platform !== 'win32') throw error;
  } finally {
    closeSync(fd);
  }
}

function copy(path: string, to: string): void {
  const { atime, mtime, mode } = lstatSync(path);
  copyFileSync(path, to, constants.COPYFILE_EXCL);
  chmodSync(to, mode & 0o7777);
  utimesSync(to, atime, mtime);
  const fd = openSync(to, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Gives the file a second name beside it and never takes one that exists. A link is made in one step and is the
 * original itself, so not even a line that another process is writing at this moment is lost. A copy is made only where
 * links are unknown.
 */
export function keep(path: string, kind: Kind): string {
  let make: (path: string, to: string) => void = linkSync;
  for (let number = 1; ; number += 1) {
    const name = nameOf(path, kind, number);
    try {
      make(path, name);
      return name;
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EEXIST') continue;
      if (make === copy || (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EMLINK'))
        throw error;
      make = copy;
      number -= 1;
    }
  }
}

/** The backup with the highest number, which is the one made last. */
export function newestBackup(path: string): string | undefined {
  const start = `${basename(path)}.rethread-backup`;
  let newest: { readonly name: string; readonly number: number } | undefined;
  for (const entry of readdirSync(dirname(path), { withFileTypes: true })) {
    const end = entry.name.startsWith(start) ? entry.name.slice(start.length) : 'another file';
    if (!entry.isFile() || !/^(?:\.[1-9]\d*)?$/.test(end)) continue;
    const number = end === '' ? 1 : Number(end.slice(1));
    if (newest === undefined || number > newest.number) newest = { name: entry.name, number };
  }
  return newest === undefined ? undefined : join(dirname(path), newest.name);
}
