import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';

import { openFlags, sharedSystemAt, syncFolder, wouldFollow } from '../../platform.ts';
import { StoreError } from '../../store-error.ts';
import { errorCode } from '../system-failure.ts';

/** `create` and `create-append` fail when anything of that name exists; none of these follows a link. */
export type Opening = 'read' | 'write' | 'append' | 'create' | 'create-append';

export type FileState = {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  readonly links: number;
  readonly changedMs: number;
};

/**
 * All that the file driver asks of a file system. Everything throws the error of the system, with its `code`. There is
 * no way to shorten a file and none to write over one by name: what was written stays.
 */
export type Files = {
  open(path: string, how: Opening): number;
  close(file: number): void;
  /** How many bytes were read; 0 at the end. */
  read(file: number, into: Uint8Array, at: number): number;
  /** How many bytes were written, which may be fewer. A file that was opened to append takes no place. */
  write(file: number, bytes: Uint8Array, at?: number): number;
  /** The same in another thread, for bytes that do not change meanwhile. */
  writeLater(file: number, bytes: Uint8Array, at: number): Promise<number>;
  sync(file: number): void;
  /** The same in another thread. */
  syncLater(file: number): Promise<void>;
  syncFolder(path: string): void;
  state(file: number): FileState;
  /** Of the name itself, not of what a link leads to; undefined when there is nothing. */
  look(path: string): FileState | undefined;
  /**
   * Whether anything has that name. It looks at no times: a system that was asked for the times of a file notes each
   * later write to it exactly, which makes the next sync of that file as long as if it had grown.
   */
  isThere(path: string): boolean;
  names(path: string): string[];
  makeFolder(path: string): void;
  removeFolder(path: string): void;
  /** Replaces a file, never a folder that has something in it. */
  rename(from: string, to: string): void;
  /** A second name for a file; fails when the name is taken. */
  link(from: string, to: string): void;
  unlink(path: string): void;
  /** Why this place cannot keep the promises of a log, if it cannot. */
  misfit(path: string): string | undefined;
};

/** Opens a file that may have gone; undefined when it has. */
export function openIfThere(files: Files, path: string, how: Opening): number | undefined {
  try {
    return files.open(path, how);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const { noFollow, noWait } = openFlags;

const flags: Readonly<Record<Opening, number>> = {
  // Without this the opening of a pipe that somebody put there would wait for ever.
  read: constants.O_RDONLY | noFollow | noWait,
  write: constants.O_RDWR | noFollow | noWait,
  append: constants.O_RDWR | constants.O_APPEND | noFollow | noWait,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow,
  'create-append': constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | noFollow,
};

const asState = (stats: Stats): FileState => ({
  kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other',
  size: stats.size,
  links: stats.nlink,
  changedMs: stats.mtimeMs,
});

function notAFile(path: string): StoreError {
  return new StoreError('unsafe', `${path} is not a plain file; nothing was read from it or written to it`, { path });
}

function openPlain(path: string, how: Opening): number {
  if (wouldFollow(path)) throw notAFile(path);
  let file: number;
  try {
    file = openSync(path, flags[how], 0o600);
  } catch (error) {
    // A link is ELOOP, a pipe without a reader or a socket ENXIO.
    if (['ELOOP', 'EMLINK', 'ENXIO'].includes(errorCode(error) ?? '')) throw notAFile(path);
    throw error;
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw notAFile(path);
}

function misfit(path: string): string | undefined {
  const shared = sharedSystemAt(path);
  if (shared?.certain !== true) return undefined;
  return `it is on ${shared.name}, where two machines may write to one file at once`;
}

/** The real file system. Where systems differ, `platform.ts` says how. */
export const realFiles: Files = {
  open: openPlain,
  close: closeSync,
  read: (file, into, at) => readSync(file, into, 0, into.length, at),
  write: (file, bytes, at) => writeSync(file, bytes, 0, bytes.length, at ?? null),
  writeLater: (file, bytes, at) =>
    new Promise((resolve, reject) => {
      write(file, bytes, 0, bytes.length, at, (error, count) => (error === null ? resolve(count) : reject(error)));
    }),
  sync: fdatasyncSync,
  syncLater: (file) =>
    new Promise((resolve, reject) => {
      fdatasync(file, (error) => (error === null ? resolve() : reject(error)));
    }),
  syncFolder,
  state: (file) => asState(fstatSync(file)),
  look: (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? undefined : asState(stats);
  },
  isThere: existsSync,
  names: (path) => readdirSync(path),
  makeFolder: (path) => mkdirSync(path, { mode: 0o700 }),
  removeFolder: rmdirSync,
  rename: renameSync,
  link: linkSync,
  unlink: unlinkSync,
  misfit,
};
