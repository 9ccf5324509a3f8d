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
import { errorCode, ifThere } from '../system-failure.ts';

/** `create` and `create-append` fail if the name exists. No mode follows links. */
export type Opening = 'read' | 'write' | 'append' | 'create' | 'create-append';

export type FileState = {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  readonly links: number;
  readonly changedMs: number;
};

/**
 * The file system as the file driver uses it. Errors are those of the system, with their `code`. No call truncates a
 * file or overwrites one by name.
 */
export type Files = {
  open(path: string, how: Opening): number;
  close(file: number): void;
  /** Returns the number of bytes read; 0 at the end. */
  read(file: number, into: Uint8Array, at: number): number;
  /** Returns the number of bytes written, possibly fewer. Append mode ignores `at`. */
  write(file: number, bytes: Uint8Array, at?: number): number;
  /** `write` on another thread. The bytes must not change meanwhile. */
  writeLater(file: number, bytes: Uint8Array, at: number): Promise<number>;
  sync(file: number): void;
  /** `sync` on another thread. */
  syncLater(file: number): Promise<void>;
  syncFolder(path: string): void;
  state(file: number): FileState;
  /** Does not follow links; undefined if nothing is there. */
  look(path: string): FileState | undefined;
  /**
   * Whether the name exists, without reading its times. On some kernels reading them makes the next sync as slow as
   * after growth.
   */
  isThere(path: string): boolean;
  names(path: string): string[];
  makeFolder(path: string): void;
  removeFolder(path: string): void;
  /** Replaces files, but never a folder with contents. */
  rename(from: string, to: string): void;
  /** Creates a hard link; fails if the name exists. */
  link(from: string, to: string): void;
  unlink(path: string): void;
  /** Why a log in this place would not be safe; undefined if it is. */
  misfit(path: string): string | undefined;
};

/** Opens a file; undefined if it does not exist. */
export const openIfThere = (files: Files, path: string, how: Opening): number | undefined =>
  ifThere(() => files.open(path, how));

const { noFollow, noWait } = openFlags;

const flags: Readonly<Record<Opening, number>> = {
  // Without this flag, opening a planted pipe would wait forever.
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
    // A link gives ELOOP; a pipe without a reader or a socket gives ENXIO.
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

/** The real file system. `platform.ts` holds the differences between systems. */
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
