import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { Unreadable, reasonOf } from '../unreadable.ts';
import { keep, newestBackup, syncFolder } from './backup.ts';
import type { Gate } from './gate.ts';
import { holderOf } from './holder.ts';
import { type Piece, bytesOf, writeBytes } from './pieces.ts';
import { type FileSource, refuseLink } from './source.ts';

/** The name under which the repaired file is written; the token is drawn anew for each run, so nobody can plant it. */
export const draftPath = (path: string, token: string): string => join(dirname(path), `.rethread-${token}.tmp`);

export interface Swap {
  readonly source: FileSource;
  readonly pieces: readonly Piece[];
  readonly token: string;
  readonly gate: Gate;
  /** Reads the draft again from disk and throws when it is not what it should be. */
  readonly verify: (draft: string) => void;
}

function takeOn(fd: number, stats: BigIntStats): void {
  const own = fstatSync(fd, { bigint: true });
  if (own.uid !== stats.uid || own.gid !== stats.gid) fchownSync(fd, Number(stats.uid), Number(stats.gid));
  fchmodSync(fd, Number(stats.mode & 0o7777n));
  futimesSync(fd, Number(stats.atimeNs) / 1e9, Number(stats.mtimeNs) / 1e9);
}

function writeDraft(draft: string, swap: Swap): void {
  if (swap.gate.isStopped) throw new Unreadable('was left alone, because a stop was asked for');
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const fd = openSync(draft, flags, 0o600);
  try {
    writeBytes(fd, bytesOf(swap.pieces, swap.source));
    takeOn(fd, swap.source.stats);
    fsyncSync(fd);
  } catch (error) {
    rmSync(draft);
    throw error;
  } finally {
    closeSync(fd);
  }
}

const isSameState = (one: BigIntStats, two: BigIntStats): boolean =>
  one.dev === two.dev && one.ino === two.ino && one.size === two.size && one.mtimeNs === two.mtimeNs;

const changed = (): Unreadable =>
  new Unreadable('changed while it was being repaired, so it was left alone; try again');

function refuseHolder(stats: BigIntStats): void {
  const holder = holderOf(stats);
  if (holder !== undefined) throw new Unreadable(`is open in process ${holder}, so it was left alone; end that first`);
}

function exchange(draft: string, { source }: Swap): string {
  const { path, stats } = source;
  if (!isSameState(lstatSync(path, { bigint: true }), stats)) throw changed();
  const backup = keep(path, 'backup');
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(backup);
    throw error;
  }
  // A writer that was faster than the renaming has written into the backup; its line belongs in the session.
  if (
    !isSameState(lstatSync(backup, { bigint: true }), stats) &&
    lstatSync(backup, { bigint: true }).ino === stats.ino
  ) {
    renameSync(backup, path);
    throw changed();
  }
  syncFolder(path);
  return backup;
}

function verifyAndExchange(draft: string, swap: Swap): string {
  try {
    swap.verify(draft);
    return swap.gate.swap(() => exchange(draft, swap));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Writes the repaired file beside the original, verifies it, swaps the two, and gives the name of the backup. */
export function swapIn(swap: Swap): string {
  const { path, stats } = swap.source;
  const draft = draftPath(path, swap.token);
  try {
    refuseLink(path);
    refuseHolder(stats);
    writeDraft(draft, swap);
    return verifyAndExchange(draft, swap);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`could not be repaired on disk: ${reasonOf(error)}; it is unchanged`, { cause: error });
  }
}

/** What an undo did: the backup that is the file again, and where a version written to since then was kept. */
export interface Undone {
  readonly backup: string;
  readonly kept?: string;
}

/** Was it written to after the repair? That keeps the time of the last change, as far as a float can hold it. */
const wentOn = (current: BigIntStats, backup: string): boolean =>
  Math.abs(Number(current.mtimeNs - lstatSync(backup, { bigint: true }).mtimeNs)) >= 1e6;

/** Puts the newest backup back, also where the file has gone. A session that went on is kept under another name. */
export function undo(path: string, gate: Gate): Undone {
  refuseLink(path);
  const backup = newestBackup(path);
  const current = lstatSync(path, { bigint: true, throwIfNoEntry: backup === undefined });
  if (backup === undefined) throw new Unreadable('has no backup to restore');
  if (current !== undefined) refuseHolder(current);
  return gate.swap(() => {
    const kept = current !== undefined && wentOn(current, backup) ? keep(path, 'undone') : undefined;
    renameSync(backup, path);
    syncFolder(path);
    return { backup, ...(kept === undefined ? {} : { kept }) };
  });
}
